internal import CRealtime
internal import Realtime

/// Tells whether the newest readings sway, as those of a vibrato do, or step from one pitch to another.
///
/// Two courses are laid through them by least squares: `c + A sin 2πf (t - t0)`, which is `c` before `t0`, and a step from one pitch
/// to the next within up to `slowestStep`. Both have four free numbers, so that the squares that are left may be compared.
internal struct PitchSway: ~Copyable, Sendable {
    /// A vibrato that was found.
    struct Swing: BitwiseCopyable {
        /// The key about which the pitch sways, and by how many keys to either side.
        var center = 0.0, depth = 0.0
        /// By how many nepers a reading is likelier than in a step.
        var odds = -Double.infinity
        @_noLocks init() {}
    }

    /// The newest readings in keys, 0 for none, oldest at `count`.
    private let keys: SampleBuffer<Double>
    private var count = 0
    /// A sine of each rate from its beginning on, hop by hop.
    private let sines: SampleBuffer<Double>
    private let hopSeconds: Double

    /// Seconds of readings that are looked at: a period of the slowest vibrato.
    private static var longest: Double { @_noLocks get { 0.25 } }
    /// Rates of a vibrato in hertz: singers and players sway 4 to 8 times a second.
    private static var slowest: Double { @_noLocks get { 4 } }
    private static var rateStep: Double { @_noLocks get { 0.5 } }
    private static var rates: Int { @_noLocks get { 9 } }
    /// Seconds that a slur may take from pitch to pitch, with the windows of the readings.
    private static var slowestStep: Double { @_noLocks get { 0.08 } }
    private static var stepLengths: Int { @_noLocks get { 4 } }
    /// Keys by which readings scatter at least.
    private static var scatter: Double { @_noLocks get { 0.03 } }
    /// Fewer readings tell nothing.
    private static var fewest: Int { @_noLocks get { 10 } }

    init(hopSeconds: Double) {
        self.hopSeconds = hopSeconds
        keys = SampleBuffer(count: max(Self.fewest, Int(Self.longest / hopSeconds)))
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
    @_noLocks func swing(within seconds: Double) -> Swing {
        var swing = Swing()
        let length = length(seconds)
        var rest = Sums()
        for n in 0..<length where reading(n, of: length) > 0 { rest.add(0, reading(n, of: length)) }
        guard Int(rest.count) >= Self.fewest else { return swing }
        let step = leastStep(length)
        var least = Double.infinity
        for rate in 0..<Self.rates {
            let sine = rate * 2 * keys.count
            let period = Int(1 / ((Self.slowest + Self.rateStep * Double(rate)) * hopSeconds))
            // What begins a period or more before the first reading is the same again.
            for begin in (1 - min(period, keys.count))..<(length - period / 4) {
                var sums = Sums()
                for n in 0..<length {
                    let key = reading(n, of: length)
                    if key > 0 { sums.add(n < begin ? 0 : sines.unsafeElements[sine + n - begin], key) }
                }
                guard sums.residual < least else { continue }
                least = sums.residual
                (swing.center, swing.depth) = (sums.offset, abs(sums.slope))
            }
        }
        let noise = Self.scatter * Self.scatter * rest.count
        swing.odds = 0.5 * rt_log((step + noise) / (least + noise))
        return swing
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

    /// The squares that the best step leaves.
    @_noLocks private func leastStep(_ length: Int) -> Double {
        var least = Double.infinity
        for index in 0..<Self.stepLengths {
            let steps = max(1, Self.slowestStep / hopSeconds * Double(index) / Double(Self.stepLengths - 1))
            for begin in 0..<length - 1 {
                var sums = Sums()
                for n in 0..<length {
                    let key = reading(n, of: length)
                    if key > 0 { sums.add(min(1, max(0, Double(n - begin) / steps)), key) }
                }
                least = min(least, sums.residual)
            }
        }
        return least
    }

    /// Reading `n` of the newest `length`, oldest first.
    @_noLocks private func reading(_ n: Int, of length: Int) -> Double {
        keys.unsafeElements[(count - length + n) % keys.count]
    }
}

/// The sums of a straight line through points.
private struct Sums: BitwiseCopyable {
    private(set) var count = 0.0
    private var x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, origin = 0.0

    @_noLocks init() {}

    @_noLocks mutating func add(_ x: Double, _ key: Double) {
        // Beside the first key, so that squares of small differences are not lost.
        if count == 0 { origin = key }
        let y = key - origin
        count += 1
        (self.x, self.y) = (self.x + x, self.y + y)
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
    }

    private var spread: Double { @_noLocks get { xx - x * x / count } }
    var slope: Double { @_noLocks get { spread > 1e-9 ? (xy - x * y / count) / spread : 0 } }
    var offset: Double { @_noLocks get { origin + (y - slope * x) / count } }
    var residual: Double {
        @_noLocks get { max(0, yy - y * y / count - slope * (xy - x * y / count)) }
    }
}
