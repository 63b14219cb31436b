import ArgumentParser
import CAllocationProbe
import Figures
import Foundation
import WellTempered

/// Measures what canceller and detector cost: a minute of noise with a note every half second and four clicks a second.
struct Cost: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures the time of a core and the heap calls.")
    @Option(help: "Sample rate in hertz.") var rate = 48_000.0
    @Option(help: "Samples of a block.") var block = 256

    func run() throws {
        var generator = SeededNumbers(seed: 1)
        let click = (0..<Int(0.03 * rate)).map { Float(sin(0.2 * Double($0)) * exp(-Double($0) / (0.006 * rate))) }
        var samples = (0..<Int(60 * rate)).map { _ in 0.001 * Float(generator.normal()) }
        for note in stride(from: Int(rate), to: samples.count - Int(rate), by: Int(rate / 2)) {
            for n in 0..<Int(0.4 * rate) {
                samples[note + n] += 0.3 * Float(sin(0.05 * Double(n)) * exp(-Double(n) / (0.1 * rate)))
            }
        }
        let sounds = [[Float]](repeating: click, count: 3)
        var canceller = try ClickCanceller(sampleRate: rate.hertz, sounds: sounds)
        var detector = try OnsetDetector(sampleRate: rate.hertz)
        var slowest = 0.0
        let clickDistance = Int(rate / 4)
        allocation_probe_reset()
        let begin = processorSeconds()
        for start in stride(from: 0, to: samples.count, by: block) {
            let end = min(samples.count, start + block)
            if start / clickDistance != end / clickDistance {
                canceller.expect(start / clickDistance % 3, at: Int64(start + clickDistance / 2))
            }
            let before = processorSeconds()
            samples.withUnsafeMutableBufferPointer { buffer in
                let part = UnsafeMutableBufferPointer(rebasing: buffer[start..<end])
                var span = part.mutableSpan
                canceller.process(&span)
                detector.process(UnsafeBufferPointer(part).span, after: canceller)
            }
            while detector.nextOnset() != nil {}
            slowest = max(slowest, processorSeconds() - before)
        }
        let share = (processorSeconds() - begin) / 60
        let calls = allocation_probe_count()
        var table = Table()
        table.row("canceller and detector, of a core", 100 * share, atMost: 2, unit: "%")
        table.row("heap calls in a minute", Double(calls), atMost: 0, unit: "calls")
        table.note("slowest block of \(block) samples", String(format: "%.2f ms", 1_000 * slowest))
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }
}

/// Of this thread.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}
