internal import CRealtime
internal import Music
internal import Realtime

/// The course of a note's pitch: its mean, the mean's standard error, and the vibrato.
internal struct PitchContour: ~Copyable, Sendable {
    /// What is known of the pitch of a note.
    struct Result: BitwiseCopyable {
        /// Keys above MIDI's 0, and cents.
        var mean = 0.0, standardError = 0.0
        var rate = 0.0, depth = 0.0
        @_noLocks init() {}
    }

    /// The newest hops of the note in cents beside the first reading, `none` without one: 2.7 s, of a long note its last part.
    private let cents: SampleBuffer<Float>
    private let hopSeconds: Double
    private var first = 0.0
    private var count = 0
    /// Hops from the first reading to the newest, and hops without a reading since.
    private var places = 0, unread = 0
    /// Of all readings.
    private var mean = 0.0, squares = 0.0, errors = 0.0, windows = 0.0

    /// The slowest and the fastest vibrato in hertz, what separates the rates that are tried, and the least that counts, in
    /// cents and as a share of what moves at all: noise has no rate.
    private static var slowest: Double { @_noLocks get { 3.5 } }
    private static var fastest: Double { @_noLocks get { 9 } }
    private static var rateStep: Double { @_noLocks get { 0.1 } }
    private static var leastDepth: Double { @_noLocks get { 5 } }
    private static var leastShare: Double { @_noLocks get { 0.5 } }
    /// Cycles that are needed to tell a rate.
    private static var leastCycles: Double { @_noLocks get { 1.5 } }

    /// The least share of the hops that must have a reading for a vibrato to be told.
    private static var leastRead: Double { @_noLocks get { 0.5 } }
    /// In the place of cents: far below every pitch.
    private static var none: Float { @_noLocks get { -1e9 } }

    init(hopSeconds: Double) {
        self.hopSeconds = hopSeconds
        cents = SampleBuffer(count: 512)
    }

    @_noLocks mutating func clear() {
        (count, places, unread) = (0, 0, 0)
        (mean, squares, errors, windows) = (0, 0, 0, 0)
    }

    /// Tells that a hop has no reading of the note.
    @_noLocks mutating func skip() { unread += 1 }

    /// Adds a reading.
    ///
    /// - Parameters:
    ///   - key: the pitch in keys above MIDI's 0.
    ///   - error: its standard error in cents.
    ///   - window: the seconds that it rests on.
    @_noLocks mutating func add(_ key: Double, error: Double, window: Double) {
        if count == 0 { (first, unread) = (key, 0) }
        // Else what follows would be shifted against a vibrato.
        for n in 0..<min(unread, cents.count) { cents.unsafeElements[(places + n) % cents.count] = Self.none }
        let value = 100 * (key - first)
        cents.unsafeElements[(places + unread) % cents.count] = Float(value)
        places += unread + 1
        unread = 0
        count += 1
        let difference = value - mean
        mean += difference / Double(count)
        squares += difference * (value - mean)
        errors += error * error
        windows += window
    }

    /// How many readings there were.
    var readings: Int { @_noLocks get { count } }

    /// The mean key so far, and nothing else.
    var meanKey: Double { @_noLocks get { first + mean / 100 } }

    /// Everything that is known.
    @_noLocks func result() -> Result {
        var result = Result()
        guard count > 0 else { return result }
        result.mean = meanKey
        let length = Double(count)
        // Readings whose windows overlap are not independent: as many count as windows fit into the note.
        let window = max(hopSeconds, windows / length)
        let independent = max(1, length * hopSeconds / window)
        (result.rate, result.depth) = vibrato()
        let swing = result.depth * result.depth / 2
        let variance = max(0, squares / length - swing) + errors / length
        result.standardError = rt_sqrt(variance / independent)
        return result
    }

    /// The sine that takes most of the variance about a straight line; zero where it is not a vibrato.
    @_noLocks private func vibrato() -> (rate: Double, depth: Double) {
        let length = min(places, cents.count)
        guard Double(length) * hopSeconds * Self.slowest >= Self.leastCycles else { return (0, 0) }
        // The straight line.
        let middle = Double(length - 1) / 2
        var (number, sumX, sum) = (0.0, 0.0, 0.0)
        for n in 0..<length where isRead(n, length) {
            (number, sumX, sum) = (number + 1, sumX + Double(n) - middle, sum + Double(value(n, length)))
        }
        guard number > Self.leastRead * Double(length) else { return (0, 0) }
        let (meanX, mean) = (sumX / number, sum / number)
        var (slope, spread) = (0.0, 0.0)
        for n in 0..<length where isRead(n, length) {
            let x = Double(n) - middle - meanX
            slope += x * (Double(value(n, length)) - mean)
            spread += x * x
        }
        slope /= max(1e-9, spread)
        let (line, origin) = (slope, mean - slope * (middle + meanX))
        var power = 0.0
        for n in 0..<length where isRead(n, length) {
            let rest = Double(value(n, length)) - origin - line * Double(n)
            power += rest * rest
        }
        var (best, rate) = (0.0, 0.0)
        var tried = Self.slowest
        while tried <= Self.fastest {
            let turn = 2 * Double.pi * tried * hopSeconds
            let (stepX, stepY) = (rt_cos(turn), rt_sin(turn))
            var (x, y, re, im) = (1.0, 0.0, 0.0, 0.0)
            for n in 0..<length {
                if isRead(n, length) {
                    let rest = Double(value(n, length)) - origin - line * Double(n)
                    re += x * rest
                    im += y * rest
                }
                (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX)
            }
            let taken = 2 * (re * re + im * im) / number
            if taken > best { (best, rate) = (taken, tried) }
            tried += Self.rateStep
        }
        let depth = rt_sqrt(2 * best / number)
        let isInside = rate > Self.slowest && rate < Self.fastest - Self.rateStep
        guard isInside, best > Self.leastShare * power, depth >= Self.leastDepth,
            Double(length) * hopSeconds * rate >= Self.leastCycles
        else { return (0, 0) }
        return (rate, depth)
    }

    /// The reading of place `n` of the newest `length`, oldest first.
    @_noLocks private func value(_ n: Int, _ length: Int) -> Float {
        cents.unsafeElements[(places - length + n) % cents.count]
    }

    @_noLocks private func isRead(_ n: Int, _ length: Int) -> Bool { value(n, length) > Self.none }
}
