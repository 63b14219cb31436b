internal import CSQLite
internal import Music

/// A database cannot be read or written.
package struct DatabaseError: ExplainedError, Hashable {
    /// Whether writing failed, for want of permission or room.
    package let isOutput: Bool
    package let problem: String, remedy: String

    /// The error for a result code of SQLite.
    ///
    /// - Parameters:
    ///   - kind: what the database holds.
    ///   - reason: SQLite's own words.
    init(_ code: Int32, path: String, kind: String, reason: String) {
        // The extended codes have the primary one in their lowest byte.
        let (problem, remedy) =
            switch code & 0xFF {
            // Our statements are right, so an error in one is a table that is not as we made it.
            case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_ERROR:
                ("\"\(path)\" is damaged, or no \(kind) (\(reason))", "move it away; a new one will be made")
            case SQLITE_BUSY, SQLITE_LOCKED: ("another program is writing \"\(path)\"", "try again")
            // The log beside the database needs room even to be read.
            case SQLITE_FULL, SQLITE_IOERR: ("cannot read or write \"\(path)\" (\(reason))", "make room on its disk")
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                ("no permission to write \"\(path)\"", "ask its owner, or move it away")
            default: ("cannot use \"\(path)\" (\(reason))", "check that it is a file, in a folder that can be written")
            }
        let isDamaged = [SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_ERROR].contains(code & 0xFF)
        self.init(isOutput: !isDamaged, problem: problem, remedy: remedy)
    }

    package init(isOutput: Bool, problem: String, remedy: String) {
        (self.isOutput, self.problem, self.remedy) = (isOutput, problem, remedy)
    }
}
