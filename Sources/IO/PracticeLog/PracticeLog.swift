internal import FoundationEssentials
package import SQLite

/// The sessions of practice on this machine, in an SQLite database of the user.
///
/// ```swift
/// let log = try PracticeLog(path: "practice.sqlite")
/// var session = PracticeSession(program: "metronome", began: 1_795_386_600, plan: "120 --accent=4")
/// let row = try log.add(session)  // when it begins
/// session.length = .seconds(60)
/// try log.update(row, to: session)  // from time to time, and at its end
/// ```
///
/// A process that is killed loses at most what it has not yet told the log. Nothing leaves the machine.
package struct PracticeLog: ~Copyable {
    private let database: Database

    /// `$XDG_DATA_HOME/well-tempered/practice.sqlite`, or that below `~/.local/share`.
    ///
    /// - SeeAlso: XDG Base Directory Specification 0.8.
    package static var standardPath: String {
        let environment = ProcessInfo.processInfo.environment
        // By the specification a path that is not absolute is ignored.
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        return "\(data ?? (environment["HOME"] ?? home) + "/.local/share")/well-tempered/practice.sqlite"
    }

    /// Whether a log has been begun.
    package static func exists(_ path: String = standardPath) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Opens the log, and creates it and its folder if they do not exist.
    package init(path: String = standardPath) throws(DatabaseError) {
        let database = try Database(path: path, kind: "practice log")
        try database.migrate(Self.migrations)
        self.database = database
    }

    /// Whether the player wants a log; `nil`: never asked.
    package var isWanted: Bool? {
        get throws(DatabaseError) { try database.number("SELECT wanted FROM answer").map { $0 != 0 } }
    }

    /// Remembers whether the player wants a log.
    package func want(_ isWanted: Bool) throws(DatabaseError) {
        try database.run("INSERT OR REPLACE INTO answer (id, wanted) VALUES (1, ?)", [.integer(isWanted ? 1 : 0)])
    }

    /// Adds a session.
    ///
    /// - Returns: the number of its row.
    package func add(_ session: PracticeSession) throws(DatabaseError) -> Int64 {
        let places = Self.columns.map { _ in "?" }.joined(separator: ", ")
        return try database.run(
            "INSERT INTO session (\(Self.columns.joined(separator: ", "))) VALUES (\(places))", Self.values(session))
    }

    /// Replaces a session.
    package func update(_ row: Int64, to session: PracticeSession) throws(DatabaseError) {
        let assignments = Self.columns.map { "\($0) = ?" }.joined(separator: ", ")
        try database.run("UPDATE session SET \(assignments) WHERE id = ?", Self.values(session) + [.integer(row)])
    }

    /// How many sessions are read at most: those of 50 years, one a day. Their texts are cut after a thousand characters. Both
    /// bound the memory that a file from elsewhere can take, as the next one does.
    package static let mostSessions = 20_000

    /// The bytes of the texts that are read at most: 400 for each session. An export takes five times as much.
    private static let mostText = 8 << 20

    /// How many sessions there are.
    ///
    /// - Parameter piece: as of `sessions`.
    package func count(of piece: String? = nil) throws(DatabaseError) -> Int {
        try database.number("SELECT count(*) FROM session WHERE " + Self.isOfPiece, [DatabaseValue(piece)]) ?? 0
    }

    private static let isOfPiece = "(?1 IS NULL OR piece = ?1 COLLATE NOCASE)"

    /// The newest sessions, at most `mostSessions`, the oldest of them first; fewer where their texts are long.
    ///
    /// - Parameter piece: only those of this piece, whatever the case of its letters from a to z.
    package func sessions(of piece: String? = nil) throws(DatabaseError) -> [LoggedSession] {
        var sessions: [LoggedSession] = []
        // Monday: the Sunday on or after the day, less six days.
        let columns = Self.columns.map { Self.textColumns.contains($0) ? "substr(\($0), 1, 1000)" : $0 }
        let sql = """
            SELECT \(columns.joined(separator: ", ")),
                strftime('%Y-%m-%d %H:%M', began, 'unixepoch', 'localtime'),
                date(began, 'unixepoch', 'localtime', 'weekday 0', '-6 days')
            FROM session WHERE \(Self.isOfPiece)
            ORDER BY began DESC, id DESC LIMIT \(Self.mostSessions)
            """
        var text = 0
        try database.query(sql, [DatabaseValue(piece)]) { row in
            guard text <= Self.mostText else { return }
            let count = Int32(Self.columns.count)
            let session = Self.session(row)
            text += [session.program, session.plan, session.piece ?? "", session.device ?? ""].reduce(0) {
                $0 + $1.utf8.count
            }
            sessions.append(
                LoggedSession(session: session, day: row.text(count) ?? "", week: row.text(count + 1) ?? ""))
        }
        return sessions.reversed()
    }
}

/// A session of the log, with its time in the user's time zone.
package struct LoggedSession: Sendable, Equatable {
    package let session: PracticeSession
    /// `2026-11-22 18:05`.
    package let day: String
    /// The Monday of its week: `2026-11-16`.
    package let week: String
}
