import Foundation
import TestCommands
import Testing

/// Spellings that a musician tries first.
@Suite struct SpellingTests {
    private func dryRun(_ words: [String]) throws -> BuiltCommand.Outcome {
        try BuiltCommand("metronome").run(words + ["--dry-run"])
    }

    @Test(
        arguments: [
            (["120bpm"], ["120"]), (["120BPM"], ["120"]), (["120 BPM"], ["120"]), (["120", "bpm"], ["120"]),
            (["120,5"], ["120.5"]), (["97,25"], ["97.25"]), (["--tempo", "120"], ["120"]), (["--bpm", "120"], ["120"]),
            (["3/4", "120bpm", "X.x"], ["3/4", "120", "X.x"]), (["3/4", "--bpm", "120"], ["3/4", "120"]),
            (["4=120,5"], ["4=120.5"]), (["120", "--sub", "triplets"], ["120", "--sub", "triplet"]),
            (["120", "--sub", "eighth"], ["120", "--sub", "8th"]),
            (["120", "--sub", "eighths"], ["120", "--sub", "8th"]),
            (["120", "--sub", "sixteenths"], ["120", "--sub", "16th"]),
            (["120", "--sub", "quavers"], ["120", "--sub", "8th"]),
        ])
    func `A spelling that means one thing only is read as that`(given: [String], meant: [String]) throws {
        let (found, expected) = (try dryRun(given), try dryRun(meant))
        #expect(found.status == 0 && found.output == expected.output, "\(given): \(found)")
    }

    @Test(
        arguments: [
            (["120", "4"], "did you mean 4/4 120?"), (["96", "3"], "did you mean 3/4 96?"),
            (["120,500"], "column 4"), (["120", "--tempo", "100"], "--tempo"), (["120", "--sub", "ninths"], "triplet"),
            (["--list"], "use -l for sound cards, --list-sounds or --list-presets"),
            (["120", "--time-signature=7/8"], "use --meter 7/8"), (["120", "--subdivision", "8th"], "use --sub 8th"),
            (["120", "--accents", "4"], "use --accent 3+2+2"), (["120", "-o", "x.wav"], "use --render FILE"),
        ])
    func `What means two things is a question, and names the right spelling`(given: [String], hint: String) throws {
        let outcome = try dryRun(given)
        #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.errors.contains(hint), "\(given): \(outcome)")
        #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test(
        arguments: [
            (["--export", "json", "log"], "did you mean `metronome log --export json`?"),
            (["--json", "review", "take.wav", "120"], "use `metronome review ...`"),
            (["--sub", "8th", "log"], "use `metronome log ...`"),
        ])
    func `A subcommand behind an option is told to stand before it`(given: [String], hint: String) throws {
        let outcome = try BuiltCommand("metronome").run(given)
        #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.errors.contains(hint), "\(given): \(outcome)")
    }

    @Test func `The name of a subcommand as an option's value is no subcommand`() throws {
        let outcome = try BuiltCommand("metronome").run(["--piece", "review", "--bad"])
        #expect(outcome.status == 2 && outcome.errors.contains("--bad"), "\(outcome)")
        #expect(!outcome.errors.contains("subcommand"), "\(outcome)")
    }

    @Test func `Bars before a slow tempo are still bars where they can be meant`() throws {
        #expect(try dryRun(["8", "120"]).status == 0 && dryRun(["4", "40"]).status == 0)
        #expect(try dryRun(["4", "--bars", "120"]).status == 0)
        #expect(try dryRun(["120", "4/4", "4"]).status == 0)
    }

    @Test func `The recording's tempo is read in the same spellings`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.flac").path()
            #expect(try BuiltCommand("metronome").run(["97.5", "--for", "6s", "--render", file]).status == 0)
            for tempo in [["97.5"], ["97,5"], ["97.5bpm"], ["97.5", "BPM"], ["97,5 BPM"]] {
                let outcome = try BuiltCommand("metronome").run(["verify", file] + tempo)
                #expect(outcome.status == 0 && outcome.output.contains(": 97.5000 BPM"), "\(tempo): \(outcome)")
            }
        }
    }

    @Test func `A negative value may follow its option after a blank`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.wav").path()
            for words in [["--volume", "-6"], ["--clock", "-20"]] {
                let outcome = try BuiltCommand("metronome").run(["120", "--bars", "1", "--render", file] + words)
                #expect(outcome.status == 0, "\(words): \(outcome)")
            }
            for step in ["-5/4b..60", "-2/1b..100"] {
                let outcome = try dryRun(["120", "--step", step])
                #expect(outcome.status == 0, "\(step): \(outcome)")
            }
        }
    }
}
