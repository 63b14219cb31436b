package import Music
public import Timebase

/// The sound of one voice of the metronome: synthesised or recorded.
public enum ClickSound: Sendable, Hashable {
    /// A synthesised percussion instrument.
    case voice(ClickVoice)
    /// A recording for each level.
    case recorded(RecordedClick)

    /// What it is called.
    public var name: String {
        switch self {
        case .voice(let voice): voice.name
        case .recorded(let click): click.name
        }
    }
}

/// A recorded click: mono samples at the rate of the stream, one recording for each level.
///
/// The recordings are scaled together: their balance stays, and the loudest has the peak of a synthesised accent wherever
/// between two samples it is played.
public struct RecordedClick: Sendable, Hashable {
    /// What it is called, such as the name of its file.
    public let name: String
    private let recordings: [AccentLevel: [Float]]

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
        self.recordings = recordings.mapValues { $0.prefix(Self.longest).map { $0.isFinite ? $0 : 0 } }
    }

    /// The samples of a level.
    public func samples(of level: AccentLevel) -> [Float] {
        AccentLevel.allCases.lazy.filter { $0 >= level }.compactMap { recordings[$0] }.first ?? []
    }
}

/// The gain of each level, on top of the loudness that the voice gives it.
package struct LevelGains: Sendable, Hashable {
    private var levels: [AccentLevel: Decibels] = [:]
    /// The parts of a beat, on top of their level.
    package var part: Decibels

    /// Gains; those above 0 dB count as 0, because a click never peaks above -1 dBFS.
    package init(_ gain: Decibels = 0.0.decibels, part: Decibels = (-6.0).decibels) {
        self.part = Self.limited(part)
        for level in AccentLevel.audible { self[level] = gain }
    }

    package subscript(level: AccentLevel) -> Decibels {
        get { levels[level] ?? 0.0.decibels }
        set { levels[level] = Self.limited(newValue) }
    }

    private static func limited(_ gain: Decibels) -> Decibels {
        gain.value > 0 || gain.value.isNaN ? 0.0.decibels : gain
    }
}
