import Dispatch
import Foundation
import TestCommands
import Testing

/// What happens to a sound server, as shell; `$PLAYER` is the process that plays, and `back` notes that all is well again.
struct ServerFault: Sendable, CustomTestStringConvertible {
    let name: String
    let line: String
    /// Whether the stream has to notice that the device is gone.
    var isLoss = false
    /// Whether it is back before the end.
    var isBack = true
    /// How long it is watched; the trouble comes after three seconds.
    var seconds = 8.0
    /// Clicks that have to be heard in peace, or at a moment when the machine was seen to be busy.
    var clicks = 17
    var testDescription: String { name }
}

/// Real alsa-lib against a real server, that is killed, stopped and robbed of its nodes while clicks go out and are
/// heard by a second program through the server's monitor.
@Suite(.timeLimit(.minutes(10))) struct ServerFaultTests {
    static let faults = [
        ServerFault(
            name: "server killed and restarted",
            line: "kill -9 $(cat $VA_DIR/pipewire.pid); sleep 1.5; $RIG start; back", isLoss: true,
            seconds: 12, clicks: 15),
        ServerFault(
            name: "session manager killed, all restarted",
            line: "kill -9 $(cat $VA_DIR/wireplumber.pid); sleep 2.5; $RIG start; back", isLoss: true,
            seconds: 12, clicks: 15),
        ServerFault(
            name: "all speakers removed",
            line: "pw-cli destroy speaker > /dev/null; pw-cli destroy micfeed > /dev/null", isLoss: true, isBack: false,
            clicks: 5),
        ServerFault(name: "player stopped for 0.7 s", line: "kill -STOP $PLAYER; sleep 0.7; kill -CONT $PLAYER"),
        ServerFault(name: "player busy for 200 ms", line: "true"),
        ServerFault(name: "nothing", line: "true"),
    ]

    @Test(arguments: faults)
    func `Clicks are back in their moments after the server's trouble`(fault: ServerFault) async throws {
        try await onThread(ServerFaultTests.places) {
            try measure(fault.name) { judge(try HeardClicks(through: fault), fault) }
        }
    }

    /// Servers at once: they have two processors, and other tests beside them.
    private static let places = DispatchSemaphore(value: 3)

    private func judge(_ run: HeardClicks, _ fault: ServerFault) -> Verdict {
        var verdict = Verdict(starvation: run.starvation)
        let regular = run.clicks.filter(run.isRegular)
        let settled = regular.filter(run.isUndisturbed)
        // The grid, and which click is which, from before the fault, which comes three seconds after the start.
        guard let first = run.clicks.first, let origin = settled.first, origin.seconds < first.seconds + 2.5 else {
            verdict.wrong.append("\(run.clicks.count) clicks heard, none of them in peace before the trouble")
            return verdict
        }
        func place(_ click: HeardClicks.Click) -> Double {
            (click.seconds - origin.seconds) * 4 + Double(origin.number)
        }
        let worst = settled.map { abs(place($0) - place($0).rounded()) * 12_000 }.max() ?? .infinity
        let wrong = settled.filter { Int(place($0).rounded()) % 8 != $0.number }
        print(
            """
            \(fault.name): \(run.clicks.count) clicks heard, \(regular.count) of them settled, \(settled.count) undisturbed, worst \(worst) frames off \
            the grid; \(run.states.joined(separator: ", ")); waited \(run.waited?.seconds ?? 0) s with \
            \(run.waited?.processor ?? 0) s of processor time; memory \(run.pages) pages; \(run.end); \
            machine: \(run.starvation)
            """)
        // Two clocks of two programs, each right to half a frame, and positions in whole frames.
        verdict.require(worst <= 2, "a click is \(worst) frames off the grid")
        verdict.require(wrong.isEmpty, "clicks \(wrong) belong elsewhere")
        verdict.require(regular.count >= fault.clicks, "\(regular.count) clicks in peace, expected \(fault.clicks)")
        verdict.require(settled.count >= 5, "\(settled.count) clicks undisturbed")
        verdict.require(
            run.states.contains { $0.hasPrefix("lost") } == fault.isLoss, "the device was lost: \(run.states)")
        verdict.require(
            run.states.contains { $0.hasPrefix("running") } == (fault.isLoss && fault.isBack),
            "the device came back: \(run.states)")
        if fault.isLoss && fault.isBack {
            // By then the listener, too, has to have its device again.
            let again = run.clicks.first { $0.seconds > run.back ?? .infinity }.map { $0.seconds - (run.back ?? 0) }
            print("\(fault.name): heard again \(again ?? .infinity) s after the server was there")
            verdict.require(again ?? .infinity < 3, "heard again \(again ?? .infinity) s after the server was there")
        }
        if let waited = run.waited {
            verdict.require(waited.processor < 0.05 * waited.seconds, "more than 5 % of the processor")
        }
        return verdict
    }
}

/// What came of a run: a player, a second program that listened to it, and a heartbeat beside them.
struct HeardClicks {
    struct Click {
        let number: Int
        let seconds: Double
    }

    let clicks: [Click]
    /// What the player said of its device: "lost at 3.1", "running at 4.9".
    let states: [String]
    let waited: (seconds: Double, processor: Double)?
    /// When the server was there again, by the system's clock.
    let back: Double?
    let pages: [Int]
    let end: String
    let starvation: [String]
    /// Moments at which either program's stream stumbled, or the machine was busy elsewhere.
    private let troubles: [Double]

    init(through fault: ServerFault) throws {
        let outcome = try VirtualAudio.run { audio in
            try audio.shell(
                """
                export VA_DIR=${XDG_RUNTIME_DIR%/run} VA_QUANTUM=256
                RIG=\(repository.appending(path: "Tests/Rigs/virtual-audio.sh").path())
                $BIN/stream-probe heartbeat --seconds \(fault.seconds) > $VA_DIR/heartbeat &
                $BIN/stream-probe listen --seconds \(fault.seconds) > $VA_DIR/listener &
                $BIN/stream-probe play --seconds \(fault.seconds - 0.5) \(fault.name.contains("busy") ? "--stall 200" : "") > $VA_DIR/player &
                PLAYER=$!
                touch $VA_DIR/back
                back() { cut -d ' ' -f 1 /proc/uptime > $VA_DIR/back; }
                sleep 3
                \(fault.line)
                wait
                cat $VA_DIR/player; echo ----; cat $VA_DIR/listener; echo ----; cat $VA_DIR/heartbeat; echo "back $(cat $VA_DIR/back)"
                """, limit: 60)
        }
        let parts = outcome.output.split(separator: "----\n").map(Self.words)
        try #require(parts.count == 3, "\(outcome.output) \(outcome.errors)")
        let (player, listener, heartbeat) = (parts[0], parts[1], parts[2])
        clicks = listener.compactMap(Self.click)
        states = player.filter { $0.first == "state" && $0.count == 3 }.map { "\($0[1]) at \($0[2])" }
        back = heartbeat.last.flatMap { $0.first == "back" && $0.count == 2 ? Double($0[1]) : nil }
        pages = player.filter { $0.first == "pages" && $0.count == 2 }.compactMap { Int($0[1]) }
        waited = player.first { $0.first == "waited" && $0.count == 3 }.map { (Double($0[1]) ?? 0, Double($0[2]) ?? 0) }
        end = player.last?.joined(separator: " ") ?? ""
        let late = heartbeat.filter { $0.first == "late" && $0.count == 3 }
        // What the fault itself does to the player is no sign of a busy machine; what happens without one is.
        let stumbles = fault.name == "nothing" ? (player + listener).filter { $0.first == "break" } : []
        starvation =
            (late.isEmpty
                ? [] : ["\(late.count) heartbeats late by up to \(late.compactMap { Double($0[2]) }.max() ?? 0) ms"])
            + (stumbles.isEmpty ? [] : ["\(stumbles.count) breaks of the streams"])
            // A server that goes leaves no xrun behind; a stream that the machine let wait does.
            + (fault.isLoss ? [player, listener].compactMap(Self.xruns) : [])
        troubles =
            late.compactMap { Double($0[1]) }
            + (player + listener).filter { $0.first == "break" && $0.count == 2 }.compactMap { Double($0[1]) }
    }

    /// Whether it comes half a second and more after a pause in the clicks: the listener's own stream settles too.
    func isRegular(_ click: Click) -> Bool {
        let recent = clicks.filter { $0.seconds <= click.seconds && $0.seconds > click.seconds - 0.8 }
        return recent.count >= 3 && zip(recent, recent.dropFirst()).allSatisfy { $1.seconds - $0.seconds < 0.3 }
    }

    /// Whether nothing stumbled shortly before it. A break is told up to 0.4 s after it happened: a new position is
    /// watched for as long before it is believed.
    func isUndisturbed(_ click: Click) -> Bool {
        !troubles.contains { $0 > click.seconds - 0.8 && $0 < click.seconds + 0.4 }
    }

    /// "N xruns" where a program's last line counts some.
    private static func xruns(_ lines: [[String]]) -> String? {
        guard let end = lines.last(where: { $0.first == "end" }),
            let at = end.firstIndex(where: { $0.hasSuffix("xruns:") }), at + 1 < end.count,
            let count = Int(end[at + 1].prefix { $0.isNumber }), count > 0
        else { return nil }
        return "\(count) xruns"
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
