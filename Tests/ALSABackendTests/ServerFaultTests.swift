import Foundation
import TestCommands
import Testing

/// What `stream-probe listen` heard.
private struct Click {
    let number: Int
    let seconds: Double
}

/// What happens to a sound server, as shell; `$PLAYER` is the process that plays.
struct ServerFault: Sendable, CustomTestStringConvertible {
    let name: String
    let line: String
    /// Whether the stream has to notice that the device is gone.
    var isLoss = false
    /// Whether it is back before the end.
    var isBack = true
    var testDescription: String { name }
}

/// Real alsa-lib against a real server, that is killed, stopped and robbed of its nodes while clicks go out and are
/// heard by a second program through the server's monitor.
@Suite(.timeLimit(.minutes(10))) struct ServerFaultTests {
    static let faults = [
        ServerFault(
            name: "server killed and restarted",
            line: "kill -9 $(cat $VA_DIR/pipewire.pid); sleep 1.5; $RIG start; true", isLoss: true
        ),
        ServerFault(
            name: "session manager killed, all restarted",
            line: "kill -9 $(cat $VA_DIR/wireplumber.pid); sleep 2.5; $RIG start", isLoss: true),
        ServerFault(
            name: "all speakers removed",
            line: "pw-cli destroy speaker > /dev/null; pw-cli destroy micfeed > /dev/null", isLoss: true, isBack: false),
        ServerFault(name: "player stopped for 0.7 s", line: "kill -STOP $PLAYER; sleep 0.7; kill -CONT $PLAYER"),
        ServerFault(name: "player busy for 200 ms", line: "true"),
        ServerFault(name: "nothing", line: "true"),
    ]

    @Test(arguments: faults)
    func `Clicks are back in their moments after the server's trouble`(fault: ServerFault) async throws {
        try await onThread(ServerFaultTests.places) { try play(through: fault) }
    }

    /// Servers at once: they have two processors, and other tests beside them.
    private static let places = DispatchSemaphore(value: 3)

    private func play(through fault: ServerFault) throws {
        let (player, listener) = try VirtualAudio.run { audio in
            let outcome = try audio.shell(
                """
                export VA_DIR=${XDG_RUNTIME_DIR%/run} VA_QUANTUM=256
                RIG=\(repository.appending(path: "Tests/Rigs/virtual-audio.sh").path())
                $BIN/stream-probe listen --seconds 12 > $VA_DIR/listener &
                $BIN/stream-probe play --seconds 11.5 \(fault.name.contains("busy") ? "--stall 200" : "") > $VA_DIR/player &
                PLAYER=$!
                sleep 3
                \(fault.line)
                wait
                cat $VA_DIR/player; echo ----; cat $VA_DIR/listener
                """, limit: 60)
            let parts = outcome.output.split(separator: "----\n")
            try #require(parts.count == 2, "\(outcome.output) \(outcome.errors)")
            return (words(parts[0]), words(parts[1]))
        }
        let clicks = listener.compactMap(click)
        try #require(clicks.count > 8)
        // The grid, and which click is which, from before the fault: clicks 2 to 7 of a stream that has settled.
        let origin = clicks[2]
        func place(_ click: Click) -> Double { (click.seconds - origin.seconds) * 4 + Double(origin.number) }
        let settled = clicks.dropFirst(2).filter { clickIsSettled($0, among: clicks) }
        let worst = settled.map { abs(place($0) - place($0).rounded()) * 12_000 }.max() ?? .infinity
        let wrong = settled.filter { Int(place($0).rounded()) % 8 != $0.number }
        let waited = player.first { $0.first == "waited" }.map { (Double($0[1]) ?? 0, Double($0[2]) ?? 0) }
        let states = player.filter { $0.first == "state" }.map { "\($0[1]) at \($0[2])" }
        let pages = player.filter { $0.first == "pages" }.compactMap { Int($0[1]) }
        print(
            """
            \(fault.name): \(clicks.count) clicks heard, \(settled.count) of them settled, worst \(worst) frames off \
            the grid; \(states.joined(separator: ", ")); waited \(waited?.0 ?? 0) s with \(waited?.1 ?? 0) s of \
            processor time; memory \(pages) pages; \(player.last?.joined(separator: " ") ?? "")
            """)
        // Two clocks of two programs, each right to half a frame, and positions in whole frames.
        #expect(worst <= 2)
        #expect(wrong.isEmpty, "every click is the one that belongs there")
        #expect(settled.count >= (fault.isLoss ? fault.isBack ? 15 : 5 : 34))
        #expect(states.contains { $0.hasPrefix("lost") } == fault.isLoss)
        #expect(states.contains { $0.hasPrefix("running") } == (fault.isLoss && fault.isBack))
        if let waited { #expect(waited.1 < 0.05 * waited.0, "5 % of the processor") }
    }

    /// Half a second and more after a pause in the clicks: the listener's own stream has to settle too.
    private func clickIsSettled(_ click: Click, among clicks: [Click]) -> Bool {
        let recent = clicks.filter { $0.seconds <= click.seconds && $0.seconds > click.seconds - 0.8 }
        return recent.count >= 3 && zip(recent, recent.dropFirst()).allSatisfy { $1.seconds - $0.seconds < 0.3 }
    }

    private func words(_ text: Substring) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Its loudness, 0.3 + 0.05 · (number mod 8), says which click it is.
    private func click(_ words: [String]) -> Click? {
        guard words.count == 3, words[0] == "click", let loud = Double(words[1]), let time = Double(words[2]) else {
            return nil
        }
        return Click(number: Int(((loud - 0.3) / 0.05).rounded()), seconds: time)
    }
}
