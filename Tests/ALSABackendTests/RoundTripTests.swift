import Dispatch
import Foundation
import TestCommands
import Testing

/// The way from a program through a server and back, over a private PipeWire whose microphone hears its speaker.
@Suite(.timeLimit(.minutes(10))) struct RoundTripTests {
    /// The words of the probe's last line, and signs of a machine that was too busy.
    private func probe(_ arguments: String, quantum: Int) throws -> (words: [Substring], starvation: [String]) {
        try VirtualAudio.run { audio in
            // The speaker is linked to the microphone; the graph's quantum follows the smallest period of a client.
            let outcome = try audio.shell(
                """
                for c in FL FR; do pw-link speaker:monitor_$c mic:input_$c; done
                $BIN/stream-probe heartbeat --seconds 60 > ${XDG_RUNTIME_DIR%/run}/heartbeat & beating=$!
                $BIN/stream-probe \(arguments)
                status=$?
                kill $beating
                cat ${XDG_RUNTIME_DIR%/run}/heartbeat >&2
                exit $status
                """, limit: 60)
            try #require(outcome.status == 0, "\(outcome.errors)")
            let words = try #require(outcome.lines.last).split(separator: " ")
            let late = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("late ") }
            print("period \(quantum): \(outcome.lines.last ?? ""); \(late.count) heartbeats late")
            var starvation = late.isEmpty ? [] : ["\(late.count) heartbeats late, the last: \(late[late.count - 1])"]
            for name in ["xruns", "discontinuities", "breaks"] {
                guard let at = words.firstIndex(where: { $0 == name }) else { continue }
                let counts = words[(at + 1)...].prefix(name == "breaks" ? 1 : 2).compactMap { Int($0) }
                if counts.contains(where: { $0 > 0 }) { starvation.append("\(name) \(counts)") }
            }
            return (words, starvation)
        }
    }

    private func number(after word: String, in words: [Substring]) throws -> Double {
        let at = try #require(words.firstIndex { $0 == word })
        return try #require(words.indices.contains(at + 1) ? Double(words[at + 1]) : nil)
    }

    /// Beside it: the same measured with a program in C on the same kind of machine, period and a buffer of three.
    /// `make round-trip` prints the table from 64 frames on, which wants the machine for itself.
    @Test(arguments: [(256, 1_022.0), (512, 2_046)])
    func `The round trip is as short as a program in C has it`(period: Int, inC: Double) async throws {
        try await onThread(RoundTripTests.places) {
            try measure("round trip at \(period)") {
                let (words, starvation) = try probe(
                    "loop --seconds 4 --input default --period \(period) --buffer \(3 * period)", quantum: period)
                var verdict = Verdict(starvation: starvation)
                let clicks = try number(after: "clicks", in: words)
                let loop = try number(after: "loop", in: words)
                let residual = try number(after: "residual", in: words)
                verdict.require(clicks >= 8, "\(clicks) clicks heard of twelve")
                verdict.require(abs(loop - inC) <= Double(period), "\(loop) frames, in C \(inC)")
                // Both clocks name the same moment for a click: the server's delays are exact to a frame.
                verdict.require(abs(residual) <= 1, "the clocks disagree by \(residual) frames")
                return verdict
            }
        }
    }

    @Test func `What the devices do not tell is nothing where there is only a wire`() async throws {
        try await onThread(RoundTripTests.places) {
            try measure("hidden latency") {
                let (words, starvation) = try probe("latency --input default --clicks 8", quantum: 256)
                var verdict = Verdict(starvation: starvation)
                let heard = try number(after: "heard", in: words)
                let hidden = try number(after: "hidden", in: words)
                let deviation = try number(after: "sd", in: words)
                let gain = try number(after: "gain", in: words)
                let round = try number(after: "round", in: words)
                verdict.require(heard == 8, "\(heard) clicks heard of 8")
                // A frame is 21 µs.
                verdict.require(abs(hidden) < 42e-6, "\(hidden) s hidden in a wire")
                verdict.require(deviation < 21e-6, "\(deviation) s of scatter")
                verdict.require(abs(gain - 1) < 0.01, "\(gain) times as loud")
                // 4 periods of 256 out, and 512 in: 32 ms, and the server's own.
                verdict.require(round > 0.005 && round < 0.06, "\(round) s there and back")
                return verdict
            }
        }
    }

    /// Loops at once: two clocks are held against each other to a frame.
    private static let places = DispatchSemaphore(value: 1)
}
