// A custom pitch detector in the package's tracker, which cuts the stream into hops, queues the readings and never allocates.
//
//     swift run DetectorOfYourOwn ../ukulele-c4.flac
import AudioIO
@preconcurrency import Glibc
import WellTempered

/// Measures the mean distance of the upward zero crossings. Right for flutes, wrong for most other instruments.
struct ZeroCrossingDetector: PitchDetector {
    let sampleRate: Hertz
    let hop = 512
    let windowLength = 2_048

    // With this attribute the compiler rejects whatever could stall an audio thread.
    @_noLocks mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        var (first, last, count, power) = (0.0, 0.0, 0, 0.0)
        for n in 1..<window.count {
            let (a, b) = (Double(window[n - 1]), Double(window[n]))
            power += b * b / Double(window.count)
            if a < 0 && b >= 0 {
                last = Double(n) - b / (b - a)  // where the line between the two samples meets zero
                if count == 0 { first = last }
                count += 1
            }
        }
        let level = Decibels(power: power)
        if level.value < -60 || count < 3 { return PitchReading(frame: frame, state: .silence, level: level) }
        var reading = PitchReading(frame: frame, state: .voiced, level: level)
        reading.frequency = sampleRate * Double(count - 1) / (last - first)
        return reading
    }

    @_noLocks mutating func reset() {}
}

func listen(to path: String) throws {
    var file = try AudioFileReader(path: path)
    var own = PitchTracker(detector: ZeroCrossingDetector(sampleRate: file.sampleRate))
    var ours = try TunerEngine(sampleRate: file.sampleRate, hop: 512)
    var block = [Float](repeating: 0, count: 512)
    while true {
        var free = block.mutableSpan
        let count = try file.read(into: &free).count
        if count == 0 { return }
        own.process(block.span.extracting(first: count))
        ours.process(block.span.extracting(first: count))
        while let a = own.nextReading(), let b = ours.nextReading() {
            guard a.state == .voiced, b.state == .voiced else { continue }
            let difference = Cents(from: b.frequency, to: a.frequency).value.rounded()
            print(
                "crossings", a.frequency.value.rounded(), "Hz, ours", b.frequency.value.rounded(), "Hz:", difference,
                "cents")
        }
    }
}

if CommandLine.arguments.count < 2 {
    fputs("usage: DetectorOfYourOwn FILE...\n", stderr)
    exit(2)
}
for path in CommandLine.arguments.dropFirst() {
    do {
        try listen(to: path)
    } catch let error as AudioError {
        fputs(error.message + "\n", stderr)
        exit(1)
    }
}
