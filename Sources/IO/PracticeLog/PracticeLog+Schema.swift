internal import Music
internal import SQLite

/// The table of sessions.
extension PracticeLog {
    /// The statements that lead from each version of the schema to the next. A released one never changes.
    static let migrations: [[String]] = [
        [
            """
            CREATE TABLE session (
                id INTEGER PRIMARY KEY,
                program TEXT NOT NULL,
                began INTEGER NOT NULL,  -- seconds since 1970, UTC
                seconds REAL NOT NULL,
                piece TEXT,
                plan TEXT NOT NULL,
                device TEXT,
                first_bpm REAL,
                reached_bpm REAL,
                notes INTEGER,
                mean_ms REAL,            -- negative: early
                spread_ms REAL,
                mean_cents REAL,
                spread_cents REAL
            ) STRICT
            """,
            "CREATE INDEX session_began ON session (began)",
            "CREATE TABLE answer (id INTEGER PRIMARY KEY CHECK (id = 1), wanted INTEGER NOT NULL) STRICT",
        ]
    ]

    /// The columns in the order of `values` and `session`. An export has them too.
    package static let columns = [
        "program", "began", "seconds", "piece", "plan", "device", "first_bpm", "reached_bpm", "notes", "mean_ms",
        "spread_ms", "mean_cents", "spread_cents",
    ]

    /// Those that hold text.
    static let textColumns: Set = ["program", "piece", "plan", "device"]

    static func values(_ session: PracticeSession) -> [DatabaseValue] {
        [
            .text(session.program), .integer(session.began), .real(session.length.inSeconds),
            DatabaseValue(session.piece), .text(session.plan), DatabaseValue(session.device),
            DatabaseValue(session.tempo?.first), DatabaseValue(session.tempo?.reached),
            DatabaseValue(session.timing.map { Int64($0.notes) }),
            DatabaseValue(session.timing?.mean?.inMilliseconds), DatabaseValue(session.timing?.spread.inMilliseconds),
            DatabaseValue(session.intonation?.mean.value), DatabaseValue(session.intonation?.spread.value),
        ]
    }

    static func session(_ row: borrowing DatabaseRow) -> PracticeSession {
        var session = PracticeSession(
            program: row.text(0) ?? "", began: row.integer(1) ?? 0, plan: row.text(4) ?? "", piece: row.text(3),
            device: row.text(5))
        session.length = duration(seconds: row.real(2) ?? 0)
        if let first = row.real(6), let reached = row.real(7), tempi.contains(first), tempi.contains(reached) {
            session.tempo = PracticeSession.Tempo(first: first, reached: reached)
        }
        if let notes = row.integer(8), let spread = row.real(10) {
            session.timing = PracticeSession.Timing(
                notes: Int(notes), mean: row.real(9).map { duration(seconds: $0 / 1_000) },
                spread: duration(seconds: spread / 1_000))
        }
        if let mean = row.real(11), let spread = row.real(12) {
            session.intonation = PracticeSession.Intonation(mean: Cents(mean), spread: Cents(spread))
        }
        return session
    }

    /// The tempi that a session can have, in beats a minute. Another program may have written any.
    private static let tempi = 0.0...1e6

    /// A duration to the nanosecond, which another program may have written: at most 31 years.
    private static func duration(seconds: Double) -> Duration {
        guard seconds.isFinite else { return .zero }
        // By parts: `Duration.seconds` of a floating-point number is off by some attoseconds.
        let (bounded, nanosecond) = (max(-1e9, min(1e9, seconds)), 1e-9)
        return .nanoseconds(Int64((bounded / nanosecond).rounded()))
    }
}

extension Duration {
    fileprivate var inMilliseconds: Double { inSeconds * 1_000 }
}
