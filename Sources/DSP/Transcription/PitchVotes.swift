internal import CRealtime

/// Which pitches the readings of a young note stand for, and how strongly.
internal struct PitchVotes: BitwiseCopyable {
    /// A pitch and its votes.
    internal struct Entry: BitwiseCopyable {
        /// The mean in keys above MIDI's 0.
        var key = 0.0
        var weight = 0.0
        var count = 0
        @_noLocks init() {}
        /// The nearest key.
        var midi: Int { @_noLocks get { Int(rt_round(key)) } }
    }

    /// How far from the mean of some readings another one stands for the same pitch, in keys.
    private static var reach: Double { @_noLocks get { 0.6 } }
    private var entries = InlineArray<10, Entry>(repeating: Entry())
    private var used = 0

    @_noLocks init() {}

    @_noLocks mutating func add(_ key: Double, weight: Double) {
        var nearest = -1
        for n in 0..<used where abs(entries[n].key - key) < Self.reach {
            if nearest < 0 || abs(entries[n].key - key) < abs(entries[nearest].key - key) { nearest = n }
        }
        if nearest >= 0 {
            let sum = entries[nearest].weight + weight
            entries[nearest].key += weight / max(1e-9, sum) * (key - entries[nearest].key)
            entries[nearest].weight = sum
            entries[nearest].count += 1
            return
        }
        var entry = Entry()
        (entry.key, entry.weight, entry.count) = (key, weight, 1)
        if used < 10 {
            entries[used] = entry
            used += 1
            return
        }
        var least = 0
        for n in 1..<used where entries[n].weight < entries[least].weight { least = n }
        if entries[least].weight < weight { entries[least] = entry }
    }

    /// The pitch with most votes, not counting those near `excluded`; no votes without one.
    @_noLocks func best(excluding excluded: Double?) -> Entry {
        var best = Entry()
        for n in 0..<used {
            if let excluded, abs(entries[n].key - excluded) < Self.reach { continue }
            if entries[n].weight > best.weight { best = entries[n] }
        }
        return best
    }

    /// The votes of a pitch.
    @_noLocks func entry(near key: Double) -> Entry {
        var found = Entry()
        for n in 0..<used where abs(entries[n].key - key) < Self.reach && entries[n].weight > found.weight {
            found = entries[n]
        }
        return found
    }

    /// Counts the votes of a pitch less: it rang on from the note before.
    @_noLocks mutating func discount(_ key: Double, to share: Double) {
        for n in 0..<used where abs(entries[n].key - key) < Self.reach { entries[n].weight *= share }
    }

    /// Votes for what is new since the onset, and no more for what was taken for that at the first look.
    @_noLocks mutating func hear(
        _ fresh: FreshPitch.Result, instead first: FreshPitch.Result, _ constants: SegmenterConstants
    ) {
        guard fresh.newness > constants.newness, fresh.trust >= constants.trust else { return }
        if first.newness > constants.newness, first.trust >= constants.trust {
            guard abs(first.key - fresh.key) >= Self.reach else { return }
            discount(first.key, to: constants.ringing)
        }
        add(fresh.key, weight: constants.freshWeight)
    }
}
