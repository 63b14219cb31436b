/// Watches for a stretch of zeros in the midst of sound, as the audio layer puts it in the place of a lost capture period.
///
/// Both of its ends are leaps, which are no picks. Where sound breaks off, zeros wait until it is known what they are: those of
/// a stretch that is not over within a tenth of a second are silence, as are those that sound fades to.
struct LostStretch: BitwiseCopyable, Sendable {
    private let shortest: Int
    private let longest: Int
    /// What the size and the peak fall to with each sample.
    private let sizeFall: Float
    private let peakFall: Float
    /// How many zeros wait: `longest` in silence, which the stream follows on.
    private var zeros: Int
    /// The largest of the newest samples of the sound, and of the last ones.
    private var size: Float = 0
    private var peak: Float = 0
    /// How many samples there have been.
    private var frame: Int64 = 0
    /// Where the newest stretch lies that is over, before all sound at first: its first sample and the first one after it.
    private var begin = Int64.min
    private(set) var end = Int64.min

    /// What the newest sample tells.
    enum Finding {
        /// It is one of the sound, or of silence.
        case sound
        /// It is a zero that waits.
        case wait
        /// It is one of the sound or of silence, as are so many zeros before it that have waited.
        case soundAfter(zeros: Int)
        /// It is the first one of the sound after a stretch.
        case soundAfterLoss
    }

    init(sampleRate: Double) {
        shortest = Int(shortestLoss * sampleRate)
        longest = Int(longestLoss * sampleRate)
        sizeFall = 1 - Float(1 / (sizeTime * sampleRate))
        peakFall = 1 - Float(1 / (peakTime * sampleRate))
        zeros = longest
    }

    @_noLocks mutating func reset() {
        (zeros, size, peak) = (longest, 0, 0)
        (frame, begin, end) = (0, .min, .min)
    }

    /// Takes in one sample.
    @inline(__always) @_noLocks mutating func process(_ sample: Float) -> Finding {
        frame += 1
        if sample != 0 {
            size = max(abs(sample), sizeFall * size)
            peak = max(abs(sample), peakFall * peak)
            return zeros == 0 ? .sound : resume()
        }
        if zeros == 0 && size < max(quiet, leastLeap * peak) { zeros = longest }
        if zeros == longest { return .sound }
        zeros += 1
        return zeros == longest ? .soundAfter(zeros: longest - 1) : .wait
    }

    @_noLocks private mutating func resume() -> Finding {
        let count = zeros
        zeros = 0
        if count == longest { return .sound }
        if count < shortest { return .soundAfter(zeros: count) }
        end = frame - 1
        begin = end - Int64(count)
        return .soundAfterLoss
    }

    /// Whether the newest samples are zeros that wait, and some of them come before a sample.
    @_noLocks func isOpen(before last: Int64) -> Bool {
        zeros >= shortest && zeros < longest && frame - Int64(zeros) < last
    }

    /// Whether the newest stretch that is over has some of the samples from `first` to before `last`.
    @_noLocks func touches(_ first: Int64, _ last: Int64) -> Bool { first < end && last > begin }
}

/// Seconds. The shortest period of a sound card is longer, and no sound above silence is zero for so long.
private var shortestLoss: Double { 0.001 }
/// Of the peak: where less is left, the sound has faded. Half a cosine that falls to zero in 5 ms leaves less, and a line that does
/// in 13 ms; a sine from 40 Hz on that breaks off leaves more at any phase.
private var leastLeap: Float { @_noLocks get { 0.015 } }
/// Of full scale: one step of 16 bits is no leap, two are.
private var quiet: Float { @_noLocks get { 5e-5 } }
/// Seconds in which the size is forgotten, and the peak.
private var sizeTime: Double { 0.000_5 }
private var peakTime: Double { 0.05 }
/// Seconds: a few periods. What follows on a longer pause is a new sound.
private var longestLoss: Double { 0.1 }
