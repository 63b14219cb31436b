import Foundation
import TestCommands
import Testing

/// What players write, as they write it.
@Suite struct EverydayTests {
    private let tuner = BuiltCommand("tuner")
    private let cello = repository.appending(path: "samples/cello-c2.flac").path()

    /// Renders a tone and returns its path.
    private func tone(_ arguments: [String], in folder: URL, name: String = "tone.wav") throws -> String {
        let path = folder.appending(path: name).path()
        let outcome = try tuner.run(["tone"] + arguments + ["--render", path, "--for", "1"])
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return path
    }

    @Test func `A negative value may follow a blank, and a number may have its unit`() throws {
        try withTemporaryFolder { folder in
            func level(_ path: String) throws -> Double {
                let row = try tuner.run(["--csv", path]).lines.dropFirst(100).first ?? ""
                return try #require(
                    Double(row.split(separator: ",", omittingEmptySubsequences: false).dropLast().last ?? ""))
            }
            let loud = try level(try tone(["A4", "--color", "sine", "--level", "0"], in: folder))
            for text in ["-20", "-20dB", "-20 dB"] {
                let soft = try level(try tone(["A4", "--color", "sine", "--level", text], in: folder))
                #expect(abs(loud - soft - 20) < 0.2, "\(text): \(loud) and \(soft)")
            }
            let path = try tone(["442Hz", "--color", "sine"], in: folder)
            for a4 in ["442Hz", "442 hz", "442"] {
                #expect(try tuner.run(["--summary", "--a4", a4, path]).output.contains("+0.0 c"), "\(a4)")
            }
            let moved = try tuner.run(["--summary", "--a4", "442", "--sweeten", "-2", path])
            #expect(moved.output.contains("+2.0 c"), "\(moved.output) \(moved.errors)")
        }
    }

    @Test(arguments: [
        (["hw:0"], "-D hw:0", Int32(66)), (["plughw:1,0"], "-D plughw:1,0", 66), (["default"], "-D default", 66),
        (["--plot", "x.svg", "take.wav"], "tuner analyze FILE --plot", 2), (["--list"], "--list-instruments", 2),
        (["guitar", "violin"], "-i \"guitar\"", 66), (["Eb3"], "tuner tone", 66),
        (["--reference", "442"], "--a4 442", 2), (["tone", "--seconds", "3"], "--for 10", 2),
        (["tone", "--volume", "3"], "--level -20", 2),
        (["--tolerance", "-1"], "'--tolerance <cents>' cannot be -1", 2),
        (["--tolerance", "-1"], "`tuner --help-all` lists the ranges", 2),
        (["transcribe", "--tempo", "-1"], "`tuner transcribe --help` lists the ranges", 2),
        (["analyze", "violin"], "-i \"violin\"", 66), (["analyze", "hw:0"], "-D hw:0", 66),
    ])
    func `What is called otherwise here is told by its name`(
        _ arguments: [String], _ spelling: String, _ status: Int32
    ) throws {
        let outcome = try tuner.run(arguments)
        #expect(outcome.status == status && outcome.errors.contains(spelling), "\(arguments): \(outcome.errors)")
    }

    @Test func `A file of a phone is told with the line that converts it`() throws {
        try withTemporaryFolder { folder in
            let take = folder.appending(path: "take.m4a")
            try Data((0..<2_000).map { UInt8($0 * 7 % 256) }).write(to: take)
            for arguments in [[take.path()], ["analyze", take.path()]] {
                let outcome = try tuner.run(arguments)
                #expect(outcome.status == 66)
                #expect(
                    outcome.errors.contains(
                        "ffmpeg -i \"\(take.path())\" \"\(folder.appending(path: "take.wav").path())\""),
                    "\(outcome.errors)")
            }
        }
    }

    @Test func `The line that converts a file is safe in a shell, whatever the file is called`() throws {
        try withTemporaryFolder { folder in
            let name = "it's $(touch gone) `touch gone`.m4a"
            try Data(repeating: 7, count: 2_000).write(to: folder.appending(path: name))
            let said = try tuner.run([name], in: folder).errors
            let line = try #require(said.split(separator: "convert it: ").last).trimmingCharacters(in: .newlines)
            // A shell that runs the line with another ffmpeg gets the two names.
            let script = "ffmpeg() { printf '%s\\n' \"$@\"; }; \(line)"
            let words = try BuiltCommand(shell: ()).run(["-c", script], in: folder).lines
            #expect(words == ["-i", Substring(name), "it's $(touch gone) `touch gone`.wav"], "\(line)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "gone").path()))
        }
    }

    @Test func `analyse is analyze, and the name of an instrument is short for the option`() throws {
        let british = try tuner.run(["analyse", cello])
        #expect(british.status == 0 && british.output.contains("C2"), "\(british.errors)")
        // No microphone here: the error is that of the device, not of a file.
        let guitar = try tuner.run(["guitar", "--tuning", "E A D G B E", "-D", "nowhere"])
        #expect(guitar.status == 69 && guitar.errors.contains("nowhere"), "\(guitar.errors)")
        let wrong = try tuner.run(["guitar", "--tuning", "X"])
        #expect(wrong.status == 2 && wrong.errors.contains("tuning of the guitar"), "\(wrong.errors)")
        try withTemporaryFolder { folder in
            // A file of that name is a file.
            try FileManager.default.copyItem(atPath: cello, toPath: folder.appending(path: "guitar").path())
            #expect(try tuner.run(["--summary", "guitar"], in: folder).output.contains("C2"))
        }
    }

    @Test func `Comma-separated values name the file, of readings and of notes`() throws {
        let readings = try tuner.run(["--csv", cello])
        #expect(readings.lines.count > 100 && readings.lines.dropFirst().allSatisfy { $0.hasPrefix(cello + ",") })
        let notes = try tuner.run(["--csv", "--summary", cello])
        #expect(notes.lines.first == "file,start_s,end_s,note,midi,cents,spread_cents,hz")
        #expect(notes.lines.count == 2 && notes.lines[1].contains(",C2,36,"), "\(notes.output)")
        let object = try JSONSerialization.jsonObject(
            with: Data(try tuner.run(["--json", "--summary", cello]).output.utf8))
        #expect((object as? [String: Any])?["midi"] as? Int == 36)
        let analysis = try tuner.run(["analyze", "--csv", cello])
        #expect(analysis.lines.count == 2 && analysis.lines[1].contains(",C2,36,"), "\(analysis.output)")
        #expect(analysis.lines[0].hasPrefix("file,note,midi,seconds,mean_cents"))
    }

    @Test func `A part of a recording is analysed by its times`() throws {
        try withTemporaryFolder { folder in
            let parts = try ["A3", "E4"].map { try tone([$0], in: folder, name: "\($0).wav") }
            let both = folder.appending(path: "both.wav").path()
            _ = try BuiltCommand(shell: ()).run(["-c", "sox \"$0\" \"$1\" \"$2\"", parts[0], parts[1], both])
            let first = try tuner.run(["analyze", both, "--from", "0", "--to", "0.9"])
            #expect(first.output.contains("A3") && !first.output.contains("E4"), "\(first.output) \(first.errors)")
            let second = try tuner.run(["analyze", both, "--from", "1.1s"])
            #expect(second.output.contains("E4") && !second.output.contains("A3"), "\(second.output) \(second.errors)")
            let wrong = try tuner.run(["analyze", both, "--from", "1:30"])
            #expect(wrong.status == 66 && wrong.errors.contains("--from"), "\(wrong.errors)")
            #expect(try tuner.run(["analyze", both, "--from", "2", "--to", "1"]).status == 2)
        }
    }

    @Test func `A fifth sounds with both of its notes, and a letter alone is the string of that name`() throws {
        try withTemporaryFolder { folder in
            let fifth = try tone(["D3", "A3", "--color", "sine", "--level", "0"], in: folder)
            let heard = try BuiltCommand(shell: ()).run([
                "-c", "for f in 146.83 220; do sox \"$0\" -n sinc \"$f\"-\"$f\" stat 2>&1 | grep RMS.*ampl; done",
                fifth,
            ])
            let levels = heard.lines.compactMap { Double($0.split(separator: " ").last ?? "") }
            #expect(levels.count == 2 && levels.allSatisfy { $0 > 0.1 }, "\(heard.output)")
            let letter = try tone(["A"], in: folder)
            #expect(try tuner.run(["--summary", letter]).output.contains("A4    +0.0 c"))
            let string = try tone(["A", "-i", "guitar"], in: folder)
            #expect(try tuner.run(["--summary", string]).output.contains("A2    +0.0 c"))
            let first = try tone(["-i", "violin"], in: folder)
            #expect(try tuner.run(["--summary", first]).output.contains("G3    +0.0 c"))
            let many = try tuner.run(["tone", "A3", "B3", "C4", "D4", "E4", "--render", "x.wav"], in: folder)
            #expect(many.status == 2 && many.errors.contains("4 tones"), "\(many.errors)")
        }
    }

    @Test func `Mains hum is told with --verbose, once, and is no note`() throws {
        try withTemporaryFolder { folder in
            let hum = folder.appending(path: "hum.wav").path()
            // A string that dies away over hum at -50 dB with odd partials.
            let made = try BuiltCommand(shell: ()).run([
                "-c",
                "d=$(mktemp -d -p \"$1\") && cd \"$d\" && sox -n -r 48000 s.wav synth 5 pluck 110 gain -10 && "
                    + "sox -n -r 48000 h.wav synth 10 sine 50 synth 10 sine mix 150 gain -50 && "
                    + "sox -m -v 1 s.wav -v 1 h.wav \"$0\" && rm -r \"$d\"", hum, folder.path(),
            ])
            #expect(made.status == 0, "\(made.errors)")
            let outcome = try tuner.run(["--summary", "--verbose", "-i", "guitar", hum])
            #expect(outcome.lines.allSatisfy { $0.contains(" A2 ") }, "\(outcome.output)")
            #expect(outcome.errors.contains("hum"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count <= 2)
        }
    }

    @Test func `An error in a setting names file and line, whatever finds it`() throws {
        try withTemporaryFolder { folder in
            for (setting, line, arguments) in [
                ("instrument = \"kazoo\"", 2, [cello]), ("temperament = \"nope\"", 2, [cello]),
                ("a4 = \"4x\"", 2, [cello]), ("scale = \"missing.scl\"", 2, [cello]),
                ("instrument = \"guitar\"\ntuning = \"XYZ\"", 3, [cello]), ("transpose = \"Q\"", 2, [cello]),
                ("names = \"klingon\"", 2, [cello]), ("tolerance = -3", 2, [cello]),
                ("response = \"quick\"", 2, [cello]),
                ("device = \"nowhere\"", 2, []),
            ] {
                let file = folder.appending(path: "config.toml")
                try Data("[tuner]\n\(setting)\n".utf8).write(to: file)
                let outcome = try tuner.run(["--config", file.path()] + arguments)
                #expect(
                    outcome.errors.contains("config.toml, line \(line): ") && outcome.status != 0,
                    "\(setting): \(outcome.status) \(outcome.errors)")
            }
            for text in ["[.tuner]\na4 = 442\n", "[\u{1}tuner]\n"] {
                try Data(text.utf8).write(to: folder.appending(path: "config.toml"))
                let outcome = try tuner.run(["--config", "config.toml", cello], in: folder)
                #expect(outcome.status == 66 && outcome.errors.contains("config.toml, line 1"), "\(outcome)")
            }
        }
    }

    @Test func `A long recording shows its progress on a terminal, and nowhere else`() throws {
        try withTemporaryFolder { folder in
            // Some seconds of work each: nothing is shown within the first two.
            for (line, minutes) in [("--summary", 30), ("analyze", 8)] {
                let long = folder.appending(path: "long.wav").path()
                let made = try BuiltCommand(shell: ()).run([
                    "-c", "sox -n -r 8000 -b 16 \"$0\" synth \(60 * minutes) sawtooth 110 vol 0.3", long,
                ])
                #expect(made.status == 0, "\(made.errors)")
                let piped = try tuner.run([line, long])
                #expect(piped.status == 0 && piped.errors.isEmpty, "\(line): \(piped.status) \(piped.errors)")
                let shown = try BuiltCommand(shell: ()).run([
                    "-c", "script -qec \"'$0' \(line) '$1' > /dev/null\" /dev/null | tr '\\r' '\\n'",
                    tuner.executable.path(), long,
                ])
                #expect(
                    shown.output.contains("long.wav: ") && shown.output.contains(" %, "), "\(line): \(shown.output)")
            }
        }
    }
}
