import Foundation
import TestCommands
import Testing

/// A metronome on a card whose crystal is off, in simulated time.
@Suite(.serialized) struct CalibrateTests {
    /// The frames at which clicks begin in what the card played: FLOAT_LE, one channel.
    private func onsets(_ card: SimulatedCard) throws -> [Int] {
        let data = try Data(contentsOf: card.folder.appending(path: "out.raw"))
        try FileManager.default.removeItem(at: card.folder.appending(path: "out.raw"))
        return data.withUnsafeBytes { raw in
            var (found, quiet) = ([Int](), 4_800)
            for frame in 0..<(data.count / 4) {
                let isLoud = abs(raw.loadUnaligned(fromByteOffset: 4 * frame, as: Float.self)) > 0.001
                if isLoud, quiet >= 4_800 { found.append(frame) }
                quiet = isLoud ? 0 : quiet + 1
            }
            return found
        }
    }

    @Test(arguments: [200.0, -50, 7])
    func `A calibrated card plays true tempi`(ppm: Double) throws {
        try SimulatedCard.run("ppm \(Int(ppm)) outfile \"@/out.raw\"") { card in
            let calibrated = try card.command("metronome", ["calibrate", "-D", "mine", "--json"], inTurns: true)
            #expect(calibrated.status == 0, "\(calibrated.errors)")
            let last = try #require(calibrated.lines.last)
            let result = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
            let found = try #require(result["ppm"] as? Double)
            #expect(abs(found - ppm) < 0.3 && (result["seconds"] as? Double ?? 99) <= 60)
            try FileManager.default.removeItem(at: card.folder.appending(path: "out.raw"))

            let words = [
                "120", "--bars", "64", "-D", "mine", "-r", "48000", "-c", "1", "--whole-samples", "--accent", "none",
            ]
            for (options, error) in [([], found), (["--clock", "0"], 0), (["--clock", "-1000"], -1_000)] {
                let outcome = try card.command("metronome", words + options, limit: 120)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let clicks = try onsets(card)
                try #require(clicks.count == 256)
                // Half a second: 24,000 frames at the nominal rate, times the card's error.
                let expected = 24_000 * (1 + error * 1e-6)
                let worst = clicks.enumerated().map { abs(Double($1 - clicks[0]) - Double($0) * expected) }.max() ?? 99
                print("card of \(ppm) ppm, \(options): 256 clicks, worst \(worst) frames from the grid")
                // Half a frame of rounding at either end, and 0.005 ppm of three million frames.
                #expect(worst <= 1.05)
                // What is shown is what was asked for.
                #expect(outcome.lines.allSatisfy { $0.hasSuffix("120.0 BPM") })
            }
        }
    }

    @Test func `A clock that no card has is refused`() throws {
        let outcome = try BuiltCommand("metronome").run(["120", "-D", "null", "--clock", "1e9", "--bars", "1"])
        #expect(outcome.status == 2 && outcome.errors.contains("--clock"), "\(outcome.errors)")
    }
}
