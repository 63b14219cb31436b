import ArgumentParser
import Figures
import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

/// Measures the detector on tones that vibrate: what it tells while they are held, and where they are slurred.
struct Slurs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures false notes in a vibrato, and the time of notes that are slurred within one.")
    @Option(help: "The seed of the tones.") var seed: UInt64 = 1
    @Option(help: "Tones of 10 s for each depth of vibrato, and takes of 16 slurs.") var tones = 40
    @OptionGroup var limits: Limits
    @Flag(help: "One line per false note and per slur.") var list = false

    func run() throws {
        let constants = try limits.constants
        var generator = SeededNumbers(seed: seed)
        var table = Table()
        for depth in [0.0, 0.3, 0.4, 0.5, 0.6, 0.8, 1] {
            var held: [(tone: VibratoTone, heard: [Onset])] = []
            for _ in 0..<tones {
                let tone = VibratoTone(held: depth, using: &generator)
                held.append((tone, try onsets(tone, constants).filter { $0.frame > 0.3 * VibratoTone.rate }))
            }
            if list { for (tone, heard) in held { for onset in heard { print(tone, told(onset)) } } }
            let count = held.reduce(0) { $0 + $1.heard.count }
            table.row(
                String(format: "false notes, held with ±%.0f cents", 100 * depth),
                Double(count) / (Double(tones) * (VibratoTone.length - 0.3) / 60), atMost: 1, unit: "a minute")
        }
        try slurs(constants, &generator, &table)
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }

    private func slurs(_ constants: OnsetConstants, _ generator: inout SeededNumbers, _ table: inout Table) throws {
        var (notes, found, extra, within) = (0, 0, 0, 0)
        var errors: [Double] = []
        for _ in 0..<tones {
            let tone = VibratoTone(slursUsing: &generator)
            var heard = try onsets(tone, constants).filter { $0.frame > 0.3 * VibratoTone.rate }
            for slur in tone.slurs {
                notes += 1
                let distance = { (onset: Onset) in abs(onset.frame / VibratoTone.rate - slur.time) }
                guard let index = heard.indices.min(by: { distance(heard[$0]) < distance(heard[$1]) }),
                    distance(heard[index]) < 0.05
                else {
                    if list { print(tone, slur, "missed") }
                    continue
                }
                let onset = heard.remove(at: index)
                let error = onset.frame / VibratoTone.rate - slur.time
                let uncertainty = Double(onset.uncertainty / .nanoseconds(1)) * 1e-9
                if list { print(tone, slur, String(format: "%+.1f ms", 1_000 * error), told(onset)) }
                found += 1
                errors.append(1_000 * error)
                within += abs(error) <= 2 * uncertainty ? 1 : 0
            }
            extra += heard.count
            if list { for onset in heard { print(tone, "false", told(onset)) } }
        }
        table.row("slurs, found", Double(found) / Double(notes), atLeast: 0.93)
        table.row("slurs, told that are none", Double(extra) / Double(notes), atMost: 0.03, unit: "of a note")
        table.row("slurs, within two uncertainties", Double(within) / Double(found), atLeast: 0.93)
        table.row("slurs, bias", abs(percentile(errors, 0.5)), atMost: 5, unit: "ms")
    }

    private func told(_ onset: Onset) -> String {
        String(
            format: "%.4f s strength %.2f %@ ± %.2f ms told +%.0f ms", onset.frame / VibratoTone.rate, onset.strength,
            onset.kind == .sharp ? "sharp" : "soft", onset.uncertainty / .milliseconds(1),
            1_000 * (Double(onset.toldAt) - onset.frame) / VibratoTone.rate)
    }

    private func onsets(_ tone: VibratoTone, _ constants: OnsetConstants) throws -> [Onset] {
        var detector = try OnsetDetector(sampleRate: VibratoTone.rate.hertz, constants: constants)
        var heard: [Onset] = []
        let samples = tone.samples()
        for start in stride(from: 0, to: samples.count, by: 1_000) {
            detector.process(samples.span.extracting(start..<min(samples.count, start + 1_000)))
            while let onset = detector.nextOnset() { if onset.stage == .refined { heard.append(onset) } }
        }
        return heard
    }
}
