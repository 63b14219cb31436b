import Foundation
import TestCommands
import Testing

@Suite struct TranscribeTests {
    private let tuner = BuiltCommand("tuner")

    /// Three tones one after another: A4, C5 and E5 of half a second.
    private func melody(in folder: URL) throws -> String {
        let path = folder.appending(path: "melody.wav").path()
        let made = try BuiltCommand(shell: ()).run([
            "-c",
            "sox -n -r 48000 -b 16 \"$0\" synth 0.5 pluck A4 : synth 0.5 pluck C5 : synth 0.5 pluck E5 pad 0 0.5",
            path,
        ])
        #expect(made.status == 0, "\(made.errors)")
        return path
    }

    @Test func `A melody is written down as a table, as JSON and as CSV`() throws {
        try withTemporaryFolder { folder in
            let file = try melody(in: folder)
            let table = try tuner.run(["transcribe", file])
            #expect(table.status == 0, "\(table.errors)")
            for name in ["A4", "C5", "E5"] { #expect(table.output.contains(name), "\(table.output)") }
            let json = try tuner.run(["transcribe", "--json", file]).output.split(separator: "\n").map { line in
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            }
            #expect(json.compactMap { $0["note"] as? String } == ["A4", "C5", "E5"])
            for (index, note) in json.enumerated() {
                // The synthesizer's attack, and a block of the file.
                #expect(abs((note["start_s"] as? Double ?? -1) - 0.5 * Double(index)) < 0.02)
                #expect(abs(note["cents"] as? Double ?? 99) < 10)
            }
            let csv = try tuner.run(["transcribe", "--csv", file]).output.split(separator: "\n")
            #expect(csv.count == 4 && csv[0].hasPrefix("file,event,start_s,end_s,note"))
        }
    }

    @Test func `A note that rings on ends where the next one begins, in every format`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "over.wav").path()
            let script = """
                sox -n -r 48000 -b 16 a.wav synth 1.5 sawtooth G3 fade t 0.02 1.5 0.3 gain -6 &&
                sox -n -r 48000 -b 16 b.wav synth 1.0 sawtooth D4 fade t 0.05 1.0 0.1 gain -9 &&
                sox b.wav c.wav pad 1.44 0.5 && sox -m a.wav c.wav "$0"
                """
            let made = try BuiltCommand(shell: ()).run(["-c", script, path], in: folder)
            #expect(made.status == 0, "\(made.errors)")
            let json = try tuner.run(["transcribe", "--json", path]).lines.map { line in
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            }
            #expect(json.compactMap { $0["note"] as? String } == ["G3", "D4"])
            let (end, start) = (json.first?["end_s"] as? Double, json.last?["start_s"] as? Double)
            // The G is heard until 1.5 s: as long as that the two sound together.
            #expect(try #require(end) == #require(start) && abs(try #require(start) - 1.44) < 0.02, "\(json)")
            let rows = try tuner.run(["transcribe", "--csv", path]).lines.dropFirst().map { $0.split(separator: ",") }
            #expect(rows.count == 2 && rows[0][3] == rows[1][2], "\(rows)")
        }
    }

    @Test func `Transcripts name the standard error as readings do, and as they always have`() throws {
        try withTemporaryFolder { folder in
            let lines = try tuner.run(["transcribe", "--json", try melody(in: folder)]).lines
            #expect(lines.count == 3)
            for line in lines {
                let note = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                let (new, old) = (note["standard_error_cents"] as? Double, note["standard_error"] as? Double)
                #expect(new != nil && new == old, "\(line)")
            }
        }
    }

    @Test func `With --events a note is told when it begins and when it ends`() throws {
        try withTemporaryFolder { folder in
            let events = try tuner.run(["transcribe", "--events", "--json", try melody(in: folder)]).output
            #expect(events.components(separatedBy: "\"event\":\"began\"").count == 4)
            #expect(events.components(separatedBy: "\"event\":\"ended\"").count == 4)
        }
    }

    @Test func `Events of one note have its number, and say when they were told`() throws {
        try withTemporaryFolder { folder in
            let path = try melody(in: folder)
            let lines = try tuner.run(["transcribe", "--events", "--json", path]).lines
            var kinds: [Int: [String]] = [:]
            for line in lines {
                let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                let number = try #require(event["number"] as? Int)
                let (kind, start) = (try #require(event["event"] as? String), try #require(event["start_s"] as? Double))
                let told = try #require(event["told_s"] as? Double)
                kinds[number, default: []].append(kind)
                #expect(told > start)
                // The last of the decimals that are written.
                if kind != "ended" { #expect(told - start <= 0.2001, "\(line)") }
            }
            #expect(kinds.values.filter { $0.last == "ended" }.count == 3, "\(lines)")
            #expect(kinds.values.allSatisfy { $0.first == "began" && ["ended", "withdrawn"].contains($0.last) })
            // Without --events, columns and fields are as they were.
            let head = try tuner.run(["transcribe", "--csv", path]).lines[0]
            #expect(try tuner.run(["transcribe", "--csv", "--events", path]).lines[0] == head + ",number,told_s")
        }
    }

    @Test func `MIDI and MusicXML are written, and an XML parser reads the score`() throws {
        try withTemporaryFolder { folder in
            let file = try melody(in: folder)
            let (midi, score) = (folder.appending(path: "a.mid"), folder.appending(path: "a.musicxml"))
            let outcome = try tuner.run([
                "transcribe", file, "--midi", midi.path(), "--bend", "--musicxml", score.path(), "--tempo", "120",
                "--meter", "3/4",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try Data(contentsOf: midi).prefix(4) == Data("MThd".utf8))
            let read = try BuiltCommand(shell: ()).run([
                "-c",
                """
                python3 -c "
                from sys import argv; from xml.etree.ElementTree import parse
                root = parse(argv[1]).getroot()
                print(root.tag, [n.findtext('pitch/step') for n in root.iter('note')], root.findtext('.//beats'))
                " "$0"
                """, score.path(),
            ])
            #expect(read.output == "score-partwise ['A', 'C', 'E'] 3\n", "\(read.output) \(read.errors)")
        }
    }

    @Test func `Without a tempo the score follows the beats that are heard`() throws {
        try withTemporaryFolder { folder in
            // Sixteen quarters at 100 a minute.
            let path = folder.appending(path: "quarters.wav").path()
            let notes = ["A3", "C4", "E4", "G4", "F4", "D4", "E4", "C4"]
            let tones = (notes + notes).map { "synth 0.6 pluck \($0)" }.joined(separator: " : ")
            let made = try BuiltCommand(shell: ()).run([
                "-c", "sox -n -r 48000 -b 16 \"$0\" \(tones) pad 0 0.5", path,
            ])
            #expect(made.status == 0, "\(made.errors)")
            let score = folder.appending(path: "quarters.musicxml")
            let outcome = try tuner.run(["transcribe", path, "--musicxml", score.path(), "--around", "100"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let text = try String(contentsOf: score, encoding: .utf8)
            #expect(text.components(separatedBy: "<type>quarter</type>").count >= 16, "\(text)")
            #expect(text.contains("<measure number=\"4\">") && !text.contains("<measure number=\"5\">"))
        }
    }

    @Test func `Triplets are written as they are played, and MIDI is put on the grid`() throws {
        try withTemporaryFolder { folder in
            // Four bars at 100: a quarter, a triplet, two eighths, a quarter, each note another one.
            let path = folder.appending(path: "triplets.wav").path()
            let lengths = [0.6, 0.2, 0.2, 0.2, 0.3, 0.3, 0.6]
            let names = ["A3", "C4", "E4", "G4", "F4", "D4", "B3", "G3"]
            let tones = (0..<28).map { "synth \(lengths[$0 % 7]) pluck \(names[$0 % 8])" }.joined(separator: " : ")
            let made = try BuiltCommand(shell: ()).run([
                "-c", "sox -n -r 48000 -b 16 \"$0\" \(tones) pad 0 0.5", path,
            ])
            #expect(made.status == 0, "\(made.errors)")
            let (score, midi) = (folder.appending(path: "t.musicxml"), folder.appending(path: "t.mid"))
            let outcome = try tuner.run([
                "transcribe", path, "--tempo", "100", "--musicxml", score.path(), "--clef", "guitar", "--midi",
                midi.path(), "--quantize",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let text = try String(contentsOf: score, encoding: .utf8)
            #expect(text.components(separatedBy: "<actual-notes>3</actual-notes>").count == 13, "\(text)")
            #expect(text.components(separatedBy: "<tuplet type=\"start\"").count == 5)
            #expect(text.contains("<clef-octave-change>-1") && !text.contains("<measure number=\"6\">"))
            // 960 ticks a quarter: the second note of the first triplet is 320 ticks, 0x82 0x40, after the first.
            #expect(try Data(contentsOf: midi).range(of: Data([0x82, 0x40])) != nil)
        }
    }

    /// Notes of a score, as `bar:step`, and its first bar's attributes, by another program's reader of XML.
    private func read(_ score: URL) throws -> String {
        try BuiltCommand(shell: ()).run([
            "-c",
            """
            python3 -c "
            from sys import argv; from xml.etree.ElementTree import parse
            root = parse(argv[1]).getroot()
            for bar in root.iter('measure'):
                print(bar.get('number'), *[(n.findtext('pitch/step') or 'r') + n.findtext('duration') for n in bar.iter('note')])
            print(root.findtext('.//transpose/chromatic'))
            " "$0"
            """, score.path(),
        ]).output
    }

    @Test func `An upbeat stands before the first bar, in the score and in analyze`() throws {
        try withTemporaryFolder { folder in
            let file = try melody(in: folder)
            let score = folder.appending(path: "a.musicxml")
            for (upbeat, bars) in [("1/4", "0 A4\n1 C4 E4"), ("0", "1 A4 C4 E4"), ("2/4", "0 A4 C4\n1 E4")] {
                let outcome = try tuner.run([
                    "transcribe", file, "--musicxml", score.path(), "--tempo", "120", "--meter", "3/4", "--upbeat",
                    upbeat,
                ])
                #expect(outcome.status == 0, "\(outcome.errors)")
                let read = try read(score)
                #expect(read.hasPrefix(bars), "\(upbeat): \(read)")
            }
        }
    }

    @Test(arguments: [
        // A, C and E sound.
        (["--transpose", "Bb clarinet"], "1 B4 D4 F4\n-2\n"), (["--temperament", "19edo"], "1 A4 C4 E4\nNone\n"),
    ])
    func `A score has the notes of a transposing instrument, and in a tuning without twelve keys the nearest`(
        options: [String], written: String
    ) throws {
        try withTemporaryFolder { folder in
            let file = try melody(in: folder)
            let score = folder.appending(path: "a.musicxml")
            let outcome = try tuner.run(
                ["transcribe", file, "--musicxml", score.path(), "--tempo", "120", "--meter", "3/4"] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let read = try read(score)
            #expect(read == written, "\(read)")
        }
    }

    @Test func `Notes of one pitch follow each other`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "repeated.wav").path()
            let strokes = (0..<6).map { _ in "synth 0.35 pluck A3" }.joined(separator: " : ")
            _ = try BuiltCommand(shell: ()).run(["-c", "sox -n -r 48000 -b 16 \"$0\" \(strokes) pad 0 0.5", path])
            let rows = try tuner.run(["transcribe", "--json", path]).output.split(separator: "\n").map { line in
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            }
            #expect(rows.count == 6)
            for (row, next) in zip(rows, rows.dropFirst()) {
                let (end, start) = (row["end_s"] as? Double ?? 99, next["start_s"] as? Double ?? 0)
                // Each is rounded to 0.1 ms.
                #expect(end <= start + 1e-4, "\(row) \(next)")
            }
        }
    }

    @Test func `Raw sound on standard input is written down as it comes`() throws {
        try withTemporaryFolder { folder in
            let file = try melody(in: folder)
            let raw = try BuiltCommand(shell: ()).run([
                "-c", "sox \"$1\" -t raw -e float -b 32 - | \"$0\" transcribe --json -f FLOAT_LE -",
                tuner.executable.path(), file,
            ])
            #expect(raw.status == 0 && raw.output.split(separator: "\n").count == 3, "\(raw.output) \(raw.errors)")
        }
    }

    @Test func `What cannot be written down says why, with its exit status`() throws {
        try withTemporaryFolder { folder in
            let file = try melody(in: folder)
            let cases: [([String], Int32, String)] = [
                ([file, "--musicxml", "a.musicxml"], 66, "--tempo 97"), ([file, "--around", "90"], 2, "--musicxml"),
                ([file, "--musicxml", "a.musicxml", "--around", "9"], 2, "--around"),
                ([file, "--musicxml", "a.pdf", "--tempo", "90"], 2, ".musicxml"),
                ([file, "--midi", "a.wav"], 2, ".mid"), ([file, "--bend"], 2, "--midi"),
                ([file, "--tempo", "90000"], 2, "--tempo"), ([file, "--meter", "3/5"], 2, "--meter"),
                ([file, "--clef", "violin"], 2, "--clef"), ([file, "--quantize"], 2, "--midi"),
                ([file, "--midi", "a.mid", "--quantize"], 66, "--tempo 97"),
                ([file, "--shortest", "1/7"], 2, "--shortest"), ([file, "--a4", "auto"], 2, "A4"),
                ([file, file, "--midi", "a.mid"], 2, "one file"), (["none.wav"], 66, "none.wav"),
                ([file, "--midi", "/nowhere/a.mid"], 73, "/nowhere"), ([file, "--upbeat", "1/4"], 2, "--musicxml"),
                ([file, "--musicxml", "a.musicxml", "--upbeat", "4/4"], 2, "shorter than a bar of 4/4"),
                ([file, "--musicxml", "a.musicxml", "--upbeat", "1/12"], 2, "--upbeat"),
                ([file, "--musicxml", "a.musicxml", "--upbeat", "1/4/"], 2, "--upbeat"),
                ([file, "--musicxml", "a.musicxml", "--upbeat", "1/32"], 2, "--shortest 1/32"),
            ]
            for (arguments, status, words) in cases {
                let outcome = try tuner.run(["transcribe"] + arguments, in: folder)
                #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            }
        }
    }

    @Test func `A file that cannot be written is told before the melody is heard`() throws {
        let outcome = try tuner.run(["transcribe", "--musicxml", "/nowhere/a.musicxml", "-D", "none"])
        #expect(outcome.status == 73 && outcome.errors.contains("/nowhere"), "\(outcome.errors)")
    }

    @Test func `Silence has no note, and its score is empty`() throws {
        try withTemporaryFolder { folder in
            let silence = folder.appending(path: "silence.wav").path()
            _ = try BuiltCommand(shell: ()).run(["-c", "sox -n -r 48000 \"$0\" trim 0 1", silence])
            let score = folder.appending(path: "s.musicxml")
            let outcome = try tuner.run(["transcribe", silence, "--musicxml", score.path(), "--tempo", "90"])
            #expect(outcome.status == 0 && outcome.output.contains("no note"), "\(outcome.errors)")
            #expect(try String(contentsOf: score, encoding: .utf8).contains("<part id=\"P1\">"))
        }
    }
}
