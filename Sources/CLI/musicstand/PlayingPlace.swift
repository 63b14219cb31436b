internal import Platform
internal import Stand
internal import Transport

/// Where the metronome is, kept at each bar: after a crash, or a kill, the next start goes on where it would be by now.
struct PlayingPlace {
    private let store: StandStore
    private let plan: String
    /// The bar at which a run that was cut off would be now; `nil` where none was, or another plan played, or long ago.
    let bar: Int64?

    private static let key = "playing"
    /// Who comes back later begins anew.
    private static let patience = 30.0

    /// - Parameter plan: tells one command line from another.
    init(_ store: StandStore, plan: String) {
        (self.store, self.plan) = (store, plan)
        bar = ((try? store.value(of: Self.key)) ?? nil).flatMap { Self.bar(in: $0, plan) }
    }

    private static func bar(in text: String, _ plan: String) -> Int64? {
        let parts = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3] == plan, let bar = Int64(parts[0]), let heard = Int64(parts[1]),
            let length = Double(parts[2]), length > 0
        else { return nil }
        let age = Double(MonotonicTime.now().nanoseconds &- heard) * 1e-9
        // Before zero: the machine has started since.
        guard bar >= 1, (0..<patience).contains(age) else { return nil }
        return bar + Int64(age / length)
    }

    /// Keeps the bar that begins.
    func keep(_ beat: CourseBeat) {
        guard beat.beat == 1, beat.tempo > 0 else { return }
        let length = 60 / beat.tempo * Double(beat.beatsInBar)
        // What cannot be kept is not gone back to.
        try? store.keep("\(beat.bar)\n\(beat.heard.nanoseconds)\n\(length)\n\(plan)", as: Self.key)
    }

    /// The run ends as it should.
    func clear() { try? store.keep("", as: Self.key) }
}
