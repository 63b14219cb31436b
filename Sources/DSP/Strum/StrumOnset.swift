/// Finds where a strum begins, and where its last string is struck.
///
/// It watches the power of the samples' differences, in which a pick stands out over strings that ring, in steps of 5 ms.
struct StrumOnset: BitwiseCopyable, Sendable {
    private let stepLength: Int
    private var filled = 0
    private var sum = 0.0
    private var last: Float = 0
    private var recent = SIMD4<Double>(repeating: quiet)
    /// The power of the step with which the newest strum began.
    private var firstPower = 0.0
    private var frame: Int64 = 0
    /// The sample at which the newest strum begins, and the one at which its newest string was struck; -1 before the first.
    private(set) var first: Int64 = -1
    private(set) var latest: Int64 = -1

    init(sampleRate: Double) { stepLength = Int(0.005 * sampleRate) }

    /// Takes in one sample, and returns whether a strum begins with the step that it ends.
    @inline(__always) @_noLocks mutating func process(_ sample: Float) -> Bool {
        let difference = Double(sample - last)
        last = sample
        sum += difference * difference
        filled += 1
        frame += 1
        return filled == stepLength ? endStep() : false
    }

    @_noLocks mutating func reset() {
        (filled, sum, last, frame, first, latest) = (0, 0, 0, 0, -1, -1)
        recent = SIMD4(repeating: quiet)
    }

    @_noLocks private mutating func endStep() -> Bool {
        let power = sum / Double(stepLength)
        let before = recent.max()
        recent = SIMD4(power, recent[0], recent[1], recent[2])
        (filled, sum) = (0, 0)
        let start = frame - Int64(stepLength)
        guard power > gate else { return false }
        let spread = Int64(longestStrum * 200) * Int64(stepLength)
        // What begins far louder than the last sound began is what was meant: that was a noise.
        let isLouder = power > firstRise * before && power > 20 * firstPower
        if first >= 0 && start - first < spread && !isLouder {
            if power > laterRise * before { latest = start }
            return false
        }
        guard power > firstRise * before else { return false }
        (first, latest, firstPower) = (start, start, power)
        return true
    }
}

/// Of full scale: the differences of a 100 Hz tone at -55 dB.
private var gate: Double { @_noLocks get { 1e-9 } }
/// An attack over strings that ring. Measured by `PitchTracker`'s detector: less takes the beating of strings for attacks.
private var firstRise: Double { @_noLocks get { 8.0 } }
/// The same within a strum, where the strings before it still sound.
private var laterRise: Double { @_noLocks get { 2.0 } }
/// Seconds from the first string to the last.
private var longestStrum: Double { @_noLocks get { 0.25 } }
/// What is taken to have come before the stream: a strum that begins with it stands out, hiss does not.
private var quiet: Double { @_noLocks get { 1e-7 } }
