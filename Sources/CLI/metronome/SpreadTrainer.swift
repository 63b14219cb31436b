internal import Music
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// Decides by the spread of the notes whether a section is repeated, or a tempo raised: `--until`.
struct SpreadTrainer {
    /// What the spread has to be below.
    let limit: Duration
    private var round = PlayingReport()
    private var rounds = 0
    /// The bar at which the tempo was reached that is trained, and that tempo.
    private var first: (bar: Int64, tempo: Double)?
    /// When the last bar before the next tempo is judged, in seconds.
    private(set) var decision: Double?

    /// Four notes have a spread that is worth judging, to 40 %.
    private static let fewest = 4
    /// The last note of a section is known by then: a third of its beat, and 0.2 s at the most.
    private static let patience = (share: 1.0 / 3, most: 0.2)

    init(limit: Duration) { self.limit = limit }

    struct Verdict {
        var isWithin: Bool
        var words: String
    }

    mutating func hear(_ notes: [PlayedNote]) { for note in notes { round.add(note) } }

    /// Follows the beats: where a tempo begins, and when its last beat is judged.
    mutating func follow(_ beat: BeatEvent, at place: BeatPlace, heardAt seconds: Double) {
        guard !place.isCountIn else { return }
        if first?.tempo != place.tempo {
            (first, round) = ((beat.bar, place.tempo), PlayingReport())
        }
        guard place.nextStep?.beats == 1 else { return }
        decision = seconds + min(Self.patience.share * place.beatSeconds, Self.patience.most)
    }

    /// Judges the last bars before a higher tempo; returns the bar to go back to, if they were uneven.
    mutating func judgeStep() -> (verdict: Verdict, back: Int64?) {
        decision = nil
        let (verdict, bar) = (judge("the next tempo"), first?.bar)
        return (verdict, verdict.isWithin ? nil : bar)
    }

    /// Judges what was played since the last time, and begins again.
    ///
    /// - Parameter next: what follows if it was even enough.
    mutating func judge(_ next: String) -> Verdict {
        rounds += 1
        defer { round = PlayingReport() }
        let limit = PlayingSummary.milliseconds(limit)
        guard let timing = round.timing, timing.count >= Self.fewest, let spread = timing.spread else {
            return Verdict(isWithin: false, words: "round \(rounds): too few notes to tell their spread, once more")
        }
        let text = "round \(rounds): spread \(PlayingSummary.milliseconds(spread))"
        guard spread < self.limit else {
            return Verdict(isWithin: false, words: "\(text), not below \(limit) yet: once more")
        }
        return Verdict(isWithin: true, words: "\(text), below \(limit): \(next)")
    }
}
