internal import ScorePages
internal import SQLite

/// What was read of the files of scores: their content's hash, kind and page sizes.
extension StandStore {
    /// The document in a file that has not changed since it was kept; `nil`: it has, or it is new.
    ///
    /// - Parameter path: without symbolic links.
    func document(at path: String, _ stamp: ScoreShelf.Stamp, in folder: String) throws(DatabaseError) -> ScoreDocument?
    {
        var found: ScoreDocument?
        try withDatabase { database throws(DatabaseError) in
            let sql = """
                SELECT hash, kind, sizes FROM file WHERE path = ? AND bytes = ? AND seconds = ? AND nanoseconds = ?
                """
            try database.query(sql, [.text(path)] + Self.values(stamp)) { row in
                guard let kind = Self.kinds.first(where: { $0.name == row.text(1) })?.kind else { return }
                let numbers = (row.text(2) ?? "").split(separator: " ").compactMap { Double($0) }
                guard !numbers.isEmpty, numbers.count % 2 == 0, numbers.allSatisfy({ $0 > 0 && $0 < 1e6 }) else {
                    return
                }
                let sizes = stride(from: 0, to: numbers.count, by: 2).map {
                    ScoreDocument.PageSize(width: numbers[$0], height: numbers[$0 + 1])
                }
                found = ScoreDocument(
                    path: path, folder: folder, hash: row.bytes(0) ?? [], kind: kind, pageSizes: sizes)
            }
        }
        return found
    }

    /// Keeps what was read of a file.
    func keep(_ document: ScoreDocument, _ stamp: ScoreShelf.Stamp) throws(DatabaseError) {
        let kind = Self.kinds.first { $0.kind == document.kind }?.name ?? ""
        let sizes = document.pageSizes.map { "\($0.width) \($0.height)" }.joined(separator: " ")
        try withDatabase { database throws(DatabaseError) in
            try database.run(
                "INSERT OR REPLACE INTO file (path, bytes, seconds, nanoseconds, hash, kind, sizes) "
                    + "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [.text(document.path)] + Self.values(stamp) + [.bytes(document.hash), .text(kind), .text(sizes)])
        }
    }

    private static func values(_ stamp: ScoreShelf.Stamp) -> [DatabaseValue] {
        [.integer(Int64(stamp.size)), .integer(Int64(stamp.seconds)), .integer(Int64(stamp.nanoseconds))]
    }

    private static let kinds: [(name: String, kind: ScoreDocument.Kind)] = [
        ("pdf", .pdf), ("png", .png), ("jpeg", .jpeg),
    ]
}
