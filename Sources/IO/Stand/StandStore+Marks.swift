package import SQLite
internal import Synchronization

/// Marks: a set in which each is made once, struck out and brought back, and every change has a number.
extension StandStore {
    /// The most that is written on a score: 16,000 strokes of a second each. All of it is sent to each new device.
    package static let mostWriting = 8 << 20

    /// Makes, strikes out and brings back marks, all or nothing. What is known already changes nothing, so that a device may
    /// send it again.
    ///
    /// - Returns: the number of the newest change.
    @discardableResult
    package func apply(_ marks: Marks, from device: String = "") throws(DatabaseError) -> Int64 {
        var newest: Int64 = 0
        try withDatabase { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                newest = Int64(try database.number("SELECT max(seq) FROM stroke") ?? 0)
                try Self.checkRoom(for: marks.make ?? [], database)
                for mark in marks.make ?? [] { newest += try Self.make(mark, newest + 1, device, database) }
                for (ids, dead) in [(marks.strike ?? [], Int64(1)), (marks.revive ?? [], 0)] {
                    for id in ids.compactMap(Identity.bytes) {
                        newest += try Self.changes(database) { () throws(DatabaseError) in
                            try database.run(
                                "UPDATE stroke SET dead = ?, seq = ? WHERE id = ? AND dead <> ?1",
                                [.integer(dead), .integer(newest + 1), .bytes(id)])
                        }
                    }
                }
            }
        }
        return newest
    }

    /// Throws where a score would have more marks than it may have.
    private static func checkRoom(for marks: [Marks.Mark], _ database: borrowing Database) throws(DatabaseError) {
        let bytes = Dictionary(marks.map { ($0.score, $0.body.utf8.count) }, uniquingKeysWith: +)
        for (score, added) in bytes {
            guard let id = Identity.bytes(score) else { continue }
            let sql = "SELECT sum(length(body)) FROM stroke WHERE score = ? AND dead = 0"
            guard try (database.number(sql, [.bytes(id)]) ?? 0) + added <= mostWriting else {
                throw DatabaseError(
                    isOutput: true, problem: "no more can be written on this score", remedy: "rub something out")
            }
        }
    }

    private static func make(
        _ mark: Marks.Mark, _ sequence: Int64, _ device: String, _ database: borrowing Database
    ) throws(DatabaseError) -> Int64 {
        guard let id = Identity.bytes(mark.id), let score = Identity.bytes(mark.score) else { return 0 }
        return try changes(database) { () throws(DatabaseError) in
            try database.run(
                """
                INSERT OR IGNORE INTO stroke
                    (id, score, page, layer, kind, colour, width, body, device, made_ms, seq)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 WHERE EXISTS (SELECT 1 FROM score WHERE id = ?2)
                """,
                [
                    .bytes(id), .bytes(score), .integer(Int64(mark.page)), .integer(Int64(mark.layer)),
                    .text(mark.kind), .text(mark.colour), .real(mark.width), .text(mark.body),
                    Identity.bytes(device).map(DatabaseValue.bytes) ?? .null, .integer(milliseconds),
                    .integer(sequence),
                ])
        }
    }

    /// How many rows a statement changed.
    private static func changes(
        _ database: borrowing Database, _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) -> Int64 {
        try body()
        return Int64(try database.number("SELECT changes()") ?? 0)
    }

    /// The changes after a number, in their order, up to about `bytes` of them.
    package func marks(since sequence: Int64, bytes: Int = 48 << 10) throws(DatabaseError) -> [StoredMark] {
        var found: [StoredMark] = []
        var size = 0
        try withDatabase { database throws(DatabaseError) in
            let sql = """
                SELECT id, score, page, layer, kind, colour, width, body, seq, dead FROM stroke
                WHERE seq > ? ORDER BY seq LIMIT 500
                """
            try database.query(sql, [.integer(sequence)]) { row in
                let mark = Self.mark(row)
                size += 200 + mark.mark.body.utf8.count
                if found.isEmpty || size <= bytes { found.append(mark) } else { size = .max / 2 }
            }
        }
        return found
    }

    /// The number of the newest change; 0 before any.
    package func newestChange() throws(DatabaseError) -> Int64 {
        var newest = 0
        try withDatabase { database throws(DatabaseError) in
            newest = try database.number("SELECT max(seq) FROM stroke") ?? 0
        }
        return Int64(newest)
    }

    private static func mark(_ row: borrowing DatabaseRow) -> StoredMark {
        StoredMark(
            mark: Marks.Mark(
                id: Identity.text(row.bytes(0) ?? []), score: Identity.text(row.bytes(1) ?? []),
                page: Int(row.integer(2) ?? 0), layer: Int(row.integer(3) ?? 0), kind: row.text(4) ?? "",
                colour: row.text(5) ?? "", width: row.real(6) ?? 0, body: row.text(7) ?? ""),
            sequence: row.integer(8) ?? 0, isDead: row.integer(9) == 1)
    }

    /// Runs statements. The lock is held by one thread at a time; SQLite waits for other programs.
    func withDatabase(_ body: (borrowing Database) throws(DatabaseError) -> Void) throws(DatabaseError) {
        let result = database.withLock { database -> Result<Void, DatabaseError> in
            do throws(DatabaseError) {
                return .success(try body(database))
            } catch { return .failure(error) }
        }
        try result.get()
    }
}
