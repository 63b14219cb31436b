import Foundation
import Music
import SQLite
import TestCommands
import TestSignals
import Testing

@testable import PracticeLog

@Suite struct PracticeLogTests {
    /// A session with random values, or without them.
    private func session(_ generator: inout SeededGenerator) -> PracticeSession {
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        let names = ["Bourrée", "a, \"b\"", "", "\u{1F3B8} solo\nsecond line", "x' OR 1=1 --"]
        var session = PracticeSession(
            program: maybe("metronome") ?? "tuner", began: .random(in: 0...4_000_000_000, using: &generator),
            plan: names.randomElement(using: &generator) ?? "", piece: maybe(names[0]), device: maybe("hw:1"))
        // Whole seconds, which a Duration and the database's binary fractions both hold exactly.
        session.length = .seconds(Int.random(in: 0...100_000, using: &generator))
        session.tempo = maybe(PracticeSession.Tempo(first: number(1...1_000), reached: number(1...1_000)))
        session.timing = maybe(
            PracticeSession.Timing(
                notes: .random(in: 0...10_000, using: &generator), mean: .seconds(-1), spread: .seconds(2)
            ))
        session.intonation = maybe(
            PracticeSession.Intonation(mean: Cents(number(-50...50)), spread: Cents(number(0...20))))
        return session
    }

    @Test func `What is logged is read back as it was, the oldest first`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "a/b/practice.sqlite").path()
            var generator = SeededGenerator(seed: 1)
            var written: [PracticeSession] = []
            do {
                let log = try PracticeLog(path: path)
                for _ in 0..<200 {
                    let first = session(&generator)
                    let row = try log.add(first)
                    let last = session(&generator)
                    try log.update(row, to: last)
                    written.append(last)
                }
            }
            // A new process would see the same.
            let read = try PracticeLog(path: path).sessions().map(\.session)
            let sorted = written.enumerated().sorted { ($0.element.began, $0.offset) < ($1.element.began, $1.offset) }
            let differences = zip(read, sorted).filter { $0 != $1.element }
            #expect(read.count == 200 && differences.isEmpty, "\(differences.prefix(1))")
            let own = try PracticeLog(path: path).sessions(of: "bourrée").map(\.session)
            #expect(own == read.filter { $0.piece == "Bourrée" })
        }
    }

    @Test func `Of long texts as many are read as fit in 8 MiB, the newest`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "practice.sqlite").path()
            let log = try PracticeLog(path: path)
            // A thousand letters of four bytes: 2,097 of them and the words beside them are 8 MiB.
            let piece = String(repeating: "\u{1F3BB}", count: 1_200)
            for began in 0..<2_200 {
                _ = try log.add(PracticeSession(program: "tuner", began: Int64(began), plan: "plan", piece: piece))
            }
            let sessions = try log.sessions()
            #expect(try log.count() == 2_200)
            #expect((2_090...2_097).contains(sessions.count), "\(sessions.count)")
            #expect(sessions.last?.session.began == 2_199)
        }
    }

    @Test func `A view in the place of the sessions, and a row of megabytes, are refused and not waited for`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "practice.sqlite").path()
            do { _ = try PracticeLog(path: path) }
            do {
                let other = try Database(path: path, kind: "practice log")
                for statement in [
                    "ALTER TABLE session RENAME TO hidden",
                    """
                    CREATE VIEW session AS WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count)
                    SELECT n AS id, 'x' AS program, n AS began, n AS seconds, 'x' AS piece, 'x' AS plan FROM count
                    """,
                ] { try other.run(statement) }
            }
            let refusal = #expect(throws: DatabaseError.self) { _ = try PracticeLog(path: path) }
            #expect(refusal?.problem.contains("view") == true && refusal?.isOutput == false)
            let script = """
                words = __import__("sys").argv
                log = __import__("sqlite3").connect(words[1])
                log.execute("DROP VIEW session")
                log.execute("ALTER TABLE hidden RENAME TO session")
                row = "INSERT INTO session (program, began, seconds, plan) VALUES ('x', 1, 1, ?)"
                log.execute(row, ("y" * int(words[2]),))
                log.commit()
                """
            let made = try BuiltCommand(shell: ()).run(
                ["-c", "exec python3 -c \"$@\"", "python", script, path, "5000000"])
            #expect(made.status == 0, "\(made.errors)")
            let log = try PracticeLog(path: path)
            let tooLong = #expect(throws: DatabaseError.self) { _ = try log.sessions() }
            #expect(tooLong?.problem.contains("is damaged") == true && tooLong?.isOutput == false)
        }
    }

    @Test func `Sums by piece count sessions and time, and keep the best`() throws {
        func entry(_ piece: String?, _ minutes: Int, _ reached: Double, spread: Int) -> LoggedSession {
            var session = PracticeSession(program: "metronome", began: 0, plan: "", piece: piece)
            session.length = .seconds(60 * minutes)
            session.tempo = PracticeSession.Tempo(first: 60, reached: reached)
            session.timing = PracticeSession.Timing(notes: 1, mean: .zero, spread: .milliseconds(spread))
            return LoggedSession(session: session, day: "", week: "")
        }
        let totals = PracticeTotal.of(
            [entry("A", 10, 100, spread: 20), entry(nil, 3, 300, spread: 1), entry("a", 5, 90, spread: 12)]
        ) { $0.session.piece }
        #expect(totals.count == 1)
        let total = try #require(totals.first)
        #expect(total.name == "A" && total.sessions == 2 && total.length == .seconds(900))
        #expect(total.fastest == 100 && total.steadiest == .milliseconds(12))
    }

    @Test func `The answer is kept, and there is none at first`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "p.sqlite").path()
            #expect(!PracticeLog.exists(path))
            #expect(try PracticeLog(path: path).isWanted == nil)
            for answer in [true, false, true] {
                try PracticeLog(path: path).want(answer)
                #expect(try PracticeLog(path: path).isWanted == answer)
            }
        }
    }

    @Test func `A file that is no log, a newer log and a folder in its place are errors that say so`() throws {
        try withTemporaryFolder { folder in
            func failure(_ prepare: (URL) throws -> Void) throws -> DatabaseError? {
                let file = folder.appending(path: "\(UUID().uuidString).sqlite")
                try prepare(file)
                do throws(DatabaseError) {
                    _ = try PracticeLog(path: file.path())
                    return nil
                } catch {
                    return error
                }
            }
            let noise = try failure { try Data((0..<4_096).map { UInt8($0 % 251) }).write(to: $0) }
            #expect(noise?.isOutput == false && noise?.problem.contains("damaged") == true)
            let newer = try failure {
                try Database(path: $0.path(), kind: "practice log").run("PRAGMA user_version = 1000")
            }
            #expect(newer?.isOutput == false && newer?.problem.contains("newer version") == true)
            let directory = try failure {
                try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
            }
            #expect(directory?.isOutput == true && directory?.problem.contains("cannot use") == true)
            let impossible = try failure { _ = symlink("/no/such/folder/file", $0.path()) }
            #expect(impossible?.isOutput == true)
        }
    }

    @Test func `Values that another program wrote do not crash the reader`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "p.sqlite").path()
            _ = try PracticeLog(path: path)
            let database = try Database(path: path, kind: "practice log")
            for seconds in ["9e999", "-9e999", "1e300", "-1e300"] {
                try database.run(
                    """
                    INSERT INTO session (program, began, seconds, plan, notes, mean_ms, spread_ms)
                    VALUES ('x', 9223372036854775807, \(seconds), '', -9223372036854775808, \(seconds), \(seconds))
                    """)
            }
            #expect(try PracticeLog(path: path).sessions().count == 4)
        }
    }

    @Test func `Two programs may write at once`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "p.sqlite").path()
            let first = try PracticeLog(path: path)
            let second = try PracticeLog(path: path)
            for number in 1...50 {
                _ = try first.add(PracticeSession(program: "tuner", began: 1, plan: "\(number)"))
                _ = try second.add(PracticeSession(program: "metronome", began: 2, plan: "\(number)"))
            }
            #expect(try first.sessions().count == 100)
        }
    }

    /// The issue of a log: after 200 kills at random moments the database is whole, and has every session that was told done.
    @Test func `A process that is killed at any moment leaves the log whole, 200 times`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "p.sqlite").path()
            let probe = BuiltCommand("stream-probe").executable.path()
            let kills = 200
            // The moments, up to 30 ms after the first session, are random: each lies in another step of the writing.
            let outcome = try BuiltCommand(shell: ()).run(
                [
                    "-c",
                    """
                    for i in $(seq \(kills)); do
                        : > one
                        "\(probe)" log-sessions "\(path)" >> one & probe=$!
                        until [ -s one ]; do sleep 0.002; done
                        sleep 0.0$((RANDOM % 3))$((RANDOM % 10))$((RANDOM % 10))
                        kill -9 $probe; wait $probe
                        head -c -1 one | tail -n 1 >> told; echo >> told
                    done 2> errors
                    """,
                ], in: folder, limit: 280)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let database = try Database(path: path, kind: "practice log")
            var verdict: [String] = []
            try database.query("PRAGMA integrity_check") { verdict.append($0.text(0) ?? "") }
            #expect(verdict == ["ok"])
            var last: [Int64: Int] = [:]
            // Of all sessions: a fast machine writes more than are read at once.
            try database.query("SELECT began, max(CAST(plan AS INTEGER)) FROM session GROUP BY began") { row in
                last[row.integer(0) ?? 0] = Int(row.integer(1) ?? 0)
            }
            let told = try String(contentsOf: folder.appending(path: "told"), encoding: .utf8).split(separator: "\n")
            #expect(told.count == kills && last.count == kills)
            for line in told {
                let words = line.split(separator: " ").compactMap { Int64($0) }
                guard words.count == 2 else {
                    Issue.record("the probe wrote \(line)")
                    continue
                }
                // What was told is there; one more may be.
                let found = Int64(last[words[0]] ?? 0)
                #expect(found == words[1] || found == words[1] + 1, "\(line): \(found)")
            }
            print("\(kills) kills: the database is whole, with every session that was told")
        }
    }
}
