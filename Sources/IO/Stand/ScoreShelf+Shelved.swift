internal import Platform
internal import ScorePages

extension ScoreShelf {
    /// What the files of the folder were when it was last looked at, by path.
    struct Shelved: Sendable {
        /// A file that is no score.
        struct Failure: Sendable { let stamp: Stamp, why: LeftOut, read: MonotonicTime }

        var entries: [String: Entry] = [:]
        /// Files that are no scores, and when they were read.
        var leftOut: [String: Failure] = [:]
        /// What of the folder cannot be looked at.
        var hidden: [LeftOut] = []
        var unread = 0, coming = 0
        private(set) var isUnseen = false

        /// Before the first look: what comes is the folder.
        static var unseen: Shelved {
            var shelved = Shelved()
            (shelved.coming, shelved.isUnseen) = (1, true)
            return shelved
        }

        /// The scores, and the files that are none.
        ///
        /// - Parameter name: how a path is told.
        func list(name: (String) -> String) -> ScoreList {
            let byTitle = entries.sorted { ($0.value.title, $0.key) < ($1.value.title, $1.key) }
            // Two copies are one score, of either name.
            var (first, copies, others) = ([String: String](), [String: String](), [LeftOut]())
            let sharers = Dictionary(grouping: byTitle) { $0.value.title }.mapValues { Set($0.map(\.value.id)).count }
            let scores = byTitle.compactMap { path, entry -> ScoreName? in
                if let known = first[entry.id] {
                    copies[entry.title.lowercased()] = entry.id
                    if entries[known]?.title != entry.title { others.append(copy(name(path), of: name(known))) }
                    return nil
                }
                first[entry.id] = path
                var score = ScoreName(id: entry.id, title: entry.title, pages: entry.document.pageSizes.count)
                if sharers[entry.title, default: 1] > 1 { score.file = name(path).legible }
                return score
            }
            let failures = leftOut.sorted { $0.key < $1.key }.map(\.value.why)
            return ScoreList(
                scores: scores, leftOut: LeftOutMessage(hidden + failures + others, unread: unread, coming: coming),
                copies: copies)
        }

        /// Somebody looks for the score by this name.
        private func copy(_ name: String, of known: String) -> LeftOut {
            LeftOut(
                name, paths: [], ScorePageError(problem: "it is the same file as \"\(known)\"", remedy: "open that one")
            )
        }
    }
}
