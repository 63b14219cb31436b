public import Music
internal import Realtime
public import Synthesis
internal import Timebase

/// The clicks that a metronome plays, as a listener has to know them to take them out of what a microphone hears.
public struct PlayedClicks: Sendable {
    /// The samples of each click: for each voice, of each audible level, a beat and a part of a beat.
    internal let waves: [[Float]]
    /// How many frames before its instant the first sample of a wave lies.
    internal let lead: Int
    internal let layerCount: Int
    /// Whether each click lies at its exact instant, and not at the frame nearest to it.
    internal let isExact: Bool

    /// No clicks: the player wears headphones, or the recording has none.
    public static var none: PlayedClicks { PlayedClicks(waves: [], lead: 0, layerCount: 0, isExact: false) }

    /// The clicks of a metronome's voices. Each sound is of its own length, a second at most.
    ///
    /// A spoken count has other words for other beats and is not told from notes.
    /// - Parameters:
    ///   - sounds: that of the beat and of each further voice; recordings have to be at the same rate.
    ///   - sampleRate: the rate of playback and microphone.
    ///   - isExact: whether they are played at their exact instants, between two frames, and not at the nearest frame.
    public init(_ sounds: [ClickSound], sampleRate: Hertz, isExact: Bool = false) {
        var track = ClickTrack(sounds: sounds, sampleRate: sampleRate)
        let lead = track.wholeLeadFrames
        let length = min(lead + track.longestRing, lead + Int(sampleRate.value))
        var waves: [[Float]] = []
        for layer in sounds.indices {
            for level in AccentLevel.audible {
                var wave = [Float](repeating: 0, count: length)
                track.reset()
                track.strike(layer: layer, level: level, gain: 1, fraction: nil, ahead: lead)
                var span = wave.mutableSpan
                track.render(into: &span, from: 0, to: length)
                let end = wave.lastIndex { abs($0) > 1e-5 } ?? 0
                // A loudspeaker distorts a soft click less, so a part of a beat is a sound of its own.
                waves += [Array(wave[...end]), Array(wave[...end])]
            }
        }
        self.init(waves: waves, lead: lead, layerCount: sounds.count, isExact: isExact)
    }

    /// What the audio thread needs of it.
    internal struct Shape: BitwiseCopyable, Sendable {
        let layerCount: Int, lead: Int
        let isExact: Bool
    }

    internal var shape: Shape { Shape(layerCount: layerCount, lead: lead, isExact: isExact) }

    private init(waves: [[Float]], lead: Int, layerCount: Int, isExact: Bool) {
        (self.waves, self.lead, self.layerCount, self.isExact) = (waves, lead, layerCount, isExact)
    }
}

/// A click that is to be announced to the canceller.
internal struct PlannedClick: BitwiseCopyable, Sendable {
    /// Its first sample, in frames of the metronome.
    var frame: Int64 = 0
    /// How far after that frame it begins, -1/2 to 1/2 frame: 0 where clicks lie on whole frames.
    var fraction = 0.0
    /// An index into `PlayedClicks.waves`.
    var sound = 0
    /// Whether it belongs to the count-in.
    var isCountIn = false

    /// The click of a stroke, if it has one.
    @_noLocks init?(_ stroke: BeatEvent, of clicks: PlayedClicks.Shape) {
        guard stroke.sounds, stroke.layer >= 0, Int(stroke.layer) < clicks.layerCount else { return nil }
        frame = stroke.frame - Int64(clicks.lead)
        fraction = clicks.isExact ? stroke.fractionOfNearest : 0
        isCountIn = stroke.section < 0
        let levels = 3
        sound = (Int(stroke.layer) * levels + stroke.level.number - 1) * 2 + (stroke.part == 0 ? 0 : 1)
    }

    @_noLocks init() {}
}
