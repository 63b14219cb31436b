package import Music

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
/// The three are scaled together: their balance stays, and the loudest has the peak of a synthesised accent wherever between
/// two samples it is played.
public struct RecordedClick: Sendable, Hashable {
    /// What it is called, such as the name of its file.
    public let name: String
    /// The samples of the ordinary beat, of the first beat of a group, and of the accent.
    public let normal: [Float], medium: [Float], accent: [Float]

    /// The longest recording that is played: 10 seconds at 192 kHz.
    public static let longest = 1_920_000

    /// One recording for all levels; normal is 6 dB and medium 3 dB below the accent.
    public init(name: String, samples: [Float]) {
        self.init(
            name: name, normal: samples.map { $0 * Float((-6.0).decibels.amplitude) },
            medium: samples.map { $0 * Float((-3.0).decibels.amplitude) }, accent: samples)
    }

    /// A recording for each level, cut at `longest`. Samples that are not finite become silence.
    public init(name: String, normal: [Float], medium: [Float], accent: [Float]) {
        func clean(_ samples: [Float]) -> [Float] { samples.prefix(Self.longest).map { $0.isFinite ? $0 : 0 } }
        self.name = name
        (self.normal, self.medium, self.accent) = (clean(normal), clean(medium), clean(accent))
    }
}

/// The gain of each level, on top of the loudness that the voice gives it.
package struct LevelGains: Sendable, Hashable {
    /// At most 0 dB each: a click never peaks above -1 dBFS.
    package var normal: Decibels, medium: Decibels, accent: Decibels
    /// The parts of a beat, on top of their level.
    package var part: Decibels

    /// Gains; those above 0 dB count as 0.
    package init(
        normal: Decibels = 0.0.decibels, medium: Decibels = 0.0.decibels, accent: Decibels = 0.0.decibels,
        part: Decibels = (-6.0).decibels
    ) {
        func limited(_ gain: Decibels) -> Decibels { gain.value > 0 || gain.value.isNaN ? 0.0.decibels : gain }
        self.normal = limited(normal)
        self.medium = limited(medium)
        self.accent = limited(accent)
        self.part = limited(part)
    }
}
