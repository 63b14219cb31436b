internal import CRealtime
internal import Realtime

/// The notes before a start: four that are evenly spaced are a beat.
internal struct StartingNotes: ~Copyable, Sendable {
    /// A beat that was found: its newest note, its period and the standard errors of both, in seconds.
    internal struct Beat: BitwiseCopyable, Sendable {
        var seconds = 0.0, period = 0.0, timeError = 0.0, periodError = 0.0
        @_noLocks init() {}
    }

    private var times = BoundedQueue<Double>(capacity: 16, filler: 0)
    /// The period that was named beforehand, in seconds; 0: none.
    private let hint: Double
    private let scatter: Double

    /// From 240 to 40 beats per minute.
    private static var shortest: Double { @_noLocks get { 0.25 } }
    private static var longest: Double { @_noLocks get { 1.5 } }
    /// By how much an interval may differ from the mean of them: five standard deviations of a player at 120.
    private static var evenness: Double { @_noLocks get { 0.12 } }
    /// How far from its hint a beat begins.
    private static var hintWidth: Double { @_noLocks get { 0.25 } }

    init(hint: Double, scatter: Double) { (self.hint, self.scatter) = (hint, scatter) }

    /// How many of the four notes were heard.
    private(set) var count = 0

    @_noLocks mutating func reset() {
        times.removeAll()
        count = 0
    }

    /// Takes in a note; returns the beat when it is the fourth of an even row.
    @_noLocks mutating func hear(_ seconds: Double) -> Beat? {
        // Notes before a pause are forgotten.
        if times.count > 0, seconds - times[times.count - 1] > 2 * Self.longest { times.removeAll() }
        times.push(seconds)
        count = 1
        guard hint > 0 else {
            // The row of the newest notes, one after the other.
            for length in 2...4 where times.count >= length {
                if let beat = beat(of: length, period: seconds - times[times.count - 2]) {
                    count = length
                    if length == 4 { return beat }
                }
            }
            return nil
        }
        // Notes may lie between the beats: every earlier note may be the beat before.
        var place = times.count - 1
        while place > 0 {
            place -= 1
            let period = seconds - times[place]
            if abs(period / hint - 1) > Self.hintWidth { continue }
            for length in 2...4 {
                guard let beat = beat(of: length, period: period) else { break }
                count = max(count, length)
                if length == 4 { return beat }
            }
        }
        return nil
    }

    /// The beat of so many notes about one period apart, the newest among them.
    @_noLocks private func beat(of length: Int, period: Double) -> Beat? {
        var found = SIMD4<Double>(repeating: times[times.count - 1])
        var place = times.count - 1
        for n in 1..<length {
            let expected = found[n - 1] - period
            var nearest = -1
            var distance = 2 * Self.evenness * period
            // With a hint a note may be skipped, without one none.
            let first = hint > 0 ? 0 : max(0, place - 1)
            for earlier in stride(from: place - 1, through: first, by: -1)
            where abs(times[earlier] - expected) < distance {
                (nearest, distance) = (earlier, abs(times[earlier] - expected))
            }
            guard nearest >= 0 else { return nil }
            found[n] = times[nearest]
            place = nearest
        }
        let intervals = Double(length - 1)
        let mean = (found[0] - found[length - 1]) / intervals
        guard mean >= Self.shortest, mean <= Self.longest else { return nil }
        for n in 1..<length where abs(found[n - 1] - found[n] - mean) > Self.evenness * mean { return nil }
        guard length == 4 else { return Beat() }
        // The line through the four.
        var beat = Beat()
        beat.period = (3 * (found[0] - found[3]) + found[1] - found[2]) / 10
        beat.seconds = (found[0] + found[1] + found[2] + found[3]) / 4 + 1.5 * beat.period
        (beat.timeError, beat.periodError) = (0.84 * scatter, 0.45 * scatter)
        return beat
    }
}
