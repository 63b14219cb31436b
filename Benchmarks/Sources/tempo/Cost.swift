import ArgumentParser
import CAllocationProbe
import Figures
import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

/// Measures what the tracker costs: a minute of noise with a note every half second.
struct Cost: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures the time of a core and the heap calls.")
    @Option(help: "Sample rate in hertz.") var rate = 48_000.0
    @Option(help: "Samples of a block.") var block = 256

    func run() throws {
        var generator = SeededNumbers(seed: 1)
        var samples = (0..<Int(60 * rate)).map { _ in Float.random(in: -0.001...0.001, using: &generator) }
        for note in stride(from: Int(rate), to: samples.count - Int(rate), by: Int(rate / 2)) {
            for n in 0..<Int(0.4 * rate) {
                samples[note + n] += 0.3 * Float(sin(0.05 * Double(n)) * exp(-Double(n) / (0.1 * rate)))
            }
        }
        var table = Table()
        let detector = try share(samples, isTracking: false)
        let tracker = try share(samples, isTracking: true)
        table.note("onset detector alone, of a core", String(format: "%.2f %%", detector.percent))
        table.row("tempo tracker, its detector included, of a core", tracker.percent, atMost: 2, unit: "%")
        table.row("heap calls in a minute", Double(tracker.calls), atMost: 0, unit: "calls")
        table.note("slowest block of \(block) samples", String(format: "%.2f ms", tracker.slowest))
        table.note("beats told", "\(tracker.beats)")
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }

    private func share(
        _ samples: [Float], isTracking: Bool
    ) throws -> (percent: Double, slowest: Double, calls: Int, beats: Int) {
        var tracker = try TempoTracker(sampleRate: rate.hertz)
        var detector = try OnsetDetector(sampleRate: rate.hertz)
        var (slowest, beats) = (0.0, 0)
        allocation_probe_reset()
        let begin = processorSeconds()
        for start in stride(from: 0, to: samples.count, by: block) {
            let before = processorSeconds()
            let part = samples.span.extracting(start..<min(samples.count, start + block))
            if isTracking {
                tracker.process(part)
                while tracker.nextBeat() != nil { beats += 1 }
            } else {
                detector.process(part)
                while detector.nextOnset() != nil {}
            }
            slowest = max(slowest, processorSeconds() - before)
        }
        let percent = 100 * (processorSeconds() - begin) / 60
        return (percent, 1_000 * slowest, Int(allocation_probe_count()), beats)
    }
}

/// Of this thread.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}
