internal import CRealtime
internal import Music
internal import Pitch
internal import Realtime
internal import Spectral
internal import TunerEngine

/// Hears a note that begins by a change of pitch: a bow, a breath and a finger begin many without an attack.
///
/// The pitch of the band below 3.6 kHz is read every 10.7 ms. Where it leaves the note that sounds and holds still elsewhere,
/// another note has begun: a vibrato and a glide do not hold still.
internal struct PitchChange: ~Copyable, Sendable {
    /// A note that was found.
    internal struct Note: BitwiseCopyable {
        /// How many input samples ago it began, as late as pitches are read, or better where partials of its own rise.
        var age: Double
        /// Seconds of standard error of that.
        var standardError: Double
        /// The largest share of the sound that lay at new frequencies since then.
        var strength: Float
    }

    /// Of a note's time, in seconds, as 110 of three sound fonts lie: where partials of its own rise, and elsewhere.
    private static var standardErrorOfRise: Double { @_noLocks get { 0.011 } }
    private static var standardError: Double { @_noLocks get { 0.028 } }

    /// Seconds between two readings: two of the usual hop.
    private static var hop: Double { @_noLocks get { 0.010_67 } }
    /// Seconds that a reading rests on at most.
    private static var window: Double { @_noLocks get { 0.085 } }
    /// The largest standard error of a reading that names a note, in cents.
    private static var vaguest: Double { @_noLocks get { 50 } }
    /// Semitones from a note at which a reading has left it: beyond a wide vibrato, within a step of a scale.
    private static var departure: Double { @_noLocks get { 0.65 } }
    /// The range in semitones within which a pitch holds still, after a leap and elsewhere. In the latter a vibrato of a semitone
    /// to either side, 4 times a second, stays for 63 ms where it turns; a glide that takes longer is followed.
    private static var still: Double { @_noLocks get { 0.6 } }
    private static var stillest: Double { @_noLocks get { 0.3 } }
    /// Seconds from the last reading of a note to the first of the next, where the pitch moves between them: longer is a glide.
    private static var longestMove: Double { @_noLocks get { 0.1 } }
    /// Seconds without a reading after which a note is over.
    private static var gap: Double { @_noLocks get { 0.1 } }
    /// Readings that the key of a note is the mean of, at most, and that of a new one.
    private static var mostHeld: Double { @_noLocks get { 12 } }
    private static var mostNew: Double { @_noLocks get { 6 } }
    /// Shares that are kept, one for each 8 ms, and by how many one may come before the note: its window is 43 ms long.
    private static var kept: Int { @_noLocks get { 32 } }
    private static var early: Int { @_noLocks get { 4 } }

    private let constants: OnsetConstants
    private var tracker: TunerEngine
    /// Of the band, in hertz, and the input samples for one of it.
    private let rate: Double, decimation: Double
    /// By how many semitones a pitch is higher than the tracker says, which takes no rate below 8 kHz.
    private let shift: Double
    /// The key that sounds, or -1, how many readings it is the mean of, and when the last was.
    private var key = -1.0, readings = 0.0, lastRead: Int64 = 0
    /// The readings in a row elsewhere: how many, their mean and range, and when the first was.
    private var (count, mean, first): (Double, Double, Int64) = (0, 0, 0)
    private var (lowest, highest) = (0.0, 0.0)
    /// The newest reading, and whether the pitch has leapt since it left the key: a vibrato of a semitone to either side moves by
    /// half a semitone from one reading to the next, 8 times a second.
    private var newest = -1.0, hasLeapt = false
    private var shares: SampleHistory
    private var rise: ToneRise
    /// The powers of the sound and of what clicks may have left in it, one each 2 ms, as many as the tracker's window holds.
    private var powers: SampleHistory, clicks: SampleHistory

    init(sizes: OnsetSizes, constants: OnsetConstants) throws(OnsetError) {
        self.constants = constants
        decimation = Double(sizes.decimation)
        rate = sizes.sampleRate / decimation
        let told = max(rate, 8_000)
        shift = 12 * rt_log2(rate / told)
        do throws(PitchError) {
            tracker = try TunerEngine(
                sampleRate: Hertz(told), hop: Int(rt_round(Self.hop * told)), longestWindow: .seconds(Self.window))
        } catch {
            if case .spectral(let error) = error { throw .spectral(error) }
            throw .unsupportedSampleRate(Hertz(sizes.sampleRate))
        }
        shares = SampleHistory(length: Self.kept)
        rise = ToneRise(sampleRate: Hertz(sizes.sampleRate))
        powers = SampleHistory(length: sizes.hops(Self.window))
        clicks = SampleHistory(length: sizes.hops(Self.window))
    }

    @_noLocks mutating func reset() {
        tracker.reset()
        (key, readings, lastRead, count, newest, hasLeapt) = (-1, 0, 0, 0, -1, false)
        shares.clear()
        powers.clear()
        clicks.clear()
    }

    /// How many of the newest input samples `advance` wants to see.
    var reach: Int { @_noLocks get { rise.reach } }

    /// Takes in how much of the sound lies at new frequencies.
    @_noLocks mutating func add(share: Float) {
        let room = shares.extend(by: 1)
        room[0] = share
    }

    /// Processes samples of the band. Returns a note, once it is certain.
    ///
    /// - Parameters:
    ///   - input: the newest `reach` samples of the input.
    ///   - floor: what a click canceller may have left in them.
    @_noLocks mutating func advance(
        _ samples: UnsafeMutableBufferPointer<Float>, of input: UnsafeMutableBufferPointer<Float>,
        floor: borrowing ClickFloor
    ) -> Note? {
        let (power, click) = (powers.extend(by: 1), clicks.extend(by: 1))
        (power[0], click[0]) = (0, 0)
        for n in 0..<samples.count { power[0] += samples[n] * samples[n] / Float(samples.count) }
        if !floor.isZero { for n in 0..<floor.low.count { click[0] += floor.low.unsafeElements[n] } }
        tracker.process(UnsafeBufferPointer(samples).span)
        var note: Note?
        while let reading = tracker.nextReading() {
            if let found = hear(reading, input) { note = found }
        }
        return note
    }

    /// Whether what is read may be what is left of clicks.
    private var isOfClicks: Bool {
        @_noLocks mutating get {
            let (power, click) = (powers.latest(powers.length), clicks.latest(clicks.length))
            var excess: Float = 0
            for n in 0..<power.count { excess += power[n] - constants.clickMargin * click[n] }
            return excess <= 0
        }
    }

    @_noLocks private mutating func hear(
        _ reading: PitchReading, _ input: UnsafeMutableBufferPointer<Float>
    ) -> Note? {
        guard case .voiced = reading.state, reading.frequency.value > 0, reading.standardError.value < Self.vaguest,
            !isOfClicks
        else {
            (count, newest) = (0, -1)
            if Double(reading.frame - lastRead) > Self.gap * rate { key = -1 }
            return nil
        }
        let read = KeyScale.key(reading.frequency.value) + shift
        let isLeap = newest < 0 || abs(read - newest) >= Self.departure
        newest = read
        if key >= 0, abs(read - key) < Self.departure {
            readings = min(Self.mostHeld, readings + 1)
            key += (read - key) / readings
            (lastRead, count, hasLeapt) = (reading.frame, 0, false)
            return nil
        }
        hasLeapt = hasLeapt || isLeap
        let range = max(highest, read) - min(lowest, read)
        if count > 0, range <= (hasLeapt ? Self.still : Self.stillest) {
            count = min(Self.mostNew, count + 1)
            mean += (read - mean) / count
            (lowest, highest) = (min(lowest, read), max(highest, read))
        } else {
            (count, mean, first, lowest, highest) = (1, read, reading.frame, read, read)
        }
        let isMisread = key >= 0 && KeyScale.isMisreading(mean - key)
        let needed = isMisread ? constants.heldOctave : hasLeapt ? constants.heldPitch : constants.heldStep
        let seconds = Double(reading.frame - first) / rate
        guard seconds >= Double(needed) else { return nil }
        let isNote = key >= 0 && (hasLeapt || Double(first - lastRead) < Self.longestMove * rate)
        let old = key
        (key, readings, lastRead, count, hasLeapt) = (mean, count, reading.frame, 0, false)
        guard isNote else { return nil }
        let late = seconds + Double(constants.readLate)
        let strength = largestShare(of: late)
        guard strength >= constants.pitched else { return nil }
        if let own = rise.find(input, key: mean, after: old) {
            return Note(age: Double(own), standardError: Self.standardErrorOfRise, strength: strength)
        }
        guard strength >= constants.pitchedAlone else { return nil }
        return Note(age: late * rate * decimation, standardError: Self.standardError, strength: strength)
    }

    /// Whether a tone sounds at the edge of the band of `LowForecast`, 800 to 1,175 Hz: vibrato makes it louder and softer there,
    /// which nothing foretells.
    var isAtEdge: Bool { @_noLocks get { newest > 79 && newest < 86 } }

    /// The largest share of the last seconds.
    @_noLocks private func largestShare(of seconds: Double) -> Float {
        let hop = Double(PartialChange.hops * OnsetSizes.hopLow) / rate
        let samples = shares.latest(min(Self.kept, Int(seconds / hop) + Self.early))
        var most: Float = 0
        for n in 0..<samples.count { most = max(most, samples[n]) }
        return most
    }
}
