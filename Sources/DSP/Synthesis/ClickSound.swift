package import Music
package import Timebase

/// The sound of one voice of the metronome: synthesised or recorded.
public enum ClickSound: Sendable, Hashable {
    /// A synthesised percussion instrument.
    case voice(ClickVoice)
    /// A recording for each level, or for each word of a count.
    case recorded(RecordedClick)

    /// What it is called.
    public var name: String {
        switch self {
        case .voice(let voice): voice.name
        case .recorded(let click): click.name
        }
    }

    /// The names of the sounds that come with the toolkit: its voices, and the spoken count.
    package static var names: [String] { ClickVoice.all.map(\.name) + [RecordedClick.countName] }

    /// The sound of that name, if there is one, for a stream of this rate.
    package static func named(_ name: String, sampleRate: Hertz) -> ClickSound? {
        if name == RecordedClick.countName { return .recorded(.englishCount(sampleRate: sampleRate)) }
        return ClickVoice.named(name).map(ClickSound.voice)
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
