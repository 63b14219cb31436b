package import Rhythm
internal import Timebase

/// What the metronome's display shows of the player: the notes at the beats of the bar, and the figures so far.
package struct HeardNotes: Sendable {
    /// A note on the scale of its beat.
    struct Mark: Sendable {
        /// In milliseconds, and whether it belongs to no point of the grid.
        var late: Double
        var isExtra: Bool
        /// The bar in the order of playing.
        var bar: Int64
    }

    /// The notes of each beat, those of the newest bar that has one.
    private(set) var marks: [Int32: [Mark]] = [:]
    private(set) var last: Mark?
    /// Mean, spread and tendency, the longest text first.
    private(set) var figures: [String] = ["listening"]
    private let isAbsolute: Bool

    /// - Parameter isAbsolute: whether lateness is known. If not, it is shown relative to the mean.
    package init(isAbsolute: Bool) { self.isAbsolute = isAbsolute }

    /// Shows new notes.
    package mutating func hear(_ notes: [PlayedNote], of summary: PlayingSummary) {
        for note in notes where !note.point.isCountIn {
            let beat = note.point.stroke.beat
            let mark = Mark(late: summary.late(note), isExtra: note.isExtra, bar: note.point.playedBar)
            if marks[beat]?.first?.bar != mark.bar { marks[beat] = [] }
            marks[beat]?.append(mark)
            last = mark
        }
        guard let timing = summary.report.timing else { return }
        let mean = isAbsolute ? PlayingSummary.direction(timing.mean) : ""
        let spread = timing.spread.map { "spread " + PlayingSummary.milliseconds($0) } ?? ""
        let tendency = summary.report.tendency.map { PlayingSummary.tendencyInWords($0) } ?? ""
        let most = isAbsolute ? "mean " + mean : "latency not calibrated"
        figures = [[most, spread, tendency], [mean, spread, tendency], [mean, spread], [spread]].map { parts in
            parts.filter { !$0.isEmpty }.joined(separator: "   ")
        }
    }

    /// What a note is called: `12 ms late`, or `off the beat`.
    static func words(of mark: Mark) -> String {
        mark.isExtra ? "off the beat" : PlayingSummary.direction(.seconds(mark.late / 1_000), decimals: 0)
    }

    /// The same in up to six characters.
    static func shortWords(of mark: Mark) -> String {
        mark.isExtra ? "x" : fixedPoint(mark.late, decimals: 0, signed: true)
    }
}
