// Measures intonation live: one line per note with the mean and the spread of its deviation.
//
//     swift run IntonationMeter [device]
import ALSABackend
import AudioIO
@preconcurrency import Glibc
import WellTempered

/// The readings of one note.
struct Take {
    var note: Note
    var cents: [Double] = []

    /// Mean and standard deviation, in cents.
    var intonation: (mean: Double, spread: Double) {
        let mean = cents.reduce(0, +) / Double(cents.count)
        let variance = cents.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(cents.count)
        return (mean, variance.squareRoot())
    }
}

/// Prints a note that lasted at least 50 readings, a quarter of a second; shorter ones are transitions.
func finish(_ take: Take?) {
    guard let take, take.cents.count >= 50 else { return }
    let (mean, spread) = take.intonation
    print(take.note, (mean * 10).rounded() / 10, "±", (spread * 10).rounded() / 10, "cents")
    fflush(nil)  // also into a pipe
}

func listen(to device: String) throws {
    var stream = try CaptureStream(.capture(device: device))
    guard var samples = stream.takeSamples() else { return }
    var engine = try TunerEngine(sampleRate: stream.format.sampleRate)
    var block = [Float](repeating: 0, count: 1_024)
    var take: Take?
    while true {
        var free = block.mutableSpan
        let count = try samples.read(into: &free).count  // waits for sound
        if count == 0 { break }
        engine.process(block.span.extracting(first: count))
        while let reading = engine.nextReading() {
            guard reading.state == .voiced,
                let (note, deviation) = ReferencePitch.standard.nearestNote(to: reading.frequency)
            else { continue }
            if take?.note != note {
                finish(take)
                take = Take(note: note)
            }
            take?.cents.append(deviation.value)
        }
    }
    finish(take)
}

do {
    try listen(to: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "default")
} catch let error as AudioError {
    fputs(error.message + "\n", stderr)
    exit(error.exitStatus)
}
