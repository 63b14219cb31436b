import Foundation
import TestCommands
import Testing

/// The metronome hears itself, on a card whose microphone hears its loudspeaker, in simulated time.
@Suite struct LoopTests {
    /// What a command of ours says last, as JSON; `mine` plays and listens.
    private func object(_ card: SimulatedCard, _ words: [String]) throws -> [String: Any] {
        let outcome = try card.command(
            "metronome", words + ["-D", "mine", "--input", "mine", "--json"], inTurns: true, turn: LoopTests.turn)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let line = try #require(outcome.lines.last)
        let found = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        print("\(words.joined(separator: " ")): \(found)")
        return found
    }

    /// A millisecond: what is read is not much older than what was heard.
    private static let turn = 1_000

    @Test func `Every click that is played is heard at its instant`() throws {
        try SimulatedCard.run("loop 1 format FLOAT_LE") { card in
            let found = try object(card, ["150", "--accent", "3", "--for", "6s", "--verify"])
            func number(_ key: String) -> Double { found[key] as? Double ?? .nan }
            #expect(number("clicks") == 15 && number("lost") == 0 && number("extra") == 0, "15 clicks in six seconds")
            // The card copies frames: what is left is the arithmetic. A frame is 20.8 µs.
            #expect(number("worst_us") < 1)
            #expect(abs(number("drift_ppm")) < 0.05, "two ends of one clock")
            // A buffer of 1,024 frames out and a period of 512 in, and a turn.
            #expect(number("round_trip_ms") > 5 && number("round_trip_ms") < 40)
            // Two clocks that are each known to a frame.
            #expect(abs(number("hidden_ms")) < 0.05, "a wire hides nothing")
        }
    }

    /// The two ends of one clock, each measured with an error of its own.
    @Test func `What a calibration leaves in doubt is in doubt in what is heard`() throws {
        try SimulatedCard.run("loop 1 format FLOAT_LE") { card in
            let ends = [("playback", 0.1, 0.3), ("capture", -0.2, 0.4)].map { way, error, doubt in
                """
                {"device":"mine","direction":"\(way)","sampleRate":48000,"rateError":{"value":\(error)},
                "standardError":{"value":\(doubt)},"observedSeconds":3,"clockWasDisciplined":false,"measuredAt":1}
                """
            }
            let folder = card.folder.appending(path: "state/well-tempered")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("{\"cards\":[\(ends.joined(separator: ","))],\"latencies\":[]}".utf8)
                .write(to: folder.appending(path: "calibration.json"))
            let found = try object(card, ["150", "--bars", "2", "--verify"])
            // 3, 4, 5: half a ppm, and what eight clicks in a wire add to it.
            #expect(abs(abs(found["drift_ppm"] as? Double ?? .nan) - 0.3) < 0.05)
            #expect(abs((found["drift_standard_error_ppm"] as? Double ?? .nan) - 0.5) < 0.05)
        }
    }

    /// A loop in the air: 480 frames of it, of which the devices know nothing.
    @Test(arguments: [0, 480])
    func `The latency of a loop is measured, kept, and applied to the display`(frames: Int) throws {
        try SimulatedCard.run("loop 1 format FLOAT_LE hidden \(frames)") { card in
            let found = try object(card, ["calibrate", "latency", "--clicks", "8"])
            #expect(found["clicks"] as? Int == 8)
            // Each of the two clocks is known to a frame, which is 21 µs.
            #expect(abs((found["hidden_s"] as? Double ?? .nan) - Double(frames) / 48_000) < 42e-6)
            let told = try card.command(
                "metronome", ["240", "--bars", "1", "--verbose", "-D", "mine"], inTurns: true)
            #expect(told.errors.contains("ms later than it reports: corrected"), "\(told.errors)")
        }
    }
}
