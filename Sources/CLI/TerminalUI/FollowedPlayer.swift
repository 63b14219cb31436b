package import Music
package import Rhythm
package import Timebase

/// What a metronome that follows says of its player.
package struct FollowedPlayer: Sendable, Equatable {
    private let state: BeatFollower.State

    package init(_ state: BeatFollower.State = .waiting(notes: 4)) { self.state = state }

    /// The words of the state, the longest first; empty while it follows.
    var words: [String] {
        switch state {
        case .waiting(4): ["play, tap or clap four even beats", "four even beats start"]
        case .waiting(let notes): ["\(notes) more", "\(notes) more"]
        case .following: []
        case .alone(let beats): ["alone for \(beats) beats", "alone \(beats)"]
        }
    }
}

/// The beats of a metronome that follows, as lines.
package struct FollowedBeatFormat: Sendable {
    private let sampleRate: Double

    package init(sampleRate: Hertz) { self.sampleRate = sampleRate.value }

    /// A beat as a line for people.
    package func line(_ beat: FollowedBeat, _ stroke: BeatEvent) -> String {
        let tempo = fixedPoint(beat.beatsPerMinute, decimals: 1)
        let place = "bar \(stroke.bar)  beat \(stroke.beat)/\(stroke.beatsInBar)"
        let player = late(beat).map { PlayingSummary.direction(.seconds($0 / 1_000)) } ?? "no note"
        return padded(fixedPoint(beat.click / sampleRate, decimals: 3), to: 9) + "  \(place)  \(tempo) BPM  \(player)"
    }

    /// A beat as a JSON object.
    package func json(_ beat: FollowedBeat, _ stroke: BeatEvent) -> String {
        JSON.object([
            ("time_s", JSON.fixed(beat.click / sampleRate, decimals: 6)), ("bar", "\(stroke.bar)"),
            ("beat", "\(stroke.beat)"), ("beats_in_bar", "\(stroke.beatsInBar)"),
            ("bpm", JSON.fixed(beat.beatsPerMinute, decimals: 3)), ("late_ms", JSON.fixed(late(beat), decimals: 3)),
            ("silent_beats", "\(beat.silentBeats)"),
        ])
    }

    /// How much later than the click the player was, in milliseconds.
    private func late(_ beat: FollowedBeat) -> Double? {
        beat.note.map { ($0 - beat.click) / sampleRate * 1_000 }
    }
}
