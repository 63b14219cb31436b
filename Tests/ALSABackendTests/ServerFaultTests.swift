import Dispatch
import Foundation
import TestCommands
import Testing

/// What happens to a sound server, as shell; `$PLAYER` is the process that plays.
struct ServerFault: Sendable, CustomTestStringConvertible {
    let name: String
    let line: String
    /// Whether the stream has to notice that the device is gone.
    var isLoss = false
    /// Whether the server is there again afterwards.
    var isBack = true
    /// Milliseconds for which the player itself does nothing, once.
    var stall = 0
    var testDescription: String { name }
}

/// Real alsa-lib against a real server that is killed, stopped and robbed of its nodes, while clicks go out and are heard
/// by a second program through the server's monitor: that the loss is told, that the clicks come back, and in their
/// moments. FaultTests asserts to the frame what happens then, in simulated time.
@Suite(.timeLimit(.minutes(10))) struct ServerFaultTests {
    static let faults = [
        ServerFault(
            name: "server killed and restarted",
            line: "kill -9 $(cat $VA_DIR/pipewire.pid); soon says lost; $RIG start", isLoss: true),
        ServerFault(
            name: "session manager killed, all restarted",
            line: "kill -9 $(cat $VA_DIR/wireplumber.pid); soon says lost; $RIG start", isLoss: true),
        ServerFault(
            name: "all speakers removed",
            line: "pw-cli destroy speaker > /dev/null; pw-cli destroy micfeed > /dev/null; soon says lost; sleep 2",
            isLoss: true, isBack: false),
        ServerFault(name: "player stopped for 0.7 s", line: "kill -STOP $PLAYER; sleep 0.7; kill -CONT $PLAYER"),
        ServerFault(name: "player busy for 200 ms", line: "true", stall: 200),
        ServerFault(name: "nothing", line: "true"),
    ]

    @Test(arguments: faults)
    func `Clicks are back in their moments after the server's trouble`(fault: ServerFault) async throws {
        // On a thread of its own: it mostly waits.
        let run = try await onThread(ServerFaultTests.places) { try HeardClicks(through: fault) }
        let after = run.clicks.dropFirst(run.before)
        print(
            """
            \(fault.name): \(run.before) clicks heard before, \(after.count) after; \(run.states.joined(separator: ", ")); \
            waited \(run.waited?.seconds ?? 0) s with \(run.waited?.processor ?? 0) s of processor time; \
            memory \(run.pages) pages; \(run.end)
            """)
        #expect(run.before >= HeardClicks.enough, "clicks are heard before the trouble: \(run.errors)")
        if fault.isLoss {
            #expect(run.states.contains { $0.hasPrefix("lost") }, "the loss is told")
            let waited = try #require(run.waited)
            // 50 ms for the attempts to open it: alsa-lib reads its configuration anew each time, 10 to 25 ms. A loop
            // that does not sleep takes at least a third of the time, however busy the machine.
            #expect(
                waited.processor < 0.05 + 0.05 * waited.seconds, "waiting takes no more than 5 % of the processor")
        }
        guard fault.isBack else { return }
        #expect(run.states.last?.hasPrefix("lost") != true, "it ends with a device: \(run.errors)")
        #expect(after.count >= HeardClicks.enough, "clicks are heard again")
        // Their numbers, from 0 to 7, say which they are: most of them sound when that number's turn is, by the system's
        // clock, to a quarter of their interval. Most: a machine that is busy may starve a stream for a moment.
        let origin = HeardClicks.phase(of: run.clicks.prefix(run.before))
        let inPlace = after.count { abs(HeardClicks.distance($0.phase, origin)) < 0.25 }
        #expect(2 * inPlace > after.count, "\(inPlace) of \(after.count) clicks are in their moments: \(run.clicks)")
    }

    /// Servers at once: they have two processors, and other tests beside them.
    private static let places = DispatchSemaphore(value: 3)
}

/// What came of a run: a player, and a second program that listened to it. Nothing has to happen within a time, but that
/// after 40 s what is waited for counts as missing.
private struct HeardClicks {
    struct Click {
        let number: Int
        let seconds: Double
        /// When number 0 would have sounded, in intervals of clicks; the numbers begin again after 8.
        var phase: Double { seconds * 4 - Double(number) }
    }

    /// From one phase to another, in intervals: -4 to 4.
    static func distance(_ one: Double, _ other: Double) -> Double { (one - other).remainder(dividingBy: 8) }

    /// The phase that lies nearest to those of all these clicks.
    static func phase(of clicks: ArraySlice<Click>) -> Double {
        let phases = clicks.map(\.phase)
        func sum(_ phase: Double) -> Double { phases.reduce(0) { $0 + abs(distance($1, phase)) } }
        return phases.min { sum($0) < sum($1) } ?? .nan
    }

    /// Clicks to hear before a trouble, and after it: two seconds.
    static let enough = 8

    let clicks: [Click]
    /// How many of them came before the trouble.
    let before: Int
    /// What the player said of its device: "lost at 3.1", "running at 4.9".
    let states: [String]
    let waited: (seconds: Double, processor: Double)?
    let pages: [Int]
    let end: String
    let errors: String

    init(through fault: ServerFault) throws {
        let outcome = try VirtualAudio.run { audio in
            try audio.shell(
                """
                export VA_DIR=${XDG_RUNTIME_DIR%/run} VA_QUANTUM=256
                RIG=\(repository.appending(path: "Tests/Rigs/virtual-audio.sh").path())
                cd "$VA_DIR"
                "$BIN/stream-probe" listen --seconds 300 --until over > listener & LISTENER=$!
                "$BIN/stream-probe" play --seconds 300 --until over --stall \(fault.stall) > player & PLAYER=$!
                soon() { for i in $(seq 400); do "$@" && return 0; sleep 0.1; done; echo "in vain: $*" >&2; }
                heard() { grep -c '^click' listener; }
                has_heard() { [ "$(heard)" -ge $1 ]; }
                says() { grep -q "^state $1" player; }
                soon has_heard \(Self.enough)
                BEFORE=$(heard)
                \(fault.line)
                # As many again as are enough, and a second for those that were under way.
                \(fault.isBack ? "soon has_heard $((BEFORE + \(Self.enough + 4)))" : "")
                touch over
                wait $LISTENER $PLAYER
                cat player; echo ----; cat listener; echo ----; echo "before $BEFORE"
                """, limit: 240)
        }
        let parts = outcome.output.split(separator: "----\n").map(Self.words)
        try #require(parts.count == 3, "\(outcome.output) \(outcome.errors)")
        let (player, listener) = (parts[0], parts[1])
        clicks = listener.compactMap(Self.click)
        before = parts[2].first?.last.flatMap { Int($0) } ?? 0
        states = player.filter { $0.first == "state" && $0.count == 3 }.map { "\($0[1]) at \($0[2])" }
        pages = player.filter { $0.first == "pages" && $0.count == 2 }.compactMap { Int($0[1]) }
        waited = player.first { $0.first == "waited" && $0.count == 3 }.map { (Double($0[1]) ?? 0, Double($0[2]) ?? 0) }
        errors = outcome.errors
        end = player.last?.joined(separator: " ") ?? ""
    }

    private static func words(_ text: Substring) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Its loudness, 0.3 + 0.05 · (number mod 8), says which click it is.
    private static func click(_ words: [String]) -> Click? {
        guard words.count == 3, words[0] == "click", let loud = Double(words[1]), let time = Double(words[2]) else {
            return nil
        }
        return Click(number: Int(((loud - 0.3) / 0.05).rounded()), seconds: time)
    }
}
