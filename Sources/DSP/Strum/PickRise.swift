/// What the newest stretch of sound has brought; a weak attack is enough for a string of a strum that has begun.
enum Attack {
    case nothing, weakAttack, attack

    // By a pattern each: a debug build does not see that the synthesized `==` of another file takes no lock.
    var isNothing: Bool { @_noLocks get { if case .nothing = self { true } else { false } } }
    var isAttack: Bool { @_noLocks get { if case .attack = self { true } else { false } } }
}

/// Hears picks: the power of the samples' differences, in which a pick stands out over strings that ring, in steps of 5 ms.
struct PickRise: BitwiseCopyable, Sendable {
    let stepLength: Int
    private var filled = 0
    private var sum = 0.0
    private var last: Float = 0
    private var recent = SIMD4<Double>(repeating: quiet)
    /// The power of the newest step.
    private(set) var power = 0.0

    init(sampleRate: Double) { stepLength = Int(0.005 * sampleRate) }

    /// Takes in one sample, and returns whether it ends a step.
    @inline(__always) @_noLocks mutating func process(_ sample: Float) -> Bool {
        let difference = Double(sample - last)
        last = sample
        sum += difference * difference
        filled += 1
        return filled == stepLength
    }

    /// Ends a step.
    @_noLocks mutating func endStep() -> Attack {
        power = sum / Double(stepLength)
        let before = recent.max()
        recent = SIMD4(power, recent[0], recent[1], recent[2])
        (filled, sum) = (0, 0)
        guard power > gate else { return .nothing }
        return power > attackRise * before ? .attack : power > weakRise * before ? .weakAttack : .nothing
    }

    /// Goes on with the first sample after a lost stretch, which counts neither as time nor as a leap.
    @_noLocks mutating func skip(to sample: Float) { (filled, sum, last) = (0, 0, sample) }

    @_noLocks mutating func reset() {
        (filled, sum, last, power) = (0, 0, 0, 0)
        recent = SIMD4(repeating: quiet)
    }
}

/// Of full scale: the differences of a 100 Hz tone at -55 dB.
private var gate: Double { @_noLocks get { 1e-9 } }
/// An attack over strings that ring. Measured by `PitchTracker`'s detector: less takes the beating of strings for attacks.
private var attackRise: Double { @_noLocks get { 8.0 } }
/// The same within a strum, where the strings before it still sound.
private var weakRise: Double { @_noLocks get { 2.0 } }
/// What is taken to have come before the stream: a strum that begins with it stands out, hiss does not.
private var quiet: Double { @_noLocks get { 1e-7 } }
