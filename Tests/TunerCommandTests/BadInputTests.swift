import Foundation
import TestCommands
import Testing

@Suite struct BadInputTests {
    private let tuner = BuiltCommand("tuner")

    /// Runs the tuner where it must fail, and checks what every failure owes its user.
    private func failure(_ arguments: [String], status: Int32, says words: [String], input: Data = Data()) throws {
        let outcome = try tuner.run(arguments, input: input)
        #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.hasPrefix("tuner: "), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "one sentence: \(outcome.errors)")
        for word in words { #expect(outcome.errors.lowercased().contains(word.lowercased()), "\(outcome.errors)") }
        #expect(!outcome.errors.contains("Fatal error"))
    }

    @Test func `Options without end are refused at once, and as many files are not`() throws {
        let options = try BuiltCommand("tuner").run(Array(repeating: "--line", count: 20_000))
        #expect(options.status == 2 && options.errors.contains("more than 1,000 options"), "\(options.errors)")
        let files = try BuiltCommand("tuner").run(["--"] + Array(repeating: "--none.wav", count: 20_000))
        #expect(files.status == 66 && files.errors.contains("--none.wav"), "\(files.errors.prefix(200))")
    }

    @Test func `A missing file, a directory, an empty file and a text file each have their own sentence`() throws {
        try withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "empty.wav"))
            try Data("These are words.\n".utf8).write(to: folder.appending(path: "words.wav"))
            try failure(["no-such-file.wav"], status: 66, says: ["no-such-file.wav", "no file"])
            try failure([folder.path()], status: 66, says: ["directory"])
            try failure([folder.appending(path: "empty.wav").path()], status: 66, says: ["empty.wav", "empty"])
            try failure([folder.appending(path: "words.wav").path()], status: 66, says: ["words.wav", "sound file"])
        }
    }

    @Test func `A subcommand behind an option is told to stand before it`() throws {
        let sample = repository.appending(path: "samples/cello-c2.flac").path()
        for words in [["transcribe", sample], ["calibrate"], ["analyze", "none.wav"]] {
            try failure(["--json"] + words, status: 2, says: ["\(words[0]) is a subcommand", "tuner \(words[0]) ..."])
        }
    }

    @Test func `Contradicting options and numbers below zero are errors`() throws {
        let sample = repository.appending(path: "samples/cello-c2.flac").path()
        for names in ["solfege", "japanese", "korean", "sargam"] {
            try failure(
                [sample, "--octaves", "helmholtz", "--names", names], status: 2, says: ["helmholtz", "letters"])
        }
        try failure([sample, "-i", "guitar", "--capo", "-1"], status: 2, says: ["between 0 and 24"])
        try failure([sample, "-d", "0"], status: 2, says: ["more than 0"])
        try failure([sample, "--transpose", "+2"], status: 2, says: ["'+2'", "2 semitones are M2"])
        try failure([sample, "--transpose", "+x"], status: 2, says: ["before the number"])
    }

    @Test func `A FLAC that breaks off is read up to there, and then reported`() throws {
        try withTemporaryFolder { folder in
            let whole = try Data(contentsOf: repository.appending(path: "samples/cello-c2.flac"))
            let cut = folder.appending(path: "cut.flac")
            try whole.prefix(whole.count / 2).write(to: cut)
            for command in [[], ["transcribe"], ["analyze"], ["analyze", "--json"]] {
                let outcome = try tuner.run(command + [cut.path()])
                #expect(outcome.status == 66)
                #expect(outcome.errors.contains("cut.flac") && outcome.errors.contains("breaks off"))
                #expect(outcome.output.contains("C2"), "what is there is read")
            }
        }
    }

    /// A WAV header (RIFF, 16 bit) with the given channel count and rate, and a little silence.
    private func wave(channels: UInt16, rate: UInt32) -> Data {
        var data = Data("RIFF".utf8)
        func little<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        let samples = Data(count: 16_000)
        little(UInt32(36 + samples.count))
        data.append(Data("WAVEfmt ".utf8))
        little(UInt32(16))
        little(UInt16(1))
        little(channels)
        little(rate)
        little(rate * UInt32(channels) * 2)
        little(channels * 2)
        little(UInt16(16))
        data.append(Data("data".utf8))
        little(UInt32(samples.count))
        return data + samples
    }

    @Test func `A file of no channels is refused, one at 8 kHz is read`() throws {
        try withTemporaryFolder { folder in
            let none = folder.appending(path: "none.wav")
            try wave(channels: 0, rate: 48_000).write(to: none)
            try failure([none.path()], status: 66, says: ["none.wav"])
            let slow = folder.appending(path: "slow.wav")
            try wave(channels: 1, rate: 8_000).write(to: slow)
            let outcome = try tuner.run(["--json", slow.path()])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.lines.count > 50 && outcome.output.contains("\"note\":null"))
            let crawling = folder.appending(path: "crawling.wav")
            try wave(channels: 1, rate: 100).write(to: crawling)
            try failure([crawling.path()], status: 66, says: ["crawling.wav", "100 Hz"])
        }
    }

    @Test func `A missing file does not stop the others, and sets the exit status`() throws {
        let sample = repository.appending(path: "samples/ukulele-c4.flac").path()
        let outcome = try tuner.run(["missing.wav", sample])
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("missing.wav"))
        #expect(outcome.output.contains("C4"))
    }

    @Test(arguments: [
        (["--frequency"], "--frequency"), (["--a4", "abc"], "abc"), (["--a4", "1e9"], "300 to 600"),
        (["--a4", "-5"], "a4"), (["-r", "0", "-"], "--rate"), (["-r", "2", "-"], "4000"),
        (["tone", "A4", "-r", "3999"], "4000"), (["-c", "-1", "-"], "channels"),
        (["--channel", "0"], "--channel"), (["-f", "S16_LE"], "--format"), (["-", "-"], "once"),
        (["--tolerance", "0", "x"], "--tolerance"), (["--tolerance", "wide", "x"], "cents"),
        (["--response", "quick"], "quick"), (["analyze", "--json", "--csv", "x"], "exclude"),
        (["analyze", "--from", "3", "--to", "2", "x"], "--from"), (["--summary"], "--summary"),
        (["--method", "guess"], "guess"),
        (["-f", "S17_LE", "-"], "S17_LE"), (["--json", "--csv", "x"], "exclude"),
        (["--temperament", "guess", "x"], "guess"),
        (["--temperament", "sorge", "x"], "Sorge 1758"), (["--key", "Q", "x"], "Q"),
        (["--instrument", "kazoo", "x"], "kazoo"),
        (["--tuning", "DADGAD", "x"], "--instrument"), (["-i", "guitar", "--tuning", "XYZ", "x"], "XYZ"),
        (["-i", "guitar", "--capo", "99", "x"], "--capo"), (["-i", "guitar", "--string", "7", "x"], "1 to 6"),
        (["--names", "klingon", "x"], "klingon"), (["--transpose", "Q flat", "x"], "Q flat"),
        (["--sweeten", "E2=", "x"], "E2="), (["--view", "radar"], "radar"), (["--clock", "1e9", "x"], "--clock"),
        (["tone", "H99"], "H99"), (["tone", "A4", "--level", "5"], "--level"), (["analyze"], "file"),
        (["analyze", "--plot", "x.svg", "a", "b"], "--plot"), (["--mapping", "x.kbm", "x"], "--scale"),
    ])
    func `A wrong option gives one sentence and status 2`(
        _ arguments: [String], _ word: String
    ) throws {
        try failure(arguments, status: 2, says: [word])
    }

    @Test func `A reader that closes the pipe ends the tuner without a message`() throws {
        let sample = repository.appending(path: "samples/cello-c2.flac").path()
        let shell = BuiltCommand(shell: ())
        let outcome = try shell.run([
            "-c", "\"$0\" --json \"$1\" \"$1\" \"$1\" \"$1\" | head -n 1; echo \"${PIPESTATUS[0]}\"",
            tuner.executable.path(), sample,
        ])
        #expect(outcome.errors == "")
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.last == "0")
    }

    @Test func `Raw sound on standard input is read in the format that is named`() throws {
        // One second of a 441 Hz square wave, unsigned bytes at 44.1 kHz: 100 samples a period exactly.
        let square = Data((0..<44_100).map { $0 % 100 < 50 ? 192 : 64 })
        let outcome = try tuner.run(["-", "-f", "U8", "-r", "44100", "-c", "1", "--summary"], input: square)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("A4") && outcome.output.contains("441.0"), "\(outcome.output)")
    }

    @Test func `An empty stream is told as an empty file is`() throws {
        for words in [["-"], ["-", "-f", "S16_LE", "-r", "48000", "-c", "2"], ["-", "--json"], ["--strum", "-"]] {
            for input in [Data(), Data([1])] {
                let outcome = try tuner.run(words, input: input)
                #expect(outcome.status == 66 && outcome.output.isEmpty, "\(words): \(outcome)")
                #expect(outcome.errors.hasPrefix("tuner: there is no sound on standard input: "), "\(outcome.errors)")
                #expect(outcome.errors.split(separator: "\n").count == 1)
            }
        }
        try failure(["transcribe", "-"], status: 66, says: ["no sound on standard input"])
    }

    @Test func `Help is data on standard output`() throws {
        let help = try tuner.run(["--help"])
        #expect(
            help.status == 0 && help.errors.isEmpty && help.output.contains("tuner --instrument guitar --tuning DADGAD")
        )
        #expect(help.lines.count <= 24, "help fits a screen")
        #expect(help.lines.allSatisfy { $0.count <= 80 })
        for word in ["listen", "analyze", "tone", "config"] {
            let more = try tuner.run([word, "--help"])
            #expect(more.status == 0 && more.output.contains("USAGE"), "\(word)")
        }
    }
}

@Suite struct StandardInputTests {
    private func shell(_ line: String) throws -> BuiltCommand.Outcome {
        let folder = temporaryPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sample = repository.appending(path: "samples/cello-c2.flac").path()
        return try BuiltCommand(shell: ()).run(
            // What has no name that is a text cannot be removed by Foundation.
            [
                "-c", "cd '\(folder.path())' && trap 'rm -f ./*' EXIT && \(line)",
                BuiltCommand("tuner").executable.path(), sample,
            ], limit: 20)
    }

    @Test func `A closed standard input ends with a sentence`() throws {
        let outcome = try shell("\"$0\" - <&-")
        #expect(outcome.status == 66 && outcome.errors.contains("standard input is closed"), "\(outcome)")
    }

    @Test func `A file is found whose name is no text`() throws {
        let outcome = try shell("cp \"$1\" $'low\\xff.flac' && \"$0\" --summary $'low\\xff.flac'")
        #expect(outcome.status == 0 && outcome.output.contains("C2"), "\(outcome)")
        let tone = try shell("\"$0\" tone A4 --for 1 --render $'a\\xff.wav' && ls | LC_ALL=C grep -c $'^a\\xff.wav$'")
        #expect(tone.status == 0 && tone.output == "1\n", "\(tone)")
    }
}

@Suite struct FullDiskTests {
    @Test func `Output that cannot be written is an error, not a success`() throws {
        let sample = repository.appending(path: "samples/cello-c2.flac").path()
        let outcome = try BuiltCommand(shell: ()).run([
            "-c", "\"$0\" --json \"$1\" > /dev/full", BuiltCommand("tuner").executable.path(), sample,
        ])
        #expect(outcome.status == 73)
        #expect(outcome.errors.hasPrefix("tuner: cannot write to standard output"))
    }
}
