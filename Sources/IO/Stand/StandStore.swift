internal import FoundationEssentials
package import SQLite
internal import Synchronization

/// What is kept between two evenings: where bars lie, marks, set lists, the sliders of devices. Never a page, never a score.
package final class StandStore: Sendable {
    let database: Mutex<Database>

    /// `$XDG_DATA_HOME/well-tempered/stand.sqlite`, or that below `~/.local/share`.
    ///
    /// - SeeAlso: XDG Base Directory Specification 0.8.
    package static var standardPath: String {
        let environment = ProcessInfo.processInfo.environment
        // By the specification a path that is not absolute is ignored.
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        return "\(data ?? (environment["HOME"] ?? home) + "/.local/share")/well-tempered/stand.sqlite"
    }

    /// Opens the database, and creates it and its folder if they do not exist. A copy is made before an older one is changed.
    package init(path: String = standardPath) throws(DatabaseError) {
        let database = try Database(path: path, kind: "store of the music stand")
        let version = try database.number("PRAGMA user_version") ?? 0
        if version > 0, version < Self.migrations.count {
            try database.run(
                "VACUUM INTO ?", [.text("\(path).version-\(version)-\(Int(Date().timeIntervalSince1970))")])
        }
        try database.migrate(Self.migrations)
        // 256 MiB: whoever scribbles without end fills no disk.
        try database.run("PRAGMA max_page_count = 65536")
        self.database = Mutex(database)
    }

    /// The statements that lead from each version of the schema to the next. A released one never changes.
    private static let migrations: [[String]] = [
        [
            """
            CREATE TABLE score (
                id BLOB PRIMARY KEY,     -- random, so that it says nothing of the score
                hash BLOB NOT NULL,      -- of the content: a score that was renamed is found again
                path TEXT NOT NULL,
                title TEXT NOT NULL,
                pages INTEGER NOT NULL,
                playing_order TEXT NOT NULL DEFAULT '',
                first_bar INTEGER NOT NULL DEFAULT 1,
                accepted INTEGER NOT NULL DEFAULT 0,
                opened_ms INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE UNIQUE INDEX score_hash ON score (hash)",
            """
            CREATE TABLE system (
                score BLOB NOT NULL REFERENCES score, page INTEGER NOT NULL, n INTEGER NOT NULL,
                x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL,
                staves INTEGER NOT NULL, doubtful INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (score, page, n)
            ) STRICT
            """,
            """
            CREATE TABLE bar (
                score BLOB NOT NULL, page INTEGER NOT NULL, system INTEGER NOT NULL, n INTEGER NOT NULL,
                x0 INTEGER NOT NULL, x1 INTEGER NOT NULL, origin TEXT NOT NULL,
                PRIMARY KEY (score, page, system, n),
                FOREIGN KEY (score, page, system) REFERENCES system ON DELETE CASCADE
            ) STRICT
            """,
            // A page without systems has been looked at too.
            "CREATE TABLE seen (score BLOB NOT NULL REFERENCES score, page INTEGER NOT NULL, PRIMARY KEY (score, page)) STRICT",
            """
            CREATE TABLE stroke (
                id BLOB PRIMARY KEY, score BLOB NOT NULL REFERENCES score, page INTEGER NOT NULL,
                layer INTEGER NOT NULL, kind TEXT NOT NULL, colour TEXT NOT NULL, width REAL NOT NULL,
                body TEXT NOT NULL, device BLOB, made_ms INTEGER NOT NULL,
                seq INTEGER NOT NULL, dead INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            "CREATE UNIQUE INDEX stroke_seq ON stroke (seq)",
            """
            CREATE TABLE device (
                id BLOB PRIMARY KEY, name TEXT NOT NULL, light_ms REAL NOT NULL DEFAULT 0,
                felt_ms REAL NOT NULL DEFAULT 0, seen_ms INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
        ],
        [
            "CREATE TABLE setlist (id BLOB PRIMARY KEY, name TEXT NOT NULL) STRICT",
            """
            CREATE TABLE song (
                id BLOB PRIMARY KEY, setlist BLOB NOT NULL REFERENCES setlist ON DELETE CASCADE, place INTEGER NOT NULL,
                score BLOB NOT NULL REFERENCES score, tempo REAL
            ) STRICT
            """,
            "CREATE INDEX song_place ON song (setlist, place)",
        ],
        [
            // What was read of a file, as long as it has this size and was changed then.
            """
            CREATE TABLE file (
                path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, seconds INTEGER NOT NULL, nanoseconds INTEGER NOT NULL,
                hash BLOB NOT NULL, kind TEXT NOT NULL, sizes TEXT NOT NULL
            ) STRICT
            """
        ],
        // How much is written on a score is read without its marks.
        ["CREATE INDEX stroke_score ON stroke (score, dead, length(body))"],
    ]

    static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// Sixteen bytes in hexadecimal, as ids travel.
enum Identity {
    static func bytes(_ text: String) -> [UInt8]? {
        guard PageRequest.isIdentity(text) else { return nil }
        let digits = text.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
        return (0..<16).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
    }

    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// A new one.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return text((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}
