internal import CSQLite
internal import Glibc

/// An SQLite database in a file: statements with values, transactions, and a schema that grows by migrations.
///
/// It uses a write-ahead log, so that a process which is killed at any moment leaves the database whole. Used by one thread.
package struct Database: ~Copyable {
    private let handle: OpaquePointer
    package let path: String
    private let kind: String

    /// How long it waits while another program writes.
    private static let patience: Int32 = 2_000
    /// The longest row that is read, in bytes. Ours have two values of a million at most; a longer one is somebody else's, and SQLite
    /// would hold it in memory as a whole.
    private static let longestRow: Int32 = 4 << 20

    /// Opens a database, and creates it and its folder if they do not exist.
    ///
    /// - Parameter kind: what it holds, for messages: `practice log`.
    package init(path: String, kind: String) throws(DatabaseError) {
        (handle, self.path, self.kind) = (try Self.open(path, kind), path, kind)
    }

    private static func open(_ path: String, _ kind: String) throws(DatabaseError) -> OpaquePointer {
        makeFolder(of: path)
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var code = sqlite3_open_v2(path, &opened, flags, nil)
        if code == SQLITE_OK {
            sqlite3_busy_timeout(opened, patience)
            sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, longestRow)
            // After a loss of power what was written last may be missing; the database stays whole.
            let settings = """
                PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
                PRAGMA foreign_keys = ON
                """
            code = sqlite3_exec(opened, settings, nil, nil, nil)
        }
        guard code == SQLITE_OK, let opened else {
            let reason = String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(opened)
            throw DatabaseError(code, path: path, kind: kind, reason: reason)
        }
        return opened
    }

    deinit { sqlite3_close_v2(handle) }

    /// Applies the migrations that the database does not have yet, each in a transaction of its own.
    ///
    /// - Parameter migrations: the statements that lead from version n to n + 1, from version 0 on. They only grow, and make no views
    ///   and no triggers.
    /// - Throws: also where there is one, which only another program can have made.
    package func migrate(_ migrations: [[String]]) throws(DatabaseError) {
        // A view in the place of a table can be a query that never ends.
        guard try number("SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger')") == 0 else {
            throw DatabaseError(SQLITE_CORRUPT, path: path, kind: kind, reason: "it has a view or a trigger")
        }
        let version = try number("PRAGMA user_version") ?? 0
        guard version <= migrations.count else {
            throw DatabaseError(
                isOutput: false, problem: "\"\(path)\" was written by a newer version of this program",
                remedy: "install that version")
        }
        for (index, statements) in migrations.enumerated() where index >= version {
            try transaction { () throws(DatabaseError) in
                // Another program may have done it while this one waited.
                guard try number("PRAGMA user_version") ?? 0 == index else { return }
                for statement in statements { try run(statement) }
                try run("PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// Does all of something, or nothing.
    package func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try run("COMMIT")
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    /// Runs a statement to its end.
    ///
    /// - Returns: the row number of the newest row inserted.
    @discardableResult
    package func run(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> Int64 {
        try query(sql, values) { _ in }
        return sqlite3_last_insert_rowid(handle)
    }

    /// The number in the first column of the first row.
    package func number(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> Int? {
        var result: Int?
        try query(sql, values) { row in result = result ?? row.integer(0).flatMap(Int.init(exactly:)) }
        return result
    }

    /// Runs a statement and hands over its rows.
    package func query(
        _ sql: String, _ values: [DatabaseValue] = [], _ body: (borrowing DatabaseRow) -> Void
    ) throws(DatabaseError) {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        guard let statement else { return }
        for (index, value) in values.enumerated() { try check(value.bind(to: statement, at: Int32(index + 1))) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            body(DatabaseRow(statement))
        }
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        if code != SQLITE_OK { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(code, path: path, kind: kind, reason: String(cString: sqlite3_errmsg(handle)))
    }

    /// Creates the folder of a file, for this user only, as the XDG Base Directory Specification asks.
    private static func makeFolder(of path: String) {
        for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
            // One that exists, or cannot be made, shows when the database is opened.
            _ = mkdir(String(path[..<index]), 0o700)
        }
    }
}
