import Foundation
import TestCommands
import Testing

/// The way from a program out and back into it, on a card whose microphone hears its loudspeaker, in simulated time.
/// `make bench PART=round-trip` measures it through a sound server, beside a program in C.
@Suite(.timeLimit(.minutes(10))) struct RoundTripTests {
    /// The words of the probe's last line.
    private func probe(_ arguments: String, hidden: Int = 0) throws -> [Substring] {
        try SimulatedCard.run("loop 1 format FLOAT_LE hidden \(hidden)") { card in
            let outcome = try card.command(
                "stream-probe",
                arguments.split(separator: " ").map(String.init) + ["--output", "mine", "--input", "mine"],
                inTurns: true, turn: RoundTripTests.turn)
            try #require(outcome.status == 0, "\(outcome.errors)")
            print("\(arguments): \(outcome.lines.last ?? "")")
            return try #require(outcome.lines.last).split(separator: " ")
        }
    }

    /// Microseconds between two looks of the program at what it hears.
    private static let turn = 1_000

    private func number(after word: String, in words: [Substring]) throws -> Double {
        let at = try #require(words.firstIndex { $0 == word })
        return try #require(words.indices.contains(at + 1) ? Double(words[at + 1]) : nil)
    }

    @Test(arguments: [64, 128, 256, 512, 1_024])
    func `The round trip is the buffer and a period, and the clocks of both ways agree`(period: Int) throws {
        let words = try probe("loop --seconds 4 --period \(period) --buffer \(3 * period)")
        let clicks = try number(after: "clicks", in: words)
        let loop = try number(after: "loop", in: words)
        let residual = try number(after: "residual", in: words)
        #expect(clicks >= 11, "four a second, after the first second")
        // A block is rendered when a period of the buffer is free, so two periods before it sounds at the earliest and three
        // at the latest; it is read a period later. Waking up takes 0.3 ms at most (14 frames) on either way, and the
        // program looks once a millisecond (48 frames).
        #expect(loop >= Double(2 * period) && loop <= Double(4 * period + 2 * 15 + 2 * 48), "\(loop) frames")
        // Both clocks name the same moment for a click: each card's position is a whole number of frames.
        #expect(abs(residual) <= 2, "the clocks disagree by \(residual) frames")
        #expect(try number(after: "xruns", in: words) == 0)
    }

    @Test(arguments: [0, 480])
    func `What the devices do not tell is measured to two frames`(frames: Int) throws {
        let words = try probe("latency --clicks 8", hidden: frames)
        #expect(try number(after: "heard", in: words) == 8)
        // A frame is 21 µs.
        let hidden = try number(after: "hidden", in: words)
        #expect(abs(hidden - Double(frames) / 48_000) < 42e-6)
        #expect(try number(after: "sd", in: words) < 21e-6)
        let gain = try number(after: "gain", in: words)
        #expect(abs(gain - 1) < 0.01)
        #expect(try number(after: "breaks", in: words) == 0)
    }
}
