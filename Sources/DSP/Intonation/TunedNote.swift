public import Music
public import Pitch

/// A reading with a name: the nearest note and the deviation from it.
public struct TunedNote: Sendable {
    /// The reading that was named, in true hertz.
    public let reading: PitchReading
    /// The time from the start of the stream to the end of the samples that the reading used.
    public let time: Duration
    /// What is heard; `nil` when there is no pitch.
    public private(set) var pitch: Pitch?
    /// Why there is no pitch although there is sound, or what is wrong with the sound.
    package internal(set) var condition: SoundCondition?
    /// The true rate of the frames that `reading` counts.
    let sampleRate: Hertz

    /// A pitch compared with the tuning.
    public struct Pitch: Sendable {
        /// The nearest note, at concert pitch.
        public let note: Note
        /// Its name without the octave, as written for the player's instrument.
        public let name: String
        /// The octave of that name.
        public let octave: Int
        /// Name and octave.
        public let label: String
        /// The concert note if the instrument transposes.
        public let concert: String?
        /// The deviation from that note; positive is sharp.
        public let deviation: Cents
        /// The frequency.
        public let frequency: Hertz
        /// The frequency of the note in the tuning.
        public let target: Hertz
        /// The position of the string in the instrument's tuning, if strings are tuned.
        public let string: Int?
        /// The number that players give to that string or its course: on most instruments 1 is the highest.
        public let course: Int?
    }

    /// Names a reading.
    ///
    /// - Parameters:
    ///   - sampleRate: the rate that the engine was made for.
    ///   - trueRate: the measured rate of the sound card, by which frequency and time are corrected; `nil` if unknown.
    public init(_ reading: PitchReading, sampleRate: Hertz, trueRate: Hertz? = nil, finder: NoteFinder) {
        let clock = SampleClock(nominalRate: sampleRate, trueRate: trueRate ?? sampleRate)
        self.init(reading, clock: clock, finder: finder)
    }

    /// Corrects a reading, as an engine for the clock's nominal rate returned it, and names it.
    package init(_ reading: PitchReading, clock: SampleClock, finder: NoteFinder) {
        self.reading = clock.corrected(reading)
        time = clock.time(ofFrame: reading.frame)
        sampleRate = clock.trueRate
        find(by: finder)
    }

    /// The same reading with its note found by other rules.
    public func renamed(by finder: NoteFinder) -> TunedNote {
        var note = self
        // What was found to be no note stays none.
        if pitch != nil || condition == nil || condition?.isOfStrings == true { note.find(by: finder) }
        return note
    }

    private mutating func find(by finder: NoteFinder) {
        let isVoiced = reading.state == .voiced
        pitch = isVoiced ? finder.pitch(of: reading.frequency) : nil
        let hasNoString = isVoiced && pitch == nil && finder.strings != nil
        if hasNoString {
            condition = .noString(isBelow: finder.isBelowStrings(reading.frequency))
        } else if condition?.isOfStrings == true {
            condition = nil
        }
    }

    /// Removes the pitch, for this reason.
    mutating func deny(_ reason: SoundCondition) { (pitch, condition) = (nil, reason) }
}
