package import Music

/// The last pitch heard and how far it has faded, so that a display does not flicker between notes.
///
/// ```swift
/// var held = HeldReading(sampleRate: 48.kilohertz)
/// held.hear(PitchReading(frame: 256, state: .voiced, level: (-20.0).decibels))
/// if let reading = held.reading { print(reading.frequency, "opacity", held.strength) }
/// ```
///
/// With a the age of the last pitch, h the hold and d the decay, all in frames,
///
///     strength = 1 while a ≤ h,   (h + d - a) / d while h < a < h + d,   0 and no reading from then on
///
/// Time is that of the sound, so the result is the same for every hop, block size and redraw rate, live and from a file.
/// A gap of a few hops is shorter than the hold and changes nothing.
///
/// A pitch that follows from what is held (within 60 cents), that an attack announced, or that comes when nothing is held
/// takes its place at once. Any other leap has to last for the `confirmation` first: octave errors and clicks of a hop or
/// two do not show.
/// - Complexity: one logarithm per voiced reading. Nothing allocates, locks or throws.
package struct HeldReading: BitwiseCopyable, Sendable {
    /// Frames during which the strength stays 1.
    package let holdFrames: Int64
    /// Frames in which the strength falls from 1 to 0 afterwards; 0: at once.
    package let decayFrames: Int64
    /// Frames that a leap without an attack has to last.
    package let confirmationFrames: Int64

    private var last: PitchReading?
    private var leap: Leap?
    private var isAnnounced = false
    private var newest = Int64.min

    /// A pitch that may become the next one.
    private struct Leap: BitwiseCopyable {
        var first: Int64
        var last: Int64
        var frequency: Hertz
        @_noLocks init(_ reading: PitchReading) {
            (first, last, frequency) = (reading.frame, reading.frame, reading.frequency)
        }
    }

    /// Nothing held yet. Times are rounded to the nearest frame; those below zero count as zero.
    ///
    /// - Parameters:
    ///   - sampleRate: of the stream that the readings count their frames in.
    ///   - hold: how long a pitch stays as it was; the default outlasts the gaps in a quiet note's readings.
    ///   - decay: how long it fades then; by default a pitch is gone 2.5 s after it was last heard, which is long enough
    ///     to look up from the tuning peg.
    ///   - confirmation: how long a leap has to last where no attack announced it; by default two hops of 5.33 ms.
    package init(
        sampleRate: Hertz, hold: Duration = .milliseconds(250), decay: Duration = .milliseconds(2_250),
        confirmation: Duration = .milliseconds(10)
    ) {
        holdFrames = Self.frames(hold, sampleRate)
        decayFrames = Self.frames(decay, sampleRate)
        confirmationFrames = Self.frames(confirmation, sampleRate)
    }

    /// The pitch on display, as it was last heard; `nil` when there was none or it has faded.
    package var reading: PitchReading? { @_noLocks get { strength > 0 ? last : nil } }

    /// How much of it is left at the newest reading, 1...0.
    package var strength: Double { @_noLocks get { strength(at: newest) } }

    /// Whether the newest reading is the one that is held: it sounds now.
    package var isSounding: Bool {
        @_noLocks get {
            guard let last else { return false }
            return last.frame == newest
        }
    }

    /// How much is left at a frame of the stream, 1...0, should nothing else be heard until then.
    @_noLocks package func strength(at frame: Int64) -> Double {
        guard let last else { return 0 }
        let age = Self.time(from: last.frame, to: frame)
        if age <= holdFrames { return 1 }
        let left = decayFrames - (age - holdFrames)
        return left > 0 ? Double(left) / Double(decayFrames) : 0
    }

    /// Takes in the next reading, whatever its state: frames must rise. One that goes back begins a new stream.
    ///
    /// - Returns: whether it is the one that is held now.
    @discardableResult
    @_noLocks package mutating func hear(_ reading: PitchReading) -> Bool {
        if reading.frame < newest { forget() }
        newest = reading.frame
        // Below 1 GHz and above 0: neither infinite nor not a number.
        guard case .voiced = reading.state, reading.frequency.value > 0, reading.frequency.value < 1e9 else {
            if case .attack = reading.state { isAnnounced = true } else { isAnnounced = false }
            if let leap, Self.time(from: leap.last, to: reading.frame) > confirmationFrames { self.leap = nil }
            return false
        }
        guard isNext(reading) || isConfirmed(reading) else { return false }
        last = reading
        leap = nil
        isAnnounced = false
        return true
    }

    /// Begins anew, with nothing held.
    @_noLocks package mutating func forget() {
        last = nil
        leap = nil
        isAnnounced = false
        newest = .min
    }

    @_noLocks private func isNext(_ reading: PitchReading) -> Bool {
        guard let last, strength > 0, !isAnnounced else { return true }
        return Self.areSame(last.frequency, reading.frequency)
    }

    @_noLocks private mutating func isConfirmed(_ reading: PitchReading) -> Bool {
        var leap = leap ?? Leap(reading)
        if !Self.areSame(leap.frequency, reading.frequency) { leap = Leap(reading) }
        (leap.last, leap.frequency) = (reading.frame, reading.frequency)
        self.leap = leap
        return Self.time(from: leap.first, to: reading.frame) >= confirmationFrames
    }

    /// Frames between two places of the stream, however far apart.
    @_noLocks private static func time(from first: Int64, to last: Int64) -> Int64 {
        let (frames, isBeyond) = last.subtractingReportingOverflow(first)
        return isBeyond ? (last < first ? .min : .max) : frames
    }

    /// 60 cents: a vibrato's whole swing or a fast glide's step, but no semitone.
    @_noLocks private static func areSame(_ one: Hertz, _ other: Hertz) -> Bool {
        abs(Cents(from: one, to: other).value) <= 60
    }

    private static func frames(_ time: Duration, _ sampleRate: Hertz) -> Int64 {
        let (seconds, attoseconds) = time.components
        let frames = (Double(seconds) + Double(attoseconds) * 1e-18) * sampleRate.value
        // A million years at 192 kHz; not a number falls out as zero.
        return frames > 0 ? Int64(min(frames, 6e18 / 2).rounded()) : 0
    }
}
