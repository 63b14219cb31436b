internal import CRealtime
internal import Realtime

/// Tells whether the newest readings sway, as those of a vibrato do, or step from one pitch to another.
///
/// Courses are laid through them by least squares: `c + A sin 2πf (t - t0)`, which is `c` before `t0`, a step from one pitch to the
/// next, and two of them (`PitchSteps`). The sine and the step have four free numbers each, so that the squares that they leave may
/// be compared; the two more that a second step has are charged as by Schwarz, "Estimating the dimension of a model", 1978.
internal struct PitchSway: ~Copyable, Sendable {
    /// A vibrato that was found.
    struct Swing: BitwiseCopyable {
        /// The key about which the pitch sways, and by how many keys to either side.
        var center = 0.0, depth = 0.0
        /// By how many nepers a reading is likelier than in a step.
        var odds = -Double.infinity
        /// The squares that it leaves.
        fileprivate var rest = Double.infinity
        @_noLocks init() {}
    }

    /// The newest readings in keys, 0 for none, oldest at `count`.
    private let keys: SampleBuffer<Double>
    private var count = 0
    /// A sine of each rate from its beginning on, hop by hop.
    private let sines: SampleBuffer<Double>
    private var window: SwayWindow
    private let steps: PitchSteps
    private let hopSeconds: Double

    /// Seconds of readings that are looked at: a period of the slowest vibrato.
    private static var longest: Double { @_noLocks get { 0.25 } }
    /// Rates of a vibrato in hertz: singers and players sway 4 to 8 times a second.
    private static var slowest: Double { @_noLocks get { 4 } }
    private static var rateStep: Double { @_noLocks get { 0.5 } }
    private static var rates: Int { @_noLocks get { 9 } }
    /// Keys by which readings scatter at least: those of a clear tone by 1 cent. With 3 cents half of the first turns of vibratos are
    /// taken for slurs.
    private static var scatter: Double { @_noLocks get { 0.01 } }
    /// Fewer readings tell nothing.
    private static var fewest: Double { @_noLocks get { 10 } }

    init(hopSeconds: Double) {
        self.hopSeconds = hopSeconds
        keys = SampleBuffer(count: max(Int(Self.fewest), Int(Self.longest / hopSeconds)))
        window = SwayWindow(count: keys.count)
        steps = PitchSteps(count: keys.count, hopSeconds: hopSeconds)
        sines = SampleBuffer(count: Self.rates * 2 * keys.count)
        for rate in 0..<Self.rates {
            let turn = 2 * Double.pi * (Self.slowest + Self.rateStep * Double(rate)) * hopSeconds
            for n in 0..<2 * keys.count { sines.unsafeElements[rate * 2 * keys.count + n] = rt_sin(turn * Double(n)) }
        }
    }

    @_noLocks mutating func reset() { count = 0 }

    /// Adds a reading in keys, 0 for none.
    @_noLocks mutating func add(_ key: Double) {
        keys.unsafeElements[count % keys.count] = key
        count += 1
    }

    /// The vibrato that explains the readings of the last `seconds` best.
    @_noLocks mutating func swing(within seconds: Double) -> Swing {
        var swing = Swing()
        fill(length(seconds))
        guard window.readings >= Self.fewest else { return swing }
        let spread = window.spread
        for index in 0..<Self.rates {
            let sine = index * 2 * keys.count
            let rate = Self.slowest + Self.rateStep * Double(index)
            let period = Int(1 / (rate * hopSeconds))
            var (least, best) = (Double.infinity, 0)
            // What begins a period or more before the first reading is the same again.
            for begin in (1 - min(period, keys.count))..<(window.count - period / 4) {
                var sums = ShapeSums()
                for n in max(0, begin)..<window.count {
                    window.add(n, sines.unsafeElements[sine + n - begin], to: &sums)
                }
                let rest = spread - sums.explained(window.whole)
                if rest < least { (least, best) = (rest, begin) }
            }
            if least < .infinity { refine(&swing, rate, Double(best)) }
        }
        swing.rest = max(0, swing.rest)
        swing.odds = odds(steps.restOfOne(window), swing)
        return swing
    }

    /// Keeps the best of the sines near a rate and a beginning in readings, both moved by fractions of their steps for as long as
    /// that leaves less.
    @_noLocks private func refine(_ swing: inout Swing, _ rate: Double, _ begin: Double) {
        var (rate, begin) = (rate, begin)
        var least = rest(rate, begin, &swing)
        var (move, moves) = (SwayWindow.firstMove, 0)
        while move > SwayWindow.lastMove, moves < SwayWindow.mostMoves {
            moves += 1
            var isBetter = false
            for trial in 0..<6 {
                let side = trial % 2 == 0 ? move : -move
                var (place, tried) = (begin, rate)
                if trial < 2 {
                    place += side
                } else {
                    let fastest = Self.slowest + Self.rateStep * Double(Self.rates - 1)
                    tried = min(max(Self.slowest, rate + side * Self.rateStep), fastest)
                    // With its beginning, and with its phase in the middle of the readings.
                    let middle = Double(window.count) / 2
                    if trial >= 4 { place = middle - (middle - begin) * rate / tried }
                }
                let left = rest(tried, place, &swing)
                if left < least { (least, rate, begin, isBetter) = (left, tried, place, true) }
            }
            if !isBetter { move /= 2 }
        }
    }

    /// The squares that a sine leaves, which is kept if they are the least so far.
    @_noLocks private func rest(_ rate: Double, _ begin: Double, _ swing: inout Swing) -> Double {
        let turn = 2 * Double.pi * rate * hopSeconds
        let first = begin < 0 ? 0 : Int(begin) + 1
        // Each angle is a turn further than the last one.
        var (sine, cosine) = (rt_sin(turn * (Double(first) - begin)), rt_cos(turn * (Double(first) - begin)))
        let (turnSine, turnCosine) = (rt_sin(turn), rt_cos(turn))
        var sums = ShapeSums()
        for n in first..<max(first, window.count) {
            window.add(n, sine, to: &sums)
            (sine, cosine) = (sine * turnCosine + cosine * turnSine, cosine * turnCosine - sine * turnSine)
        }
        guard let amplitude = sums.slope(window.whole) else { return window.spread }
        let rest = window.spread - sums.explained(window.whole)
        if rest < swing.rest {
            swing.rest = rest
            swing.center = window.origin + window.mean - amplitude * sums.height / window.readings
            swing.depth = abs(amplitude)
        }
        return rest
    }

    /// Whether the course that was found last is a vibrato, and no slur and no mordent.
    @_noLocks func isVibrato(_ swing: Swing, _ constants: SegmenterConstants) -> Bool {
        guard swing.odds > constants.swaying else { return false }
        if Double(window.count) * hopSeconds < constants.mordent { return true }
        let charge = rt_log(window.readings) / window.readings
        return swing.odds > constants.swayingSurely
            || odds(steps.restOfTwo(window), swing) + charge > constants.swayingBeside
    }

    @_noLocks private func odds(_ rest: Double, _ swing: Swing) -> Double {
        let noise = Self.scatter * Self.scatter * window.readings
        return 0.5 * rt_log((rest + noise) / (swing.rest + noise))
    }

    /// For how many seconds all readings have been so near to the newest one.
    @_noLocks func stretch(within keys: Double) -> Double {
        let length = min(count, self.keys.count)
        var (newest, n) = (0.0, length)
        while n > 0 {
            let key = reading(n - 1, of: length)
            if newest == 0 { newest = key }
            if key > 0, abs(key - newest) > keys { break }
            n -= 1
        }
        return (Double(length - n) + 0.5) * hopSeconds
    }

    /// Seconds of readings that are kept.
    var reach: Double { @_noLocks get { Double(keys.count) * hopSeconds } }

    /// Makes the course of a note of all readings of the last `seconds`, with the standard error, in cents, and the window of
    /// one that moves.
    @_noLocks func refill(_ contour: inout PitchContour, within seconds: Double) {
        contour.clear()
        let length = length(seconds)
        for n in 0..<length {
            let key = reading(n, of: length)
            if key > 0 { contour.add(key, error: 5, window: 0.04) } else { contour.skip() }
        }
    }

    /// How many readings the last `seconds` hold.
    @_noLocks private func length(_ seconds: Double) -> Int {
        Int(min(Double(min(count, keys.count)), max(0, seconds / hopSeconds)))
    }

    @_noLocks private mutating func fill(_ length: Int) {
        window.clear()
        for n in 0..<length { window.add(reading(n, of: length)) }
    }

    /// Reading `n` of the newest `length`, oldest first.
    @_noLocks private func reading(_ n: Int, of length: Int) -> Double {
        keys.unsafeElements[(count - length + n) % keys.count]
    }
}
