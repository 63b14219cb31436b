import Dispatch
import Foundation
import TestCommands
import Testing

/// The way from a program through a server and back, over a private PipeWire whose microphone hears its speaker.
@Suite(.timeLimit(.minutes(10))) struct RoundTripTests {
    private func probe(_ arguments: String, quantum: Int) throws -> [Substring] {
        try VirtualAudio.run { audio in
            // The speaker is linked to the microphone; the graph's quantum follows the smallest period of a client.
            let outcome = try audio.shell(
                """
                for c in FL FR; do pw-link speaker:monitor_$c mic:input_$c; done
                $BIN/stream-probe \(arguments)
                """, limit: 60)
            try #require(outcome.status == 0, "\(outcome.errors)")
            print("period \(quantum): \(outcome.output)", terminator: "")
            return try #require(outcome.lines.last).split(separator: " ")
        }
    }

    private func number(after word: String, in words: [Substring]) throws -> Double {
        let at = try #require(words.firstIndex { $0 == word })
        return try #require(words.indices.contains(at + 1) ? Double(words[at + 1]) : nil)
    }

    /// Beside it: the same measured with a program in C on the same kind of machine, period and a buffer of three.
    @Test(arguments: [(64, 258.0), (128, 511), (256, 1_022), (512, 2_046), (1_024, 4_094)])
    func `The round trip is as short as a program in C has it`(period: Int, inC: Double) async throws {
        let words = try await onThread(RoundTripTests.places) {
            try probe(
                "loop --seconds 4 --input default --period \(period) --buffer \(3 * period)", quantum: period)
        }
        let clicks = try number(after: "clicks", in: words)
        let loop = try number(after: "loop", in: words)
        let residual = try number(after: "residual", in: words)
        #expect(clicks >= 8)
        #expect(abs(loop - inC) <= Double(period), "\(loop) frames, in C \(inC)")
        // Both clocks name the same moment for a click: the server's delays are exact to a frame.
        #expect(abs(residual) <= 1)
    }

    @Test func `What the devices do not tell is nothing where there is only a wire`() async throws {
        let words = try await onThread(RoundTripTests.places) {
            try probe("latency --input default --clicks 8", quantum: 256)
        }
        #expect(try number(after: "heard", in: words) == 8)
        // A frame is 21 µs.
        #expect(abs(try number(after: "hidden", in: words)) < 42e-6)
        #expect(try number(after: "sd", in: words) < 21e-6)
        #expect(abs(try number(after: "gain", in: words) - 1) < 0.01)
        // 4 periods of 256 out, and 512 in: 32 ms, and the server's own.
        let round = try number(after: "round", in: words)
        #expect(round > 0.005 && round < 0.06)
    }

    /// The table's small periods want the machine for themselves.
    private static let places = DispatchSemaphore(value: 1)
}
