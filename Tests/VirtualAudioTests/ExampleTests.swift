import Foundation
import TestCommands
import Testing

/// Runs every command line of the README, the manual pages and the first lines of the help texts as printed, on the test
/// card. A command that does not end by itself gets a Ctrl-C after its first output.
@Suite struct ExampleTests {
    /// The examples that do not run here, and the reason.
    private let elsewhere = [
        "make demo": "installs packages as root and builds everything; it is the first command anybody types",
        "make check": "is what runs this test",
        "make bench": "builds the benchmarks and measures for minutes",
        "make bench PART=rivals": "installs packages as root",
        "make install PREFIX=/usr/local": "builds everything and writes outside of a temporary folder",
        "make docs": "make check runs it as a part of its last tier",
        "make deb": "builds everything; `make deb CHECK=1` installs what it makes",
        "make install-c PREFIX=/usr/local":
            "builds everything; Tests/Rigs/c-library.sh runs it with another prefix",
        "metronome 96 --listen --plot take.svg": "needs a player; ListenTests has one",
        "metronome 80 --bars 8 --listen --until 10ms": "needs a player; ListenTests has one",
        "metronome 96 --accent 4 --listen --plot take.svg": "needs a player; ListenTests has one",
        "metronome --follow": "needs a player; FollowTests has one",
        "metronome 120 --bars 8 --verify": "needs a card that hears itself; LoopTests has one",
        "metronome calibrate latency --input hw:1": "needs a card that hears itself; LoopTests has one",
    ]

    /// Lists the cards of the machine; without any it prints one sentence and ends with status 69.
    private let listsCards: Set<String> = ["tuner -l"]

    /// Whether a command ends by itself: it only writes, or it reads recordings. The sounds of a metronome are files, too,
    /// and it goes on.
    private func endsByItself(_ command: String) -> Bool {
        let words = command.split(separator: " ")
        let readsRecordings =
            words.first == "tuner" || words.contains("verify") || words.contains("review")
            || words.contains("tempo")
        return words.contains { word in
            ["--render", "--dry-run", "config", "--list-sounds", "--help", "--help-all", "--csv", "--save"].contains(
                word)
                || readsRecordings && [".flac", ".wav", ".ogg", ".mp3"].contains { word.hasSuffix($0) }
        }
    }

    private func examples() throws -> [Example] {
        let readme = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
        var examples = Example.all(inMarkdown: readme, named: "README.md")
        try #require(examples.count >= 25, "the README is read")
        for name in ["tuner", "metronome"] {
            let page = Example.all(
                inManual: try BuiltCommand(name).run(["--generate-manual"]).output, named: "\(name)(1)")
            let help = Example.all(inHelp: try BuiltCommand(name).run(["--help"]).output, of: name)
            try #require(
                page.count >= 7 && help.count == 3, "\(name): \(page.count) in its page, \(help.count) in its help")
            examples += page + help
        }
        return examples
    }

    /// Makes what the examples use: recordings, a tempo map, a home, a card that hears a tone and is also called hw:1.
    private func prepare(_ folder: URL) throws -> [String: String] {
        let files = FileManager.default
        try files.createSymbolicLink(
            at: folder.appending(path: "samples"), withDestinationURL: repository.appending(path: "samples"))
        try files.copyItem(
            at: repository.appending(path: "samples/cello-c2.flac"), to: folder.appending(path: "take.flac"))
        try Data("intro: 2 4/4 120\nverse: 8 3/4 120-140 X.x 0.5\n".utf8).write(
            to: folder.appending(path: "song.map"))
        for file in ["solo.wav", "recorder.ogg"] {
            let made = try BuiltCommand("tuner").run(["tone", "A4", "--render", file, "--for", "2"], in: folder)
            try #require(made.status == 0, "\(made.errors)")
        }
        try Data("Money: 7/4 120 --accent 3+2+2\n".utf8).write(to: folder.appending(path: "gig.txt"))
        try files.copyItem(
            at: repository.appending(path: "Tests/Browser/scores"), to: folder.appending(path: "scores"))
        for file in ["take.wav", "take.mp3"] {
            let take = try BuiltCommand("metronome").run(["120", "--bars", "4", "--render", file], in: folder)
            try #require(take.status == 0, "\(take.errors)")
        }
        let card = repository.appending(path: "Tests/Rigs/test-card.sh").path()
        let built = try BuiltCommand(shell: ()).run([card, "build", folder.path()])
        try #require(built.status == 0, "\(built.errors)")
        let tone = try BuiltCommand(shell: ()).run(
            [
                "-c",
                "sox -n -r 48000 -c 2 -t f32 in.raw synth 20 sine 110 gain -12 && printf 'pcm.!hw { @args [ CARD ] "
                    + "@args.CARD { type string } type testcard infile \"\(folder.path())/in.raw\" }\\n' >> asound.conf",
            ], in: folder)
        try #require(tone.status == 0, "\(tone.errors)")
        let bin = BuiltCommand("tuner").executable.deletingLastPathComponent().path()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "ALSA_CONFIG_PATH": folder.appending(path: "asound.conf").path(), "PATH": "\(bin):\(path)",
            "HOME": folder.path(), "XDG_CONFIG_HOME": folder.appending(path: "settings").path(),
        ]
    }

    @Test func `Every example of the README, the manual pages and the helps runs as printed`() throws {
        let examples = try examples()
        var (finished, played) = (0, 0)
        try withTemporaryFolder { folder in
            let environment = try prepare(folder)
            for example in examples where elsewhere[example.command] == nil {
                let ends = endsByItself(example.command) || listsCards.contains(example.command)
                // A reference tone prints nothing; its sign is what the card has heard.
                let sign = example.command.hasPrefix("tuner tone") ? folder.appending(path: "out.raw") : nil
                try? FileManager.default.removeItem(at: folder.appending(path: "out.raw"))
                let outcome = try BuiltCommand(shell: ()).run(
                    ["-c", example.command], environment: environment, in: folder, limit: 60,
                    isEnough: ends
                        ? nil : { output in (try? Data(contentsOf: sign ?? output))?.isEmpty == false })
                let allowed: Set<Int32> = listsCards.contains(example.command) ? [0, 69] : ends ? [0] : [130]
                // In a pipe the first command gets the Ctrl-C too, and its output may end first.
                let isPipe = example.command.contains(" | ")
                #expect(
                    allowed.contains(outcome.status) || isPipe && !ends && outcome.status == 0,
                    "\(example): status \(outcome.status) \(outcome.errors)")
                if ends { finished += 1 } else { played += 1 }
                try compare(outcome, example, ends: ends)
            }
        }
        print("examples: \(finished) that end, \(played) that go on, not run here:")
        for (command, reason) in elsewhere.sorted(by: { $0.key < $1.key }) {
            #expect(examples.contains { $0.command == command }, "\(command) is not in any page any more")
            print("    \(command): \(reason)")
        }
    }

    /// The lines that the README shows below a command equal its output. The last digit of a number may differ, since FFTW
    /// adds in another order on other machines.
    private func compare(_ outcome: BuiltCommand.Outcome, _ example: Example, ends: Bool) throws {
        guard ends, !example.output.isEmpty else { return }
        #expect(outcome.lines.count == example.output.count, "\(example): \(outcome.output)")
        for (line, printed) in zip(outcome.lines, example.output) {
            let (words, expected) = (line.split(separator: " "), printed.split(separator: " "))
            let isSame =
                words.count == expected.count
                && zip(words, expected).allSatisfy { word, wanted in
                    guard let number = Double(word), let other = Double(wanted) else { return word == wanted }
                    return abs(number - other) < 0.15
                }
            #expect(isSame, "\(example):\n\(printed)\nbut it prints\n\(line)")
        }
    }

    @Test func `What the README shows of the running tuner and metronome is what a terminal shows`() throws {
        let readme = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
        // One line that is redrawn. CalibrateTests compare the output of calibrations.
        let live = Example.all(inMarkdown: readme, named: "README.md").filter {
            $0.output.count == 1 && !endsByItself($0.command)
        }
        try #require(live.count == 2)
        for example in live {
            // Escape brackets and dots for the regular expression.
            let shown = example.output[0].replacing(/[\[\].+?*(){}|^$\\]/) { "[" + $0.output + "]" }
                .replacing("[[]", with: "\\[").replacing("[]]", with: "\\]").replacing("[^]", with: "\\^")
                // A beat is on the screen for 0.6 s. A machine that looks too late finds it in another bar.
                .replacing(#/bar \d+ /#, with: "bar [0-9]+ ")
            let words = example.command.split(separator: " ", maxSplits: 1)
            let outcome = try TestCardTerminal.run(
                // A2, 0.3 cents flat, at -30 dB of level.
                """
                sox -n -r 48000 -c 2 -t f32 in.raw synth 60 sine 109.981 gain -26.99
                start 80 24 LC_ALL=C.UTF-8 \(words[0]) \(words[1]); expect shown '^\(shown)'
                """)
            #expect(outcome.output == "ok shown\n", "\(example)\n\(outcome.output)\(outcome.errors)")
        }
    }
}
