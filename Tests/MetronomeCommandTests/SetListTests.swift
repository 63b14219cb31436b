import Foundation
import TestCommands
import Testing

/// Plans by name: set lists and presets.
@Suite struct SetListTests {
    private func run(_ words: [String], home: URL) throws -> BuiltCommand.Outcome {
        try BuiltCommand("metronome").run(words, environment: ["XDG_CONFIG_HOME": home.path()], in: home)
    }

    private func dryRun(_ words: [String], home: URL) throws -> String {
        let outcome = try run(words + ["--dry-run"], home: home)
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        return outcome.output
    }

    @Test func `A set list begins with its first entry, as if its words stood on the command line`() throws {
        try withTemporaryFolder { folder in
            let list = """
                # Friday
                Blackbird: 96 3/4 --sub 8th

                "Money": 7/4 120bpm --accent 3+2+2
                """
            try list.replacing("96 3/4", with: "3/4 96").write(
                to: folder.appending(path: "gig.txt"), atomically: true, encoding: .utf8)
            #expect(
                try dryRun(["--setlist", "gig.txt"], home: folder)
                    == dryRun(["3/4", "96", "--sub", "8th"], home: folder))
        }
    }

    @Test func `A preset is kept, listed, replaced and played by its name`() throws {
        try withTemporaryFolder { folder in
            #expect(try run(["7/8", "140", "--accent", "3+2+2", "--save", "seven"], home: folder).status == 0)
            #expect(try run(["100", "--swing", "2:1", "--save", "slow blues"], home: folder).status == 0)
            #expect(try run(["90", "--swing", "2:1", "--save", "slow blues"], home: folder).status == 0)
            let listed = try run(["--list-presets"], home: folder)
            #expect(listed.lines.map { $0.prefix { $0 != ":" } } == ["seven", "slow blues"], "\(listed)")
            #expect(
                try dryRun(["--preset", "Seven"], home: folder)
                    == dryRun(["7/8", "140", "--accent", "3+2+2"], home: folder))
            #expect(
                try dryRun(["--preset", "slow blues"], home: folder) == dryRun(["90", "--swing", "2:1"], home: folder))
            let path = folder.appending(path: "well-tempered/presets").path()
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `A preset keeps all that belongs to the plan, and what it cannot keep is told`() throws {
        try withTemporaryFolder { folder in
            for plan in [
                ["240", "--bars", "2"], ["100", "--for", "3s"], ["90", "--from", "3", "--bars", "2"],
                ["120", "--mute", "50", "--seed", "7", "--bars", "4"], ["80", "--bars", "2", "--whole-samples"],
            ] {
                let kept = try run(plan + ["--save", "ballad"], home: folder)
                #expect(kept.status == 0 && kept.errors.isEmpty, "\(plan): \(kept)")
                #expect(try dryRun(["--preset", "ballad"], home: folder) == dryRun(plan, home: folder), "\(plan)")
                if plan.last == "--whole-samples" {
                    #expect(try run(["--list-presets"], home: folder).output.contains(" --whole-samples"))
                }
            }
            let partly = try run(["96", "--big", "-D", "null", "--log", "--save", "ballad"], home: folder)
            #expect(partly.status == 0, "\(partly)")
            #expect(
                partly.errors == "metronome: not in the preset, to be given when it is played: --big, -D, --log\n")
            #expect(try run(["--list-presets"], home: folder).lines == ["ballad: 96 --sound=wood"])
        }
    }

    @Test(
        arguments: [
            ("song 120 --accent 4", "gig.txt, line 1: there is no name before a colon"),
            (
                "a: 90\nb: 120 --label " + String(repeating: "x", count: 5_000),
                "gig.txt, line 2: the line has more than"
            ),
            ("a: 120\nb: fast", "gig.txt, line 2: "), ("a: 120\nb: 120 --nope", "gig.txt, line 2: "),
            ("a: \"120", "a quote is not closed"),
            ("a: --help", "line 1: an entry is played, and cannot ask for a text: "), ("# nothing", "has no entries"),
        ])
    func `A line that cannot be played is named before it is needed`(text: String, hint: String) throws {
        try withTemporaryFolder { folder in
            try text.write(to: folder.appending(path: "gig.txt"), atomically: true, encoding: .utf8)
            let outcome = try run(["--setlist", "gig.txt", "--dry-run"], home: folder)
            #expect(outcome.status == 66 && outcome.output.isEmpty && outcome.errors.contains(hint), "\(outcome)")
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test func `A list and a tempo exclude each other, and an unknown preset names those there are`() throws {
        try withTemporaryFolder { folder in
            #expect(try run(["120", "--preset", "x"], home: folder).status == 2)
            let none = try run(["--preset", "x"], home: folder)
            #expect(none.status == 2 && none.errors.contains("--save x"), "\(none)")
            #expect(try run(["120", "--save", "one"], home: folder).status == 0)
            let wrong = try run(["--preset", "two"], home: folder)
            #expect(wrong.status == 2 && wrong.errors.contains("choose one of one"), "\(wrong)")
            #expect(try run(["--setlist", "nosuch.txt"], home: folder).status == 66)
        }
    }

    @Test func `The folder of presets is made with those above it, for the owner alone`() throws {
        try withTemporaryFolder { folder in
            let home = folder.appending(path: "not/yet/there")
            let kept = try BuiltCommand("metronome").run(
                ["96", "--sub", "8th", "--save", "ballad"], environment: ["XDG_CONFIG_HOME": home.path()], in: folder)
            #expect(kept.status == 0 && kept.errors.isEmpty, "\(kept)")
            for part in ["not", "not/yet", "not/yet/there", "not/yet/there/well-tempered"] {
                let mode = try FileManager.default.attributesOfItem(atPath: folder.appending(path: part).path())
                #expect(mode[.posixPermissions] as? Int == 0o700, "\(part)")
            }
            #expect(try run(["--list-presets"], home: home).lines == ["ballad: 96 --sub=8th --sound=wood"])
        }
    }

    /// A directory, a pipe that nobody writes to, a device without end, bytes that are no text, a line of a megabyte, and
    /// more entries than a player can mean.
    @Test(arguments: ["mkdir", "mkfifo", "ln -s /dev/zero", "head -c 99999 /dev/urandom >", "yes >", "names >"])
    func `Whatever lies where presets belong, the message says so, and nothing hangs or is lost`(maker: String) throws {
        try withTemporaryFolder { folder in
            let script = """
                names() { seq 1001 | sed 's/$/: 120/'; }; yes() { head -c 1000000 /dev/zero | tr '\\0' y; }
                mkdir well-tempered; \(maker) well-tempered/presets
                """
            #expect(try BuiltCommand(shell: ()).run(["-c", script], in: folder).status == 0)
            for words in [["--list-presets"], ["--preset", "x"], ["120", "--save", "x"]] {
                let outcome = try run(words, home: folder)
                let isOutput = words.contains("--save")
                #expect(outcome.status == (isOutput ? 73 : 66), "\(maker) \(words): \(outcome)")
                #expect(
                    outcome.output.isEmpty && outcome.errors.hasPrefix("metronome: "), "\(maker): \(outcome.errors)")
                #expect(outcome.errors.contains("presets") && outcome.errors.filter { $0 == "\n" }.count == 1)
                #expect(outcome.errors.count < 400 && !outcome.errors.unicodeScalars.contains { $0.value < 10 })
            }
        }
    }

    @Test(arguments: ["mkdir", "ln -s /dev/zero", "head -c 99999 /dev/urandom >", "yes >", "names >"])
    func `A set list that is none is told at once`(maker: String) throws {
        try withTemporaryFolder { folder in
            let script = """
                names() { seq 1001 | sed 's/$/: 120/'; }; yes() { head -c 1000000 /dev/zero | tr '\\0' y; }
                \(maker) gig.txt
                """
            #expect(try BuiltCommand(shell: ()).run(["-c", script], in: folder).status == 0)
            let outcome = try run(["--setlist", "gig.txt"], home: folder)
            #expect(outcome.status == 66 && outcome.output.isEmpty, "\(maker): \(outcome)")
            #expect(outcome.errors.hasPrefix("metronome: ") && outcome.errors.contains("gig.txt"))
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1 && outcome.errors.count < 400)
        }
    }

    @Test(arguments: ["", " ", "a: b", "# x", "a\nInj: 300", "\u{1B}]0;x\u{7}"])
    func `A name that a line of the file cannot hold is refused, and nothing is written`(name: String) throws {
        try withTemporaryFolder { folder in
            let outcome = try run(["120", "--save", name], home: folder)
            #expect(outcome.status == 2 && outcome.errors.contains("cannot be the name of a preset"), "\(outcome)")
            #expect(!outcome.errors.unicodeScalars.contains { $0.value == 0x1B })
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path()).isEmpty)
        }
    }

    @Test(arguments: ["--render x.wav", "-D hw:9", "--device=hw:9", "--setlist other", "--save x", "--csv -"])
    func `An entry that has an option of the device, of a file or of a list is told`(option: String) throws {
        try withTemporaryFolder { folder in
            try Data("A: 240 --bars 2\nB: 120 \(option)\n".utf8).write(to: folder.appending(path: "gig.txt"))
            let outcome = try run(["--setlist", "gig.txt", "--dry-run"], home: folder)
            #expect(outcome.status == 66, "\(outcome)")
            #expect(outcome.errors.contains("gig.txt, line 2: an entry cannot have -"), "\(outcome.errors)")
        }
    }

    @Test func `The bars of the command line end each entry`() throws {
        try withTemporaryFolder { folder in
            try Data("A: 240 --bars 9\n".utf8).write(to: folder.appending(path: "gig.txt"))
            let outcome = try run(["--setlist", "gig.txt", "--dry-run", "--bars", "2"], home: folder)
            #expect(outcome.lines.count == 3 && outcome.output.contains("end  2.000 s"), "\(outcome)")
        }
    }
}
