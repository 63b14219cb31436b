internal import CRealtime
internal import Realtime

/// The level of the last second, smooth enough that the single periods of a low note do not show.
internal struct LevelTrack: ~Copyable, Sendable {
    /// Seconds that a level is the mean of: a period of the lowest string of a bass, 41 Hz.
    private static let smoothing = 0.024

    /// Decibels before the stream: below every level that is measured.
    static var none: Double { @_noLocks get { -120 } }

    private let powers: SampleBuffer<Double>
    private let levels: SampleBuffer<Double>
    /// Hops that a level is the mean of.
    let mean: Int
    /// Hops so far.
    private(set) var hops = 0
    /// Seconds of a hop.
    let hopSeconds: Double

    init(hopSeconds: Double) {
        self.hopSeconds = hopSeconds
        mean = max(1, Int(rt_round(Self.smoothing / hopSeconds)))
        powers = SampleBuffer(count: mean)
        levels = SampleBuffer(count: max(mean + 2, Int(1 / hopSeconds)), repeating: Self.none)
    }

    @_noLocks mutating func reset() {
        hops = 0
        for n in 0..<powers.count { powers.unsafeElements[n] = 0 }
        for n in 0..<levels.count { levels.unsafeElements[n] = Self.none }
    }

    /// Adds the power of the newest hop.
    @_noLocks mutating func add(_ power: Double) {
        powers.unsafeElements[hops % mean] = max(1e-12, power)
        var sum = 0.0
        for n in 0..<mean { sum += powers.unsafeElements[n] }
        levels.unsafeElements[hops % levels.count] = 10 * rt_log10(sum / Double(mean) + 1e-12)
        hops += 1
    }

    /// The level `age` hops ago, in decibels; -120 before the stream.
    @_noLocks func level(_ age: Int) -> Double {
        let place = hops - 1 - age
        guard place >= 0, age >= 0, age < levels.count else { return Self.none }
        return levels.unsafeElements[place % levels.count]
    }

    /// The highest level from `newest` to `oldest` hops ago.
    @_noLocks func highest(_ newest: Int, _ oldest: Int) -> Double {
        var highest = Self.none
        var age = max(0, newest)
        while age <= oldest {
            highest = max(highest, level(age))
            age += 1
        }
        return highest
    }

    /// The lowest level from `newest` to `oldest` hops ago.
    @_noLocks func lowest(_ newest: Int, _ oldest: Int) -> Double {
        var lowest = level(max(0, newest))
        var age = max(0, newest)
        while age <= oldest {
            lowest = min(lowest, level(age))
            age += 1
        }
        return lowest
    }

    /// How many seconds ago the level was lowest, from `newest` to `oldest` hops ago; `nil` where it is so at either end,
    /// or did not fall by `depth` decibels to there.
    @_noLocks func trough(_ newest: Int, _ oldest: Int, depth: Double) -> Double? {
        var (age, crest, lowest, place) = (min(oldest, levels.count - 1), Self.none, 0.0, -1)
        while age >= newest {
            let level = level(age)
            if place < 0 || level < lowest { (lowest, place) = (level, age) }
            age -= 1
        }
        age = min(oldest, levels.count - 1)
        while age > place {
            crest = max(crest, level(age))
            age -= 1
        }
        guard place > newest, crest >= lowest + depth else { return nil }
        // A level is the mean of the time before it.
        return (Double(place) + Double(mean) / 2) * hopSeconds
    }

    /// By how many decibels the level rose at most, from a trough to a later crest, from `oldest` to `newest` hops ago.
    @_noLocks func largestRise(_ newest: Int, _ oldest: Int) -> Double { largestSwing(1, newest, oldest) }

    /// By how many decibels the level fell at most, from a crest to a later trough, from `oldest` to `newest` hops ago.
    @_noLocks func largestFall(_ newest: Int, _ oldest: Int) -> Double { largestSwing(-1, newest, oldest) }

    /// - Parameter sign: 1 for a rise, -1 for a fall.
    @_noLocks private func largestSwing(_ sign: Double, _ newest: Int, _ oldest: Int) -> Double {
        var (age, largest) = (min(oldest, levels.count - 1), 0.0)
        var turn = sign * level(age)
        while age >= newest {
            let height = sign * level(age)
            turn = min(turn, height)
            largest = max(largest, height - turn)
            age -= 1
        }
        return largest
    }

    /// Where one note gives way to the next, in hops ago, from `oldest` to `newest`: `nil` where the level does not dip by
    /// `depth` decibels.
    ///
    /// It is where the level has fallen by `depth`, and not more than `lead` hops before it rises again.
    @_noLocks func boundary(_ newest: Int, _ oldest: Int, depth: Double, lead: Int) -> Double? {
        var (age, crest, trough, fallen) = (min(oldest, levels.count - 1), Self.none, 0.0, -1)
        var last = -1
        while age >= newest {
            let level = level(age)
            if level > crest, fallen < 0 { crest = level }
            if fallen < 0, level < crest - depth { (fallen, trough, last) = (age, level, age) }
            if fallen >= 0, level < trough + 1 {
                trough = min(trough, level)
                last = age
            }
            age -= 1
        }
        guard fallen >= 0 else { return nil }
        // A level is the mean of the time before it.
        return Double(min(fallen, last + lead)) + Double(mean) / 2
    }

    /// Hops in `seconds`.
    @_noLocks func hops(_ seconds: Double) -> Int { Int(rt_round(seconds / hopSeconds)) }
}
