package import Music

/// What one voice of the metronome sounds like: made by calculation, or recorded.
public enum ClickSound: Sendable, Hashable {
    /// A struck thing, synthesised.
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
/// The three are scaled together, so that their balance stays and the loudest peaks where a synthesised accent does, wherever
/// between two samples it is played.
public struct RecordedClick: Sendable, Hashable {
    /// What it is called, such as the name of its file.
    public let name: String
    /// The samples of the ordinary beat, of the first beat of a group, and of the accent.
    public let normal: [Float], medium: [Float], accent: [Float]

    /// The longest recording that is played: 10 seconds at 192 kHz.
    public static let longest = 1_920_000

    /// One recording for all levels, told apart by loudness: 6 and 3 dB below the accent.
    public init(name: String, samples: [Float]) {
        self.init(
            name: name, normal: samples.map { $0 * Float((-6.0).decibels.amplitude) },
            medium: samples.map { $0 * Float((-3.0).decibels.amplitude) }, accent: samples)
    }

    /// A recording for each level; what is longer than `longest` is cut. Samples that are not finite become silence.
    public init(name: String, normal: [Float], medium: [Float], accent: [Float]) {
        func clean(_ samples: [Float]) -> [Float] { samples.prefix(Self.longest).map { $0.isFinite ? $0 : 0 } }
        self.name = name
        (self.normal, self.medium, self.accent) = (clean(normal), clean(medium), clean(accent))
    }
}

/// How loud each level is, on top of what the voice makes of it.
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
