internal import Music
public import Timebase

/// A recorded click: mono samples at the rate of the stream, one recording for each level, or one for each word of a count.
///
/// The recordings are scaled together: their balance stays, and the loudest has the peak of a synthesised accent wherever
/// between two samples it is played.
public struct RecordedClick: Sendable, Hashable {
    /// A word of a count.
    package struct Word: Sendable, Hashable {
        package let samples: [Float]
        /// The sample that lies on the beat.
        package let instant: Int
    }

    /// What it is called, such as the name of its file.
    public let name: String
    private let recordings: [AccentLevel: [Float]]
    /// The words by their `CountWord.index`; empty unless it is a count.
    package let words: [Word?]
    /// The peak of the loudest word between its samples; `nil`: it is not known yet.
    package let wordPeak: Float?
    /// What a count plays where it says nothing.
    package let tick: ClickVoice?

    /// The longest recording that is played: 10 seconds at 192 kHz.
    public static let longest = 1_920_000

    /// One recording for all levels; normal is 6 dB and medium 3 dB below the accent.
    public init(name: String, samples: [Float]) {
        let levels = AccentLevel.audible.map { level in
            (level, samples.map { $0 * Float(level.defaultLoudness.amplitude) })
        }
        self.init(name: name, recordings: Dictionary(uniqueKeysWithValues: levels))
    }

    /// A recording for each level, cut at `longest`; a level without one has that of the next louder level. Samples that are
    /// not finite become silence.
    public init(name: String, recordings: [AccentLevel: [Float]]) {
        self.name = name
        self.recordings = recordings.mapValues(Self.playable)
        (words, wordPeak, tick) = ([], nil, nil)
    }

    /// A count: a recording for each place in the bar and each part of a beat.
    ///
    /// Beats are counted from "1" in each bar. Above 16 a number is its last digit, or ten; without a meter beats are counted in
    /// fours. Two parts of a beat are a number and "and"; three: "trip", "let"; four: "e", "and", "a"; six: "trip", "let",
    /// "and", "trip", "let". Normal is 6 dB and medium 3 dB below the accent. The loudest word peaks 3 dB below the accent of a
    /// click, since words are longer and therefore louder.
    ///
    /// A word may begin up to half a second before its beat. It fades within 10 ms before the next one begins. Where there is
    /// no word, and no time for one, `click` is played: of beats shorter than 200 ms only the first of a bar is spoken, and
    /// of parts none that are shorter than 125 ms. Only the first voice of a metronome counts; others play `click`.
    ///
    /// - Parameters:
    ///   - name: what it is called.
    ///   - words: `"1"` to `"16"`, `"and"`, `"e"`, `"a"`, `"trip"`, `"let"`: samples at the rate of the stream, cut at
    ///     `longest`, and the index of the one that lies on the beat. That should be where the word is heard, which is about
    ///     where its vowel begins. Other names are ignored.
    ///   - click: what is played instead of a word that is missing.
    /// - SeeAlso: Morton, Marcus & Frankish, "Perceptual centers (P-centers)", Psychological Review 83(5), 1976; Marcus,
    ///   "Acoustic determinants of perceptual center (P-center) location", Perception & Psychophysics 30(3), 1981.
    public init(name: String, words: [String: (samples: [Float], instant: Int)], click: ClickVoice = .tick) {
        self.init(name: name, words: words, peak: nil, click: click)
    }

    /// A count whose peak is known, which saves the time to find it.
    internal init(
        name: String, words: [String: (samples: [Float], instant: Int)], peak: Float?, click: ClickVoice = .tick
    ) {
        (self.name, wordPeak) = (name, peak)
        self.words = CountWord.names.map { name in
            words[name].map { Word(samples: Self.playable($0.samples), instant: max(0, $0.instant)) }
        }
        (recordings, tick) = ([:], click)
    }

    /// The samples of a level.
    public func samples(of level: AccentLevel) -> [Float] {
        AccentLevel.allCases.lazy.filter { $0 >= level }.compactMap { recordings[$0] }.first ?? []
    }

    private static func playable(_ samples: [Float]) -> [Float] {
        samples.prefix(longest).map { $0.isFinite ? $0 : 0 }
    }
}
