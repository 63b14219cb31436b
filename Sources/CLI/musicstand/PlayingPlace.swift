internal import Platform
internal import Stand
internal import Transport

/// Where the metronome is, kept whenever that changes: after a crash, or a kill, the next start goes on where it would be now.
struct PlayingPlace {
    private let store: StandStore
    private let plan: String
    /// What a run did that was cut off; `nil` where none was, or another plan played, or long ago.
    let run: PlayRun?

    private static let key = "playing"
    /// Who comes back later begins anew. What plays is kept at each bar, what stands still once.
    private static let patience: Duration = .seconds(30), patienceAtRest: Duration = .seconds(600)

    /// - Parameter plan: tells one command line from another.
    init(_ store: StandStore, plan: String) {
        (self.store, self.plan) = (store, plan)
        let now = MonotonicTime.now()
        run = ((try? store.value(of: Self.key)) ?? nil).flatMap { Self.run(in: $0, plan, now: now) }
    }

    /// Reads what `text(of:)` wrote.
    static func run(in text: String, _ plan: String, now: MonotonicTime) -> PlayRun? {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == plan else { return nil }
        let words = parts[0].split(separator: " ")
        let numbers = words.compactMap { Int64($0) }
        guard numbers.count == 7, words.count == 7, numbers[1] >= 1, numbers[2] >= 0,
            (0...1_000_000).contains(numbers[3]), numbers[4] > 0, numbers[5] > 0
        else { return nil }
        var run = PlayRun(isRunning: numbers[0] == 1, bar: numbers[1])
        if numbers[2] > 0 { run.began = MonotonicTime(nanoseconds: numbers[2]) }
        (run.entry, run.tempoNumerator, run.tempoDenominator) = (Int(numbers[3]), numbers[4], numbers[5])
        // A moment in the future: the machine has started since.
        let age = now - MonotonicTime(nanoseconds: numbers[6])
        guard age >= .zero, age < (run.isRunning ? patience : patienceAtRest), run.began ?? now <= now else {
            return nil
        }
        return run
    }

    static func text(of run: PlayRun, _ plan: String, now: MonotonicTime) -> String {
        let numbers = [
            run.isRunning ? 1 : 0, run.bar, run.began?.nanoseconds ?? 0, Int64(run.entry), run.tempoNumerator,
            run.tempoDenominator, now.nanoseconds,
        ]
        return numbers.map(String.init).joined(separator: " ") + "\n" + plan
    }

    func keep(_ run: PlayRun) {
        // What cannot be kept is not gone back to.
        try? store.keep(Self.text(of: run, plan, now: .now()), as: Self.key)
    }

    /// The run ends as it should.
    func clear() { try? store.keep("", as: Self.key) }
}
