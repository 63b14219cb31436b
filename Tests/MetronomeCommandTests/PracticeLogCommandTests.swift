import Foundation
import PracticeLog
import TestCommands
import Testing

/// `metronome log` on a log that the test writes.
@Suite struct PracticeLogCommandTests {
    private let metronome = BuiltCommand("metronome")

    /// Runs `metronome log` in Berlin, in a home that the test has filled.
    private func run(
        _ arguments: [String], in folder: URL, after prepare: (borrowing PracticeLog) throws -> Void = { _ in }
    ) throws -> BuiltCommand.Outcome {
        let path = folder.appending(path: "well-tempered/practice.sqlite").path()
        do { try prepare(try PracticeLog(path: path)) }
        return try metronome.run(
            ["log"] + arguments, environment: ["XDG_DATA_HOME": folder.path(), "TZ": "Europe/Berlin"], in: folder)
    }

    /// Two sessions round midnight from Sunday, 22 November 2026, to Monday.
    private func fill(_ log: borrowing PracticeLog) throws {
        for (began, piece, reached) in [(1_795_386_600, "Bourrée", 96.0), (1_795_388_400, "Money, \"live\"", 123.4)] {
            var session = PracticeSession(
                program: "metronome", began: Int64(began), plan: "7/8 \(reached) --accent=3+2+2", piece: piece)
            session.length = .seconds(25 * 60)
            session.tempo = PracticeSession.Tempo(first: 80, reached: reached)
            session.timing = PracticeSession.Timing(
                notes: 412, mean: .microseconds(-3_140), spread: .microseconds(12_050))
            _ = try log.add(session)
        }
    }

    @Test func `What another program has written into the log ends no command and commands no terminal`() throws {
        try withTemporaryFolder { folder in
            let plot = folder.appending(path: "x.svg").path()
            let outcome = try run(["--plot", plot], in: folder) { log in
                for bpm in [1e18, -1e308, 1e308, .infinity, 96] {
                    var session = PracticeSession(program: "\u{1B}[2J\u{9B}2J", began: 1, plan: "120")
                    session.tempo = PracticeSession.Tempo(first: bpm, reached: bpm)
                    session.timing = PracticeSession.Timing(
                        notes: 1, mean: nil, spread: .seconds(min(1e9, max(-1e9, bpm))))
                    _ = try log.add(session)
                }
            }
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try String(contentsOfFile: plot, encoding: .utf8).hasSuffix("</svg>\n"))
            let listed = try run([], in: folder)
            #expect(listed.status == 0 && listed.output.contains("?[2J?2J 120") && !listed.output.contains("\u{1B}"))
            let exported = try run(["--export", "json"], in: folder)
            #expect(exported.output.contains("\\u001b[2J\\u009b2J"), "\(exported)")
        }
    }

    @Test func `A log without its table is damaged, and status 66`() throws {
        try withTemporaryFolder { folder in
            _ = try run([], in: folder, after: fill)
            let path = folder.appending(path: "well-tempered/practice.sqlite").path()
            let script =
                "log = __import__('sqlite3').connect('\(path)'); log.execute('DROP TABLE session'); log.commit()"
            let made = try BuiltCommand(shell: ()).run(["-c", "exec python3 -c \"$0\"", script])
            #expect(made.status == 0, "\(made.errors)")
            let outcome = try metronome.run(["log"], environment: ["XDG_DATA_HOME": folder.path()], in: folder)
            #expect(outcome.status == 66 && outcome.errors.contains("is damaged"), "\(outcome)")
        }
    }

    @Test func `The newest sessions, the weeks and the pieces are listed`() throws {
        try withTemporaryFolder { folder in
            let outcome = try run([], in: folder, after: fill)
            #expect(
                outcome.output == """
                    2026-11-22 23:30  25 min  Bourrée        80 to 96 BPM     -3.1 ms, spread 12.1, 412 notes  \
                    metronome 7/8 96.0 --accent=3+2+2
                    2026-11-23 00:00  25 min  Money, "live"  80 to 123.4 BPM  -3.1 ms, spread 12.1, 412 notes  \
                    metronome 7/8 123.4 --accent=3+2+2

                    by week
                    week of 2026-11-16  1 session  25 min  up to 96 BPM     spread down to 12.1 ms
                    week of 2026-11-23  1 session  25 min  up to 123.4 BPM  spread down to 12.1 ms

                    by piece
                    Bourrée        1 session  25 min  up to 96 BPM     spread down to 12.1 ms
                    Money, "live"  1 session  25 min  up to 123.4 BPM  spread down to 12.1 ms

                    """, "\(outcome.errors)")
            let piece = try run(["--piece", "bourrée", "--last", "1"], in: folder)
            #expect(piece.lines.count == 5 && !piece.output.contains("Money"))
        }
    }

    @Test func `An export is read by other programs`() throws {
        try withTemporaryFolder { folder in
            let csv = try run(["--export", "csv"], in: folder, after: fill)
            #expect(csv.lines.count == 3)
            #expect(csv.output.contains("metronome,1795388400,1500.0,\"Money, \"\"live\"\"\",7/8 123.4"))
            let json = try run(["--export", "json"], in: folder)
            for line in json.lines {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(object?["notes"] as? Int == 412 && object?["mean_ms"] as? Double == -3.14)
            }
        }
    }

    @Test func `A picture has a point for each session and a bar for each week`() throws {
        try withTemporaryFolder { folder in
            let outcome = try run(["--plot", "p.svg"], in: folder, after: fill)
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
            let svg = try String(contentsOf: folder.appending(path: "p.svg"), encoding: .utf8)
            #expect(svg.components(separatedBy: "<circle").count - 1 == 4)
            #expect(svg.components(separatedBy: "<rect").count - 1 == 3)
            #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
        }
    }

    @Test func `No log, an unknown piece, a damaged log and wrong options are told`() throws {
        try withTemporaryFolder { folder in
            func failure(_ arguments: [String], _ status: Int32, _ words: String) throws {
                let outcome = try metronome.run(["log"] + arguments, environment: ["XDG_DATA_HOME": folder.path()])
                #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
            try failure([], 66, "there is no practice log yet")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "well-tempered").path()))
            try failure(["--last", "0"], 2, "--last")
            try failure(["--on", "--off"], 2, "exclude each other")
            try failure(["--plot", "x.png"], 2, ".svg")
            try failure(["--export", "xml"], 2, "csv")
            _ = try run([], in: folder, after: fill)
            try failure(["--piece", "nothing"], 66, "no piece \"nothing\"")
            try failure(["--plot", "/no/such/x.svg"], 73, "cannot write")
            let path = folder.appending(path: "well-tempered/practice.sqlite")
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path.path() + suffix) }
            try Data(repeating: 7, count: 10_000).write(to: path)
            try failure([], 66, "damaged")
        }
    }

    @Test func `The switch turns the log on and off`() throws {
        try withTemporaryFolder { folder in
            for (word, answer) in [("--on", true), ("--off", false)] {
                let outcome = try metronome.run(["log", word], environment: ["XDG_DATA_HOME": folder.path()])
                #expect(outcome.status == 0, "\(outcome.errors)")
                let path = folder.appending(path: "well-tempered/practice.sqlite").path()
                #expect(try PracticeLog(path: path).isWanted == answer)
            }
        }
    }

    @Test func `A log that cannot be written is told by both commands alike, with one status`() throws {
        try withTemporaryFolder { folder in
            // A file where the folder of the log belongs, which no user can write into.
            let data = folder.appending(path: "data")
            try Data().write(to: data)
            let environment = ["XDG_DATA_HOME": data.path()]
            let played = try SimulatedCard.run("") { card in
                try card.command("metronome", ["240", "--bars", "1", "--log", "-D", "mine"], environment: environment)
            }
            let sample = repository.appending(path: "samples/cello-c2.flac").path()
            let heard = try BuiltCommand("tuner").run(
                ["analyze", sample, "--log"], environment: environment, in: folder)
            #expect(played.status == 73 && heard.status == 73, "\(played) \(heard.status)")
            let sentences = [played, heard].map { $0.errors.drop { $0 != ":" } }
            #expect(sentences[0] == sentences[1] && sentences[0].contains("practice.sqlite"), "\(sentences)")
            #expect(played.errors.filter { $0 == "\n" }.count == 1)
        }
    }
}
