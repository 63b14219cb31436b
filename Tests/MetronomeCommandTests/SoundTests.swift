import AudioIO
import Foundation
import Music
import TestCommands
import TestSignals
import Testing

@Suite struct SoundTests {
    private let metronome = BuiltCommand("metronome")

    private func rendered(_ arguments: [String]) throws -> [Float] {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.wav").path()
            let outcome = try metronome.run(["60", "--bars", "1", "--render", file] + arguments)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            return try samples(of: file)
        }
    }

    @Test func `Each voice sounds different, below -1 dBFS, on the same frames`() throws {
        var seen: Set<[Float]> = []
        for name in ["wood", "clave", "beep", "cowbell", "hihat", "soft", "rim", "tick", "triangle", "tom"] {
            let samples = try rendered(["--sound", name])
            let peak = samples.map(abs).max() ?? 0
            #expect(peak > 0.5 && peak <= 0.8912)
            #expect(onsets(samples, sampleRate: 48_000) == [0, 48_000, 96_000, 144_000])
            seen.insert(Array(samples.prefix(4_000)))
        }
        #expect(seen.count == 10)
    }

    @Test func `A count speaks on its beats, in files and on a card`() throws {
        let names = try metronome.run(["--list-sounds"]).output.split(separator: "\n")
        #expect(names.count == 11 && names.last == "voice")
        let samples = try rendered(["--sound", "voice"])
        #expect(samples.count == 192_000)
        let peak = samples.map(abs).max() ?? 0
        #expect(peak > 0.4 && peak <= 0.5625)
        // "two" to "four" begin up to a tenth of a second before their beats, and sound on them; then there is a pause.
        for beat in 1...3 {
            func loudest(_ from: Double, _ to: Double) -> Float {
                samples[Int((Double(beat) + from) * 48_000)..<Int((Double(beat) + to) * 48_000)].map(abs).max() ?? 0
            }
            #expect(loudest(-0.5, -0.1) == 0 && loudest(-0.08, 0) > 0.01 && loudest(0, 0.1) > 0.1)
        }
        let played = try SimulatedCard.run("") { card in
            try card.command("metronome", ["200", "--sound", "voice", "--count-in", "1", "--bars", "1", "-D", "mine"])
        }
        #expect(played.status == 0 && played.lines.count == 8, "\(played.output) \(played.errors)")
    }

    @Test func `Verify places the words of a count, in WAV, MP3 and OGG`() throws {
        try withTemporaryFolder { folder in
            for (name, arguments) in [
                ("a.wav", ["97.3"]), ("a.mp3", ["97.3"]), ("a.ogg", ["97.3"]), ("b.wav", ["7/8", "200"]),
            ] {
                let file = folder.appending(path: name).path()
                let line = arguments + ["--bars", "6", "--sound", "voice", "--render", file]
                #expect(try metronome.run(line).status == 0)
                let found = try metronome.run(["verify", file, arguments.last ?? "", "--json"])
                let object = try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [String: Any]
                let figures = try #require(object).compactMapValues { $0 as? Double }
                print("\(name): \(figures)")
                // The first word too, of which the file has only the vowel: it is not compared.
                #expect(figures["clicks"] == (arguments.count > 1 ? 42 : 24))
                #expect(figures["uncompared"] == 1)
                #expect(figures["lost"] == 0 && figures["extra"] == 0)
                // Twenty microseconds, as for clicks.
                #expect(try #require(figures["worst_us"]) < 20)
            }
        }
    }

    @Test func `Only the beats are counted aloud, and a count that plays cannot be verified`() throws {
        for (arguments, option) in [
            (["--poly", "3:4", "--cross-sound", "voice", "--dry-run"], "--cross-sound"),
            (["--sound", "voice", "--verify", "-D", "null"], "--verify"),
        ] {
            let outcome = try metronome.run(["120"] + arguments)
            #expect(outcome.status == 2 && outcome.errors.contains(option), "\(outcome.errors)")
            #expect(outcome.errors.contains("use"), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["wood", "clave", "beep", "cowbell", "hihat", "soft"])
    func `In 16 bits too every click is heard from its frame on`(voice: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.wav").path()
            for rate in [44_100, 96_000] {
                let line = ["97.3", "--bars", "10", "--accent", "none", "-r", "\(rate)", "--bits", "16"]
                #expect(try metronome.run(line + ["--sound", voice, "--render", file]).status == 0)
                let exact = (0..<40).map { k in (2 * k * 600 * rate + 973) / (2 * 973) }
                let found = onsets(try samples(of: file), sampleRate: rate)
                #expect(found == exact, "\(rate) Hz")
            }
        }
    }

    @Test func `Own sounds are read from files, resampled, one for each level`() throws {
        try withTemporaryFolder { folder in
            let (high, low) = (folder.appending(path: "high.wav").path(), folder.appending(path: "low.flac").path())
            for (path, frequency, rate) in [(high, 2_000.0, 44_100), (low, 500.0, 96_000)] {
                var writer = try AudioFileWriter(
                    path: path, sampleRate: rate.hertz, format: try #require(AudioFileFormat(path: path)))
                let tone = (0..<(rate / 10)).map {
                    Float(
                        0.5 * sin(2 * .pi * frequency * Double($0) / Double(rate))
                            * exp(-Double($0) / Double(rate) * 30))
                }
                try writer.write(tone.span)
                try writer.finish()
            }
            let samples = try rendered(["--sound", "\(high),\(low)"])
            func crossings(_ range: Range<Int>) -> Int {
                zip(samples[range], samples[range].dropFirst()).count { ($0 < 0) != ($1 < 0) }
            }
            // 50 ms of 2,000 Hz cross zero 200 times, of 500 Hz 50 times.
            #expect(abs(crossings(0..<2_400) - 200) <= 2)
            #expect(abs(crossings(48_000..<50_400) - 50) <= 2)
        }
    }

    @Test func `Volumes are decibels, for all levels or for one`() throws {
        func peaks(_ volume: [String]) throws -> (accent: Float, normal: Float) {
            let samples = try rendered(volume)
            return (samples[..<48_000].map(abs).max() ?? 0, samples[48_000...].map(abs).max() ?? 0)
        }
        let (full, half) = (try peaks([]), try peaks(["--volume", "-6.0206"]))
        #expect(abs(half.accent / full.accent - 0.5) < 1e-4 && abs(half.normal / full.normal - 0.5) < 1e-4)
        let one = try peaks(["--volume", "normal=-20"])
        #expect(one.accent == full.accent && abs(one.normal / full.normal - 0.1) < 1e-5)
    }

    @Test func `Clicks lie at their instants, and on whole frames if asked`() throws {
        try withTemporaryFolder { folder in
            func rendered(_ name: String, _ arguments: [String]) throws -> [Float] {
                let file = folder.appending(path: name).path()
                let line = ["97.3", "--bars", "2", "--accent", "none", "-r", "44100", "--render", file]
                #expect(try metronome.run(line + arguments).status == 0)
                return try samples(of: file)
            }
            let (exact, whole) = (try rendered("a.wav", []), try rendered("b.wav", ["--whole-samples"]))
            let frames = (0..<8).map { k in (2 * k * 26_460_000 + 973) / (2 * 973) }
            #expect(onsets(exact, sampleRate: 44_100) == frames && onsets(whole, sampleRate: 44_100) == frames)
            for (k, frame) in frames.enumerated() {
                let error = Double(k * 26_460_000) / 973 - Double(frame)
                let first = Array(exact[..<1_024])
                #expect(abs(delay(of: Array(exact[frame..<(frame + 1_024)]), after: first) - error) <= 0.01)
                #expect(whole[frame..<(frame + 1_024)] == whole[..<1_024])
            }
        }
    }

    @Test func `Own sounds lie at their instants too, even if they begin with a jump`() throws {
        try withTemporaryFolder { folder in
            let sound = folder.appending(path: "blow.wav").path()
            let file = folder.appending(path: "a.wav").path()
            let blows: [(Int) -> Double] = [
                { exp(-Double($0) / 60) * sin(0.8 * Double($0) + 0.05) },
                { exp(-Double($0) / 150) * cos(Double($0) / 5) },
                { $0 == 0 ? 1 : 0 },
            ]
            for (number, blow) in blows.enumerated() {
                let blow = (0..<900).map { Float(blow($0)) }
                var writer = try AudioFileWriter(path: sound, sampleRate: 44_100.hertz, format: .wavFloat32)
                try writer.write(blow.span)
                try writer.finish()
                let line = ["97.3", "--bars", "2", "--accent", "none", "-r", "44100", "--render", file]
                #expect(try metronome.run(line + ["--sound", sound]).status == 0)
                let samples = try samples(of: file)
                // The unchanged recording, 32 frames from the start, as the reference for each click.
                let early = [Float](repeating: 0, count: 32) + blow
                var worst = 0.0
                for k in 1..<8 {
                    let frame = (2 * k * 26_460_000 + 973) / (2 * 973)
                    let late = Array(samples[(frame - 32)..<(frame + 992)])
                    let error = Double(k * 26_460_000) / 973 - Double(frame)
                    worst = max(worst, abs(delay(of: late, after: early, size: 1_024, band: 0.9) - error))
                }
                print("own sound \(number) from a file: at most \(worst) samples from its instants")
                #expect(worst <= 0.001)
            }
        }
    }

    @Test func `Wrong sounds and volumes have different messages`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.wav").path()
            for arguments in [
                ["--sound", "gong"], ["--volume", "3"], ["--volume", "loud=-3"], ["--sound", "a.wav,b,c"],
            ] {
                let outcome = try metronome.run(["120", "--render", file] + arguments)
                #expect(outcome.status == 2 && outcome.errors.contains(arguments[0]), "\(outcome.errors)")
            }
            let missing = try metronome.run(["120", "--render", file, "--sound", "/nonexistent/a.wav"])
            #expect(missing.status == 66 && missing.errors.contains("/nonexistent/a.wav"))
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test func `Two sound files of other rates play live, and every beat is printed`() throws {
        let (high, low) = (
            repository.appending(path: "samples/piano-fs5.flac").path(),
            repository.appending(path: "samples/guitar-a4.flac").path()
        )
        let played = try SimulatedCard.run("") { card in
            try card.command("metronome", ["120", "--sound", "\(high),\(low)", "--bars", "2", "-D", "mine"])
        }
        #expect(played.status == 0, "\(played.errors)")
        #expect(played.lines.count == 8, "\(played.output)")
    }
}
