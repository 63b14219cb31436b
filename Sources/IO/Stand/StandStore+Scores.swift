package import SQLite
internal import Synchronization

/// What the store knows of a score.
package struct StoredScore: Sendable, Equatable {
    package let id: String
    package var title: String
    package var pages: Int
    /// Ranges of printed bars: `1-8 1-7 9-16`.
    package var order: String
    package var firstBar: Int
    /// Whether a player has looked at the bars.
    package var isAccepted: Bool
}

/// A system with its page.
package struct StoredSystem: Sendable, Equatable {
    package let page: Int
    package let system: PageBars.System
    package let isDoubtful: Bool
}

/// Scores, devices and other rows.
extension StandStore {
    /// The score with this content, which is new or may have another name now.
    package func score(
        hash: [UInt8], path: String, title: String, pages: Int
    ) throws(DatabaseError) -> StoredScore {
        var found: StoredScore?
        try withDatabase { database throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO score (id, hash, path, title, pages, opened_ms) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (hash) DO UPDATE SET path = excluded.path, title = excluded.title, pages = excluded.pages
                """,
                [
                    .bytes(Identity.bytes(Identity.random()) ?? []), .bytes(hash), .text(path), .text(title),
                    .integer(Int64(pages)), .integer(Self.milliseconds),
                ])
            let sql = "SELECT id, title, pages, playing_order, first_bar, accepted FROM score WHERE hash = ?"
            try database.query(sql, [.bytes(hash)]) { row in
                found = StoredScore(
                    id: Identity.text(row.bytes(0) ?? []), title: row.text(1) ?? "", pages: Int(row.integer(2) ?? 0),
                    order: row.text(3) ?? "", firstBar: Int(row.integer(4) ?? 1), isAccepted: row.integer(5) == 1)
            }
        }
        guard let found else {
            throw DatabaseError(isOutput: true, problem: "a score was not kept", remedy: "start the program again")
        }
        return found
    }

    /// The most bars of a score: a book of 1,000 dense pages has 50,000. They are read and told together.
    private static let mostBars = 65_536

    /// Replaces the systems of a page.
    ///
    /// - Parameter doubtful: the systems that a player should look at.
    /// - Returns: false where there is no such page, or the score would have too many bars.
    @discardableResult
    package func keep(_ bars: PageBars, doubtful: Set<Int> = []) throws(DatabaseError) -> Bool {
        guard let score = Identity.bytes(bars.score) else { return false }
        var isKept = false
        let place: [DatabaseValue] = [.bytes(score), .integer(Int64(bars.page))]
        try withDatabase { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                guard let pages = try database.number("SELECT pages FROM score WHERE id = ?", [.bytes(score)]),
                    (1...max(1, pages)).contains(bars.page)
                else { return }
                let others = try database.number("SELECT count(*) FROM bar WHERE score = ? AND page <> ?", place) ?? 0
                guard others + bars.systems.reduce(0, { $0 + $1.bars.count }) <= Self.mostBars else { return }
                try database.run("DELETE FROM system WHERE score = ? AND page = ?", place)
                try database.run("INSERT OR IGNORE INTO seen (score, page) VALUES (?, ?)", place)
                for (number, system) in bars.systems.enumerated() {
                    let sides = [number, system.x0, system.y0, system.x1, system.y1, system.staves]
                    try database.run(
                        "INSERT INTO system (score, page, n, x0, y0, x1, y1, staves, doubtful) "
                            + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        place + sides.map { .integer(Int64($0)) } + [.integer(doubtful.contains(number) ? 1 : 0)])
                    for (count, bar) in system.bars.enumerated() {
                        try database.run(
                            "INSERT INTO bar (score, page, system, n, x0, x1, origin) VALUES (?, ?, ?, ?, ?, ?, ?)",
                            place + [number, count, bar.x0, bar.x1].map { .integer(Int64($0)) }
                                + [.text(bar.origin.rawValue)])
                    }
                }
                if bars.accepted == true {
                    try database.run("UPDATE score SET accepted = 1 WHERE id = ?", [.bytes(score)])
                }
                isKept = true
            }
        }
        return isKept
    }

    /// The systems of a score, page by page; `nil` for a page that nobody has looked at.
    package func systems(of score: String, pages: Int) throws(DatabaseError) -> [[StoredSystem]?] {
        guard let id = Identity.bytes(score) else { return [] }
        var systems = [[StoredSystem]?](repeating: nil, count: pages)
        try withDatabase { database throws(DatabaseError) in
            try database.query("SELECT page FROM seen WHERE score = ?", [.bytes(id)]) { row in
                let page = Int(row.integer(0) ?? 0)
                if (1...max(1, pages)).contains(page), page <= pages { systems[page - 1] = [] }
            }
            var bars: [[Int64]: [PageBars.Bar]] = [:]
            let sql = "SELECT page, system, x0, x1, origin FROM bar WHERE score = ? ORDER BY page, system, n"
            try database.query(sql, [.bytes(id)]) { row in
                let bar = PageBars.Bar(
                    x0: Int(row.integer(2) ?? 0), x1: Int(row.integer(3) ?? 0),
                    origin: PageBars.Bar.Origin(rawValue: row.text(4) ?? "") ?? .found)
                bars[[row.integer(0) ?? 0, row.integer(1) ?? 0], default: []].append(bar)
            }
            let rows = "SELECT page, n, x0, y0, x1, y1, staves, doubtful FROM system WHERE score = ? ORDER BY page, n"
            try database.query(rows, [.bytes(id)]) { row in
                let (page, number) = (Int(row.integer(0) ?? 0), row.integer(1) ?? 0)
                guard page >= 1, page <= pages else { return }
                let system = PageBars.System(
                    x0: Int(row.integer(2) ?? 0), y0: Int(row.integer(3) ?? 0), x1: Int(row.integer(4) ?? 0),
                    y1: Int(row.integer(5) ?? 0), staves: Int(row.integer(6) ?? 0),
                    bars: bars[[Int64(page), number]] ?? [])
                systems[page - 1, default: []].append(
                    StoredSystem(page: page, system: system, isDoubtful: row.integer(7) == 1))
            }
        }
        return systems
    }

    /// Keeps the playing order and the number of the first bar.
    package func keep(order: String, firstBar: Int?, of score: String) throws(DatabaseError) {
        guard let id = Identity.bytes(score) else { return }
        try withDatabase { database throws(DatabaseError) in
            try database.run(
                "UPDATE score SET playing_order = ?, first_bar = coalesce(?, first_bar) WHERE id = ?",
                [.text(order), DatabaseValue(firstBar.map(Int64.init)), .bytes(id)])
        }
    }
}

extension Array {
    /// An element that may be missing, for adding to it.
    fileprivate subscript<Value>(index: Int, default value: [Value]) -> [Value] where Element == [Value]? {
        get { self[index] ?? value }
        set { self[index] = newValue }
    }
}
