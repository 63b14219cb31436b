internal import Rhythm

/// An onset whose note is not known yet.
internal struct PendingNote: BitwiseCopyable {
    /// The onset's number; -1 for none.
    var onset = -1
    /// Where it is, in samples, and its strength in nepers.
    var frame = 0.0, strength = 0.0
    /// Whether its time is known to the millisecond.
    var isSharp = false
    var votes = PitchVotes()
    /// What has come in since the onset, as far as it was looked at.
    var fresh = FreshPitch.Result()
    /// How often it was.
    var looks = 0
    /// The note that is shown for it.
    var shown = ShownNote()
    /// The lowest level of the 60 ms and the highest of the 300 ms before, and the highest since, in decibels.
    var lowest = 0.0, highest = 0.0, loudest = LevelTrack.none
    /// The highest level of the two longest periods of a note before the onset, in decibels.
    var near = 0.0
    /// Where the level was lowest between the note before and this one, in samples; minus infinity where it did not dip.
    var trough = -Double.infinity
    /// By how many decibels the level rose within `swellTime` before.
    var swell = 0.0
    /// By how many nepers the harmonics of the note before move more since the onset than before it, see `ToneBreak`; `nil`
    /// where that is not known. And whether it was looked at.
    var breaking: Double?
    var isBreakLookedAt = false

    /// How loud the note that sounds has been at most, and by how many decibels it has fallen at most.
    var crest = 0.0, fall = 0.0

    /// By how many decibels the level of the note that sounds rose of itself, as that of a choir does, whose voices beat.
    var sway = 0.0

    /// Seconds at the beginning of a note in which its own attack rises: the slowest of bows and choirs.
    private static var attack: Double { @_noLocks get { 0.15 } }
    /// Seconds before an onset is told that may belong to it: a trough, and what it is late.
    private static var approach: Double { @_noLocks get { 0.06 } }
    /// Seconds: as long as a rise is looked at afterwards.
    private static var swellTime: Double { @_noLocks get { 0.08 } }
    /// Seconds before an onset is told in which it may have begun.
    private static var recent: Double { @_noLocks get { 0.02 } }

    /// Seconds: a period of A0, the lowest key.
    private static var longestPeriod: Double { @_noLocks get { 0.036 } }

    /// Decibels by which the level of a tone that swells wavers.
    private static var wavering: Double { @_noLocks get { 1 } }

    @_noLocks init() {}

    /// - Parameters:
    ///   - age: seconds since the note that sounds began; 0 for none.
    ///   - fading: seconds for which the one before is heard under it.
    @_noLocks init(_ onset: Onset, levels: borrowing LevelTrack, age: Double, fading: Double) {
        (self.onset, frame, strength) = (onset.number, onset.frame, onset.strength)
        lowest = levels.lowest(0, levels.hops(0.06))
        highest = levels.highest(0, levels.hops(0.3))
        near = levels.highest(levels.hops(Self.recent), levels.hops(Self.recent + 2 * Self.longestPeriod))
        let (newest, oldest) = (levels.hops(Self.recent), levels.hops(Self.recent + Self.swellTime))
        swell = max(0, levels.level(newest) - levels.level(oldest))
        // A level is the mean of the time before it, at first that of the note before.
        let own = levels.hops(age - fading) - levels.mean
        crest = levels.highest(0, own)
        fall = levels.largestFall(0, own)
        sway = levels.largestRise(levels.hops(Self.approach), levels.hops(age - Self.attack))
    }

    var isActive: Bool { @_noLocks get { onset >= 0 } }

    /// The final time of the onset.
    @_noLocks mutating func refine(_ onset: Onset) {
        (frame, strength) = (onset.frame, max(strength, onset.strength))
        isSharp = onset.kind == .sharp
    }

    /// What has come in since the onset, looked at anew.
    @_noLocks mutating func hear(_ fresh: FreshPitch.Result, _ constants: SegmenterConstants) {
        votes.hear(fresh, instead: self.fresh, constants)
        self.fresh = fresh
    }

    /// Whether the level has risen above all that was before by about as much as it had fallen, or more.
    @_noLocks func isSwelling(_ constants: SegmenterConstants) -> Bool {
        fall < max(Self.wavering, loudest - crest + constants.dent)
    }

    /// Whether what is heard as an onset may be a single period of a steady note, which is longer than the windows that look for onsets:
    /// the level is no higher than it was within two such periods before.
    @_noLocks func isPulse(_ constants: SegmenterConstants) -> Bool {
        loudest < near + constants.pulse && loudest < lowest + constants.shallow
    }

    /// The evidence that the note that sounds was struck again: the onset's strength, the rise of the level, a fall where
    /// the new note is softer and the old one has ended, and whether its tone breaks off.
    @_noLocks func repeats(_ constants: SegmenterConstants) -> Double {
        let fall = max(0, highest - loudest - constants.freeFall) / constants.fallUnit
        let tone = breaking.map { min(constants.breakMost, max(-constants.breakMost, $0 - constants.broken)) } ?? 0
        return rises(constants) + fall + tone
    }

    /// The same without the fall, which is not known before the new note is as loud as it becomes.
    @_noLocks func rises(_ constants: SegmenterConstants) -> Double {
        // A swell that goes on as before is no stroke, nor is one more beat of many voices.
        strength + max(0, loudest - lowest - swell - sway) / constants.riseUnit
    }
}

/// Readings in a row that hold still.
internal struct SteadyRun: BitwiseCopyable {
    /// Readings; 0 for none.
    var count = 0
    /// The first and the newest, in samples, and the mean key.
    var first = 0.0, mean = 0.0
    /// Whether it follows at once on what was there before, without a glide between.
    var isLeap = false
    /// What has come in since it may have begun, and whether that was looked at.
    var fresh = FreshPitch.Result()
    var isLookedAt = false
    @_noLocks init() {}

    /// Adds a reading, which begins a new run where it is not `still` beside the mean.
    @_noLocks mutating func add(_ key: Double, at frame: Double, still: Double) {
        if count > 0, abs(key - mean) <= still {
            count += 1
            mean += (key - mean) / Double(min(count, 6))
            return
        }
        isLeap = count == 0
        (count, first, mean) = (1, frame, key)
        (fresh, isLookedAt) = (FreshPitch.Result(), false)
    }

    /// Whether what is new tells the same pitch, to which it is good to a third of a semitone.
    @_noLocks func isConfirmed(_ constants: SegmenterConstants) -> Bool {
        isLookedAt && fresh.newness > constants.plain && abs(fresh.key - mean) < constants.departure
    }
}
