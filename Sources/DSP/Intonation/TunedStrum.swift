package import Music
internal import Strum

/// A strum with names: what each string is tuned to, and how far off it is.
package struct TunedStrum: Sendable {
    /// When its first string was struck, from the start of the stream.
    package let time: Duration
    /// The length of sound that the measurement rests on.
    package let window: Duration
    /// Whether several strings sound. Otherwise it is a single note, or another sound.
    package let isStrum: Bool
    /// Whether no longer window follows.
    package let isFinal: Bool
    /// Whether it was measured in a window that may begin after the picks. The first ones are for a player who waits; where the
    /// next sound has cut a strum short before, as in an arpeggio, they tell nothing.
    package var isMeasured: Bool { window >= Self.shortestMeasured }
    /// Between the first two windows, 0.25 s, and the third, 0.35 s.
    private static let shortestMeasured = Duration.milliseconds(300)
    /// All strings, in the order of the tuning. Of two strings of one pitch the flatter one comes first: which is which
    /// cannot be heard.
    package private(set) var strings: [TunedString]
    /// Up to where a string is in tune.
    package let tolerance: Cents
    /// The tuning that the strings are in, if an engine has told.
    package private(set) var tuning: StringTuning?
    /// Whether several notes sound that are no strum of the strings.
    package private(set) var hasOtherNotes = false

    /// Names the strings of a strum.
    ///
    /// - Parameters:
    ///   - heard: what the engine for `strings` found.
    ///   - clock: that of the stream, by which frequencies and times are corrected.
    ///   - finder: the player's tuning. It may have moved a little since the engine was made.
    ///   - tolerance: up to where a string is in tune.
    ///   - isExpected: whether the player said that strums come. Then several strings at once are a strum even where they
    ///     make up the harmonics of a single note, as those of some open tunings do.
    /// - Returns: `nil` if the picture or the finder belongs to other strings.
    package init?(
        _ heard: HeardStrum, of strings: StrummedStrings, clock: SampleClock, finder: NoteFinder,
        tolerance: Cents = TuningVerdict.usualTolerance, isExpected: Bool = false
    ) {
        let order = strings.order(of: heard.picture.tuning)
        guard heard.count == order.count, finder.strings?.strings.count == heard.count else { return nil }
        var finder = finder
        finder.strings = strings.tuning(heard.picture.tuning)
        var found: [TunedString] = []
        for (index, position) in order.enumerated() {
            let reading = heard.readings[index]
            guard
                let string = TunedString(
                    position, at: reading.frequency * clock.error.ratio, isHeard: reading.isHeard,
                    standardError: reading.standardError, inharmonicity: reading.inharmonicity, level: reading.level,
                    finder: finder)
            else { return nil }
            found.append(string)
        }
        self.init(
            time: clock.time(ofFrame: heard.frame), window: clock.time(ofFrame: Int64(heard.picture.window)),
            isStrum: heard.picture.isStrum || isExpected && heard.hasSeveralStrings, isFinal: heard.picture.isFinal,
            strings: found, tolerance: tolerance)
        tuning = finder.strings
        hasOtherNotes = !isStrum && heard.hasOtherNotes
    }

    /// A strum of these strings.
    package init(
        time: Duration, window: Duration, isStrum: Bool = true, isFinal: Bool = false, strings: [TunedString],
        tolerance: Cents = TuningVerdict.usualTolerance
    ) {
        (self.time, self.window, self.isStrum, self.isFinal) = (time, window, isStrum, isFinal)
        (self.strings, self.tolerance) = (Self.ordered(strings), tolerance)
        judge()
    }

    /// The same strum by other rules; `nil` if these are for other strings.
    package func renamed(by finder: NoteFinder) -> TunedStrum? {
        guard finder.strings?.strings.count == strings.count else { return nil }
        var renamed = self
        for index in strings.indices {
            let old = strings[index].pitch
            guard let pitch = finder.pitch(ofString: strings[index].position, at: old.frequency), pitch.note == old.note
            else { return nil }
            renamed.strings[index].pitch = pitch
        }
        renamed.judge()
        return renamed
    }

    private mutating func judge() {
        for index in strings.indices where strings[index].isHeard {
            strings[index].verdict = TuningVerdict(strings[index].pitch.deviation, tolerance: tolerance)
        }
    }

    /// The strings in the order of the tuning. Those of one pitch, by rising frequency, share out its positions.
    private static func ordered(_ strings: [TunedString]) -> [TunedString] {
        let byPitch = strings.sorted {
            ($0.pitch.note, $0.pitch.frequency, $0.position) < ($1.pitch.note, $1.pitch.frequency, $1.position)
        }
        let places = strings.sorted { ($0.pitch.note, $0.position) < ($1.pitch.note, $1.position) }
        return zip(byPitch, places).map { string, place in
            var moved = string
            moved.pitch = string.pitch.moved(toString: place.position, ofCourse: place.course)
            return moved
        }.sorted { $0.position < $1.position }
    }
}

/// What a strum tells of a string, with names.
package struct TunedString: Sendable {
    /// Its note, and how far off it is. Without meaning, but for note and target, where the string is not heard.
    package fileprivate(set) var pitch: TunedNote.Pitch
    /// Whether it is in the sound.
    package let isHeard: Bool
    /// The standard error of the deviation.
    package let standardError: Cents
    /// The inharmonicity coefficient B.
    package let inharmonicity: Double
    package let level: Decibels
    /// Whether it is in tune, or which way it is off; `nil` if it is not heard.
    package fileprivate(set) var verdict: TuningVerdict?

    /// Its position in the instrument's tuning.
    package var position: Int { pitch.string ?? 0 }
    /// The number that players give to its course.
    package var course: Int { pitch.course ?? 0 }

    /// A string at a position in the player's tuning; `nil` if there is no such string.
    package init?(
        _ position: Int, at frequency: Hertz, isHeard: Bool, standardError: Cents, inharmonicity: Double,
        level: Decibels, finder: NoteFinder
    ) {
        guard let pitch = finder.pitch(ofString: position, at: frequency) else { return nil }
        self.pitch = pitch
        (self.isHeard, self.standardError) = (isHeard, standardError)
        (self.inharmonicity, self.level) = (inharmonicity, level)
    }
}

extension TunedNote.Pitch {
    /// The same pitch on another string of the same note.
    fileprivate func moved(toString position: Int, ofCourse course: Int) -> TunedNote.Pitch {
        TunedNote.Pitch(
            note: note, name: name, octave: octave, label: label, concert: concert, deviation: deviation,
            frequency: frequency, target: target, string: position, course: course)
    }
}
