internal import NIOCore

/// Counts wrong tokens by address.
struct WrongTokens {
    private var times: [String: [NIODeadline]] = [:]
    private let most: Int

    init(most: Int) { self.most = most }

    /// Whether this address has guessed too often in the last minute.
    mutating func isBlocked(_ address: String, now: NIODeadline) -> Bool {
        recent(address, now).count >= most
    }

    mutating func add(_ address: String, now: NIODeadline) {
        // Whoever has a million addresses must not fill the memory.
        if times.count > 1_000 { times = times.filter { $0.value.last.map { $0 > now - .minutes(1) } ?? false } }
        if times.count > 10_000 { times.removeAll() }
        times[address] = recent(address, now) + [now]
    }

    private mutating func recent(_ address: String, _ now: NIODeadline) -> [NIODeadline] {
        (times[address] ?? []).filter { $0 > now - .minutes(1) }
    }
}
