import ArgumentParser
import Figures
import Foundation
import WellTempered

/// Measures how soon the canceller follows a path that changes: 120 clicks a minute of two sounds, nobody playing.
struct Paths: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the canceller while the way from loudspeaker to microphone changes.")
    @Option(help: "The seed of rooms and noise.") var seed: UInt64 = 1
    @Flag(help: "Print how much of each click is gone.") var verbose = false

    private static let rate = 48_000.0

    private enum Change: String, CaseIterable {
        case none, jump = "jump of 3 ms", clocks = "clocks 50 ppm apart", room = "another room"
    }

    func run() throws {
        var table = Table()
        for change in Change.allCases {
            let gone = try cancelled(change)
            if verbose { print(change.rawValue, gone.map { String(format: "%.1f", $0) }.joined(separator: " ")) }
            let settled = gone.suffix(10).reduce(0, +) / 10
            let from = change == .clocks ? 0 : 30
            // 15 dB, of this and of all clicks that follow: a click as loud as the player then hides nothing.
            let recovered = (gone[from...].lastIndex { $0 < 15 } ?? from - 1) + 1 - from
            table.note(change.rawValue, String(format: "%.1f dB of a click are gone in the end", settled))
            if change != .none {
                table.row(
                    "clicks until recovered, " + change.rawValue, Double(recovered), atMost: 4, unit: "clicks")
            }
        }
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }

    /// How much of each click is gone, in decibels. The path changes before the 31st.
    private func cancelled(_ change: Change) throws -> [Double] {
        var generator = SeededNumbers(seed: seed)
        let sounds = [2_000.0, 1_500].map { frequency in
            (0..<1_440).map { n in
                Float(0.5 * sin(2 * .pi * frequency * Double(n) / Self.rate) * exp(-Double(n) / 288))
            }
        }
        let rooms = (0..<2).map { _ in Self.room(&generator) }
        let echoes = rooms.map { room in sounds.map { Self.convolved($0, room) } }
        let count = 60
        var (heard, alone) = ([Float](repeating: 0, count: (count + 1) * 24_000), [Float]())
        for index in 0..<count {
            let later = index >= 30
            let echo = echoes[change == .room && later ? 1 : 0][index % 4 == 0 ? 0 : 1]
            var frame = Double(4_800 + 24_000 * index)
            if change == .jump && later { frame += 0.003 * Self.rate }
            if change == .clocks { frame += 50e-6 * 24_000 * Double(index) }
            Self.add(echo, at: frame, to: &heard)
        }
        alone = heard
        for n in heard.indices { heard[n] += 0.001 * Float(generator.normal()) }
        var canceller = try ClickCanceller(sampleRate: Self.rate.hertz, sounds: sounds)
        var left: [Float] = []
        for start in stride(from: 0, to: heard.count, by: 256) {
            for index in 0..<count where (start..<start + 256).contains(24_000 * index) {
                canceller.expect(index % 4 == 0 ? 0 : 1, at: Int64(4_800 + 24_000 * index))
            }
            var block = Array(heard[start..<min(heard.count, start + 256)])
            var span = block.mutableSpan
            canceller.process(&span)
            left += block
        }
        return (0..<count).map { index in
            let range = (4_800 + 24_000 * index)..<(4_800 + 24_000 * index + 12_000)
            let before = alone[range].reduce(0) { $0 + Double($1 * $1) }
            let noise = 1e-6 * Double(range.count)
            let after = left[range].reduce(0) { $0 + Double($1 * $1) }
            return 10 * log10(before / max(1e-9, max(after - noise, 0.01 * noise)))
        }
    }

    /// The direct sound, and a tail that falls by 60 dB in 0.4 s.
    private static func room(_ generator: inout SeededNumbers) -> [Float] {
        (0..<12_000).map { n in
            n == 0 ? 1 : 0.02 * Float(generator.normal()) * Float(pow(10, -3 * Double(n) / rate / 0.4))
        }
    }

    private static func convolved(_ a: [Float], _ b: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: a.count + b.count)
        for (n, x) in a.enumerated() { for m in b.indices { result[n + m] += x * b[m] } }
        return result
    }

    /// Adds a sound that begins between two samples: a sinc under a Hann window of 64 samples.
    private static func add(_ sound: [Float], at frame: Double, to samples: inout [Float]) {
        let whole = Int(frame.rounded(.down))
        let fraction = frame - Double(whole)
        let taps = (-31...32).map { k -> Float in
            let x = Double(k) - fraction
            let sinc = abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)
            return Float(sinc * (0.5 + 0.5 * cos(.pi * x / 33)))
        }
        for (n, x) in sound.enumerated() {
            for (j, tap) in taps.enumerated() {
                let at = whole + n + j - 31
                if at >= 0 && at < samples.count { samples[at] += x * tap }
            }
        }
    }
}
