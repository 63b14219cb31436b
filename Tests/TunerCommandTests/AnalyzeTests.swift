import Foundation
import TestCommands
import Testing

@Suite struct AnalyzeTests {
    private let tuner = BuiltCommand("tuner")

    @Test func `A take is summed up, and drawn as a picture that an XML parser reads`() throws {
        try withTemporaryFolder { folder in
            let sample = repository.appending(path: "samples/cello-c2.flac").path()
            let picture = folder.appending(path: "take.svg")
            let outcome = try tuner.run(["analyze", sample, "--plot", picture.path()])
            #expect(outcome.status == 0, "\(outcome.errors)")
            for part in ["C2", "A4 that fits best"] { #expect(outcome.output.contains(part), "\(outcome.output)") }
            let svg = try String(contentsOf: picture, encoding: .utf8)
            #expect(svg.hasPrefix("<svg") && svg.contains("spectrogram") && svg.contains(">C2<"))
            let check = try BuiltCommand(shell: ()).run(["-c", "rsvg-convert \"$0\" | wc -c", picture.path()])
            #expect(
                check.errors.isEmpty && (Int(check.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 5_000
            )
        }
    }

    @Test func `A4 that is learnt holds for a file from its first note on, and for a pipe from then on`() throws {
        try withTemporaryFolder { folder in
            let tone = folder.appending(path: "tone.wav").path()
            _ = try tuner.run(["tone", "A4", "--a4", "443", "--color", "sine", "--render", tone, "--for", "3"])
            let file = try tuner.run(["--a4", "auto", "--summary", tone])
            #expect(file.output.contains("A4    +0.0 c") && file.output.contains("A4 = 443.00 Hz"), "\(file.output)")
            let raw = try BuiltCommand(shell: ()).run(
                [
                    "-c", "sox \"$1\" -t raw -e float -b 32 - | \"$0\" --csv --a4 auto -f FLOAT_LE - | tail -n 1",
                    tuner.executable.path(), tone,
                ])
            // Learnt to a tenth of a hertz, which is 0.4 cents.
            let cents = Double(raw.output.split(separator: ",").dropFirst(5).first ?? "")
            #expect(abs(try #require(cents, "\(raw.output) \(raw.errors)")) < 0.5)
        }
    }

    @Test func `An error in a mapping names the file`() throws {
        try withTemporaryFolder { folder in
            let (scale, keys) = (folder.appending(path: "s.scl"), folder.appending(path: "k.kbm"))
            try Data("two\n2\n600.\n2/1\n".utf8).write(to: scale)
            try Data("2\n0\n127\n60\n61\n440.0\n2\n0\nx\n".utf8).write(to: keys)
            let sample = repository.appending(path: "samples/cello-c2.flac").path()
            let outcome = try tuner.run([sample, "--scale", scale.path(), "--mapping", keys.path()])
            #expect(outcome.status == 66 && outcome.errors.contains("k.kbm"), "\(outcome.errors)")
        }
    }

    @Test func `The spectrogram of silence is white, and pictures are SVG`() throws {
        try withTemporaryFolder { folder in
            let silence = folder.appending(path: "silence.wav").path()
            let picture = folder.appending(path: "silence.svg")
            // Dithered as a 16-bit recorder writes it: the last bit changes.
            let made = try BuiltCommand(shell: ()).run(["-c", "sox -n -r 48000 -b 16 \"$0\" trim 0 2 dither", silence])
            #expect(made.status == 0, "\(made.errors)")
            #expect(try tuner.run(["analyze", silence, "--plot", picture.path()]).status == 0)
            let svg = try String(contentsOf: picture, encoding: .utf8)
            #expect(svg.contains("crispEdges") && !svg.contains("rgb("))
            for name in ["take.png", "-"] {
                let wrong = try tuner.run(["analyze", silence, "--plot", name], in: folder)
                #expect(wrong.status == 2 && wrong.errors.contains(".svg"), "\(wrong.errors)")
            }
        }
    }

    @Test func `A tone that the tuner renders is read back where it belongs, in every tuning`() throws {
        try withTemporaryFolder { folder in
            let tone = folder.appending(path: "tone.wav").path()
            for (note, options, color) in [
                ("A4", ["--a4", "415"], "sine"), ("Eb3", ["--temperament", "meantone", "--key", "C"], "organ"),
                ("E2", ["--temperament", "just", "--key", "E"], "plucked"), ("F#5", ["--sweeten", "F#=7.5"], "organ"),
            ] {
                let rendered = try tuner.run(
                    ["tone", note, "--color", color, "--render", tone, "--for", "2"] + options)
                #expect(rendered.status == 0, "\(rendered.errors)")
                let read = try tuner.run(["analyze", "--json", tone] + options)
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [String: Any])
                let notes = try #require(object["notes"] as? [[String: Any]])
                let mean = try #require(notes.first?["mean_cents"] as? Double)
                print("\(note) \(options.joined(separator: " ")): \(mean) c")
                #expect(notes.count == 1, "\(note): \(read.output)")
                // A tenth of a cent: what the engine promises on a steady tone.
                #expect(abs(mean) <= 0.1, "\(note): \(mean)")
            }
        }
    }

    @Test func `A scale from a file gives the notes their names, and its errors have a line`() throws {
        try withTemporaryFolder { folder in
            let scale = folder.appending(path: "five.scl")
            try Data("! five.scl\nfive\n 5\n 240. !dha\n 480. !ni\n 720. !pa\n 960. !ma\n 2/1 !sa\n".utf8).write(
                to: scale)
            let tone = folder.appending(path: "tone.wav").path()
            _ = try tuner.run(["tone", "440", "--color", "sine", "--render", tone, "--for", "1"])
            let read = try tuner.run(["--summary", "--scale", scale.path(), tone])
            #expect(
                read.status == 0 && ["sa", "dha", "ni", "pa", "ma"].contains { read.output.contains($0) },
                "\(read.output)")
            try Data("five\n 5\n 240.\n x\n".utf8).write(to: scale)
            let wrong = try tuner.run(["--scale", scale.path(), tone])
            #expect(wrong.status == 66 && wrong.errors.contains("line 4"), "\(wrong.errors)")
        }
    }

    @Test func `Settings from a file hold until the command line says otherwise`() throws {
        try withTemporaryFolder { folder in
            let config = folder.appending(path: "config.toml")
            try Data("[tuner]\na4 = 415\nnames = \"german\"\n".utf8).write(to: config)
            let tone = folder.appending(path: "tone.wav").path()
            _ = try tuner.run(["tone", "466.1638", "--color", "sine", "--render", tone, "--for", "1"])
            let settings = ["--config", config.path()]
            let set = try tuner.run(["--summary", tone] + settings)
            #expect(set.output.contains("H4"), "466 Hz is a B over 415: \(set.output)")
            let said = try tuner.run(["--summary", tone, "--a4", "440"] + settings)
            #expect(said.output.contains("Ais4"), "\(said.output)")
            try Data("[tuner]\na4 = 415\nnames = \"klingon\"\n".utf8).write(to: config)
            let wrong = try tuner.run(["--summary", tone] + settings)
            #expect(wrong.status == 66 && wrong.errors.contains("line 3"), "\(wrong.errors)")
        }
    }
}
