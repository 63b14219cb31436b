internal import Transport

/// What plays, as it travels, and the score that belongs to it.
struct StageMessage: Encodable, Equatable, Sendable {
    struct Part: Encodable, Equatable, Sendable { let label: String, bar: Int64 }

    /// Bars of a score in the order of playing: `[first, count]`, counted from 1; no count: without end.
    struct Order: Encodable, Equatable, Sendable {
        /// The score whose bars these are; `nil`: that of any which is shown.
        let score: String?
        let runs: [[Int64]]
        /// The run with which it begins again after the last.
        let again: Int?
    }

    let type = "stage"
    let title: String
    /// Where the labelled parts begin: a label, and a bar in playing order, from 1.
    let parts: [Part]
    /// The entry of the set list of the command line that plays, from 0.
    let entry: Int
    /// The song of a kept set list that was chosen last.
    let song: String?
    /// The score to show.
    let score: String?
    /// The entry of the set list of the command line, where the folder has no score of it.
    let missing: String?
    let order: Order?

    /// More runs than this are no repeats of a score that somebody plays.
    private static let mostRuns = 4_096

    /// - Parameters:
    ///   - own: the score of the name of what plays.
    ///   - chosen: a song of a kept set list.
    ///   - isListed: whether all scores of the folder are known.
    init(_ stage: PlayStage, own: String?, chosen: StoredSong?, isListed: Bool) {
        (title, entry) = (stage.title, stage.entry)
        parts = stage.parts.prefix(Self.mostRuns).map { Part(label: $0.label, bar: $0.bar) }
        (song, score) = (chosen?.id, chosen?.score ?? own)
        missing = isListed && score == nil && !stage.entries.isEmpty ? stage.piece : nil
        order =
            stage.order.isEmpty
            ? nil
            : Order(
                score: own, runs: stage.order.prefix(Self.mostRuns).map { [$0.first] + ($0.count.map { [$0] } ?? []) },
                again: stage.again)
    }
}
