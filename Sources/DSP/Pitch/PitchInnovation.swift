internal import CRealtime

/// What successive fits of the short window tell of the noise in them and of the pitch's motion.
///
/// White noise alone makes fits differ by as much as their bound says. Real partials wander by themselves: a single fit
/// does not show that, but the next ones do. All values are relative to the frequency, squares unless said otherwise,
/// and exponential means over the memory.
struct PitchInnovation: BitwiseCopyable {
    /// Seconds that the means go back, and the mean of the last few differences.
    private let memory: Double
    private let recently: Double
    private let lagMemory: Double
    /// How many times what white noise explains a mean must be before the rest counts. A mean over 0.15 s holds seven
    /// independent fits; it exceeds 2.5 in one case of 70.
    private static var chance: Double { @_noLocks get { 2.5 } }

    /// The mean of short window less long window, not squared.
    private(set) var offset = 0.0
    /// The same over `lagMemory`, its mean square, what the bound expects of that, and the share of the last difference.
    private var glide = 0.0
    private var glideSquare = 0.0
    private var glideBound = 0.0
    private var glideNews = 1.0
    /// What the bound expects of the mean square of short window less long window.
    private var differenceBound = 0.0
    /// The variance of one fit of the short window as the second difference tells it, and as the bound does.
    private(set) var roughness = 0.0
    private var roughnessBound = 0.0
    /// The mean of short window less long window over `recently`, its mean square, and what the bound expects of that.
    private var recent = 0.0
    private var wobbleSquare = 0.0
    private var wobbleBound = 0.0
    private var differences = 0
    /// The share of a fit's noise that the offset keeps.
    private var offsetShare = 1.0
    private var changes = 0
    /// The share of the last difference in the means.
    private var news = 1.0
    /// The last two fits, `spacing` apart.
    private var last = 0.0
    private var lastButOne = 0.0
    private var count = 0
    /// Seconds.
    private var spacing = 0.0

    @_noLocks init(_ constants: PitchConstants) {
        (memory, recently, lagMemory) = (constants.innovationMemory, constants.wobbleMemory, constants.lagMemory)
    }

    /// Takes in a fit of the short window.
    ///
    /// - Parameters:
    ///   - bound: its relative variance by white noise alone.
    ///   - elapsed: seconds since the fit before.
    ///   - window: seconds that the fit rests on.
    @_noLocks mutating func add(_ fundamental: Double, bound: Double, after elapsed: Double, window: Double) {
        // Steps may differ by a sample; half as much again is another spacing.
        if abs(elapsed - spacing) > 0.3 * spacing { (count, spacing) = (0, elapsed) }
        if count >= 2 {
            changes += 1
            let news = max(1 / Double(changes), min(1, elapsed / memory))
            let bend = (fundamental - 2 * last + lastButOne) / fundamental
            let apart = elapsed / window
            // What the second difference of fits that overlap has of the variance of one.
            let scale = 6 - 8 * Self.likeness(apart) + 2 * Self.likeness(2 * apart)
            roughness += news * (bend * bend / scale - roughness)
            roughnessBound += news * (bound - roughnessBound)
        }
        count += 1
        (lastButOne, last) = (last, fundamental)
    }

    /// Takes in by how much the short window lies above the long one.
    ///
    /// - Parameters:
    ///   - bound: the relative variance of the short window's fit by white noise alone.
    ///   - elapsed: seconds since the last time.
    ///   - window: seconds that the short window is long.
    @_noLocks mutating func add(difference d: Double, bound: Double, after elapsed: Double, window: Double) {
        differences += 1
        news = max(1 / Double(differences), min(1, elapsed / memory))
        offset += news * (d - offset)
        differenceBound += news * (bound - differenceBound)
        glideNews = max(1 / Double(differences), min(1, elapsed / lagMemory))
        glide += glideNews * (d - glide)
        glideSquare += glideNews * (d * d - glideSquare)
        glideBound += glideNews * (bound - glideBound)
        let first = 1 / Double(differences)
        offsetShare = max(first, Self.noiseShare(age: memory, spacing: elapsed, window: window))
        let newest = min(1, elapsed / recently)
        recent += max(first, newest) * (d - recent)
        let age = (1 - newest) / newest * elapsed
        let share = max(first, Self.noiseShare(age: age, spacing: elapsed, window: window))
        wobbleSquare += news * (recent * recent - wobbleSquare)
        wobbleBound += news * (share * bound - wobbleBound)
    }

    /// Forgets how long and short window differed: the long one begins anew.
    @_noLocks mutating func forgetDifference() {
        (offset, differenceBound, differences, news) = (0, 0, 0, 1)
        (recent, wobbleSquare, wobbleBound) = (0, 0, 0)
        (glide, glideSquare, glideBound, glideNews) = (0, 0, 0, 1)
    }

    /// Begins with the wobble that was seen before the long window was there.
    @_noLocks mutating func expect(wobble square: Double) { wobbleSquare = max(wobbleSquare, square) }

    /// How far the long window lags behind the pitch, as far as that is sure.
    ///
    /// Four standard errors of white noise over at least four differences, fewer of which tell no scatter: steady tones stay at
    /// the bound. Beyond that the share of the mean that its own scatter leaves, as James and Stein shrink a mean.
    var lag: Double {
        @_noLocks get {
            let square = glide * glide
            guard differences >= 4, square > 16 * glideBound * glideNews else { return 0 }
            // Successive fits overlap by half: the mean's variance, half of the share times theirs otherwise, is twice that.
            let variance = max(0, glideSquare - square) * glideNews
            return glide * max(0, 1 - 4 * variance / square)
        }
    }

    /// What white noise does not explain of the fits' roughness: partials that wander by themselves.
    var wander: Double { @_noLocks get { max(0, roughness - Self.chance * roughnessBound) } }

    /// How far the pitch wobbles about what the long window says, beyond white noise, squared.
    ///
    /// A single fit of the short window is too noisy to show it. The mean of the last few has a seventh of its variance,
    /// and keeps all motion of a hand or a bow.
    var wobble: Double { @_noLocks get { max(0, wobbleSquare - Self.chance * wobbleBound) } }

    /// The square of what the long window lags behind, or the short one is off by, beyond white noise.
    ///
    /// One square, and not a mean of them: 6.6 times what is expected is exceeded in one case of a hundred.
    var bias: Double {
        @_noLocks get {
            let (square, expected) = (offset * offset, offsetShare * differenceBound)
            return square > 6.6 * expected ? square - expected : 0
        }
    }

    /// The share of the variance of a fit by white noise that an exponential mean of fits keeps.
    ///
    /// With s the share of the newest fit and a the distance of two fits in windows, whose correlation is 1 - 3a + 2a³:
    ///
    ///     s / (2 - s) (1 + 2 Σ_{k ≥ 1} (1 - s)^k (1 - 3 k a + 2 (k a)³))
    ///
    /// - Parameters:
    ///   - age: the mean age of the fits in the mean, in seconds: (1 - s) / s times the spacing.
    ///   - spacing: seconds from one fit to the next.
    ///   - window: seconds that a fit rests on.
    /// - Complexity: one term for each fit within a window.
    @_noLocks static func noiseShare(age: Double, spacing: Double, window: Double) -> Double {
        let s = spacing / (age + spacing)
        let apart = spacing / window
        var (sum, weight, lag) = (1.0, 1 - s, apart)
        while lag < 1 {
            sum += 2 * weight * likeness(lag)
            weight *= 1 - s
            lag += apart
        }
        return s / (2 - s) * sum
    }

    /// The correlation of two fits whose windows lie `apart` of their length from each other.
    ///
    /// A fit weighs the phase by the time from its middle: the autocorrelation of a straight line.
    @_noLocks private static func likeness(_ apart: Double) -> Double {
        apart < 1 ? 1 - 3 * apart + 2 * apart * apart * apart : 0
    }
}
