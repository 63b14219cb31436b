import AudioIO
import Foundation
import Music
import TestCommands
import TestSignals
import Testing

private let rate = 48_000.0

/// Writes plucks that begin at these times.
private func recording(_ times: [Double], in folder: URL, name: String = "take.wav") throws -> String {
    var random = SeededGenerator(seed: 181)
    var samples = whiteNoise(count: Int(((times.last ?? 0) + 1) * rate), rms: 3e-4, using: &random)
    addPlucks(at: times.map { $0 * rate }, to: &samples, sampleRate: rate, using: &random)
    return try write(samples, in: folder, name: name)
}

private func write(_ samples: [Float], in folder: URL, name: String) throws -> String {
    let path = folder.appending(path: name).path()
    var writer = try AudioFileWriter(path: path, sampleRate: rate.hertz, channelCount: 1)
    try writer.write(samples.span)
    try writer.finish()
    return path
}

private func read(_ path: String) throws -> [Float] {
    var reader = try AudioFileReader(path: path)
    var (samples, block) = ([Float](), [Float](repeating: 0, count: 4_096))
    while true {
        var span = block.mutableSpan
        let got = try reader.read(into: &span)
        if got.isEnd { return samples }
        samples += block.prefix(got.count)
    }
}

private func tempo(_ arguments: [String]) throws -> (beats: [[String: Any]], summary: [String: Any]) {
    let outcome = try BuiltCommand("metronome").run(["tempo"] + arguments + ["--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let objects = try outcome.output.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    return (objects.dropLast(), try #require(objects.last?["summary"] as? [String: Any]))
}

@Suite struct FindTempoTests {
    @Test(arguments: ["take.wav", "take.flac", "take.mp3"])
    func `The tempo and the beats of a recording are told, whatever its format`(name: String) throws {
        try withTemporaryFolder { folder in
            let times = (0..<40).map { 0.5 + Double($0) * 60 / 97.3 }
            let (beats, summary) = try tempo([try recording(times, in: folder, name: name)])
            let told = try #require(summary["tempo_bpm"] as? Double)
            // 0.1 ms over 24 s; an MP3 file has echoes before its notes, up to a block of 12 ms.
            let isLossy = name.hasSuffix("mp3")
            #expect(abs(told - 97.3) < (isLossy ? 0.05 : 0.002), "\(told)")
            #expect(beats.count >= 38 && beats.count <= 41, "\(beats.count)")
            for beat in beats.dropFirst(4) {
                let time = try #require(beat["time_s"] as? Double)
                #expect(times.contains { abs($0 - time) < (isLossy ? 0.012 : 0.002) }, "\(time)")
            }
        }
    }

    @Test func `A player who changes the tempo at once is told where, and of no drift, in words and figures`() throws {
        try withTemporaryFolder { folder in
            let edge = 0.5 + 24 * 60 / 100.0
            let times = (0..<56).map { edge + 60 / ($0 < 24 ? 100.0 : 126) * Double($0 - 24) }
            let file = try recording(times, in: folder)
            let (_, summary) = try tempo([file])
            #expect(summary["drift_bpm_per_minute"] == nil)
            let changes = try #require(summary["tempo_changes"] as? [[String: Double]])
            #expect(changes.count == 1)
            let change = try #require(changes.first)
            // The tracker follows within a few beats.
            #expect(abs((change["start_s"] ?? 0) - edge) < 3 && abs((change["tempo_bpm"] ?? 0) - 126) < 1, "\(change)")
            #expect(abs((summary["first_bpm"] as? Double ?? 0) - 100) < 1)
            #expect(abs((summary["last_bpm"] as? Double ?? 0) - 126) < 1)
            let text = try BuiltCommand("metronome").run(["tempo", file]).output
            #expect(text.contains("\nchange    at about ") && !text.contains("\ndrift "), "\(text)")
        }
    }

    @Test func `A player who speeds up is told so, in words and figures`() throws {
        try withTemporaryFolder { folder in
            // Beats at which the integral of 100 + t / 3 beats per minute is whole: 20 in a minute.
            let times = (0..<60).map { (beat: Int) -> Double in
                let root: Double = (10_000 + 40 * Double(beat)).squareRoot()
                return 0.5 + (root - 100) * 3
            }
            let file = try recording(times, in: folder)
            let (_, summary) = try tempo([file])
            let drift = try #require(summary["drift_bpm_per_minute"] as? Double)
            #expect(abs(drift - 20) < 0.5, "\(drift)")
            let text = try BuiltCommand("metronome").run(["tempo", file]).output
            #expect(text.contains("faster by "), "\(text)")
            #expect(text.contains("--around"), "\(text)")
        }
    }

    @Test func `The scatter of a player is told`() throws {
        try withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 182)
            let times = (0..<120).map { 0.5 + Double($0) * 0.5 + 0.008 * random.normal() }
            let (_, summary) = try tempo([try recording(times, in: folder)])
            let scatter = try #require(summary["scatter_ms"] as? Double)
            // The median of 117 differences, of which neighbours depend on each other, is good to 15 %.
            #expect(abs(scatter - 8) < 3, "\(scatter)")
            #expect(abs(try #require(summary["tempo_bpm"] as? Double) - 120) < 0.1)
        }
    }

    /// In the first second the tracker guesses at the tempo; a noise and a pause of three beats are then two beats of another.
    @Test(arguments: [0.2, 0.37])
    func `A noise before the first beat is not the tempo of what the microphone hears`(noise: Double) throws {
        var random = SeededGenerator(seed: 182)
        var samples = whiteNoise(count: Int(18 * rate), rms: 3e-4, using: &random)
        let beats = (0..<24).map { (beat: Int) -> Double in 2 + 0.6 * Double(beat) + 0.003 * random.normal() }
        addPlucks(at: ([noise] + beats).map { $0 * rate }, to: &samples, sampleRate: rate, using: &random)
        try SimulatedCard.run("format FLOAT_LE channels 1 infile \"@/in.raw\"") { card in
            try samples.withUnsafeBytes { try Data($0).write(to: card.folder.appending(path: "in.raw")) }
            let script = """
                out=$TEST_CARD_DIR/out
                "$0" tempo --input mine --json > "$out" &
                until [ "$(wc -l < "$out")" -ge 25 ]; do sleep 0.05; done
                kill -INT $!; wait $!; cat "$out"
                """
            let outcome = try card.shell(script, with: "metronome", inTurns: true)
            let line = try #require(outcome.lines.last)
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let summary = try #require(object?["summary"] as? [String: Any], "\(outcome)")
            print("\(noise) s: \(line)")
            let (told, error) = (
                try #require(summary["tempo_bpm"] as? Double), try #require(summary["tempo_error_bpm"] as? Double)
            )
            // Beats of 3 ms over 23 intervals of 0.6 s: 0.03 BPM.
            #expect(abs(told - 100) < 0.15 && error < 0.1, "\(told) ± \(error)")
        }
    }

    @Test func `A hint chooses between a tempo and half of it`() throws {
        try withTemporaryFolder { folder in
            let file = try recording((0..<48).map { 0.5 + Double($0) * 0.375 }, in: folder)
            for hint in [80.0, 160] {
                let (_, summary) = try tempo([file, "--around", "\(Int(hint))"])
                #expect(abs(try #require(summary["tempo_bpm"] as? Double) - hint) < 0.01)
                #expect(summary["hint"] as? Bool == true)
            }
        }
    }

    @Test func `CSV has one line per beat, and the plot is SVG`() throws {
        try withTemporaryFolder { folder in
            let file = try recording((0..<30).map { 0.5 + Double($0) * 0.5 }, in: folder)
            let plot = folder.appending(path: "take.svg").path()
            let outcome = try BuiltCommand("metronome").run(["tempo", file, "--csv", "--plot", plot])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count >= 29 && lines[0].hasPrefix("time_s,beat,"))
            #expect(Set(lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }) == [7])
            let svg = try String(contentsOfFile: plot, encoding: .utf8)
            #expect(svg.contains("tempo, BPM") && svg.components(separatedBy: "<circle").count > 50)
        }
    }

    @Test func `The copy has a click on each beat over the recording at half its amplitude`() throws {
        try withTemporaryFolder { folder in
            let file = try recording((0..<30).map { 0.5 + Double($0) * 0.5 }, in: folder)
            let copy = folder.appending(path: "clicks.wav").path()
            let outcome = try BuiltCommand("metronome").run(["tempo", file, "--render", copy, "--csv"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let times = outcome.output.split(separator: "\n").dropFirst().compactMap {
                $0.split(separator: ",").first.flatMap { Double($0) }
            }
            let (before, after) = (try read(file), try read(copy))
            try #require(before.count == after.count && times.count > 25)
            let added = zip(before, after).map { $1 - $0 / 2 }
            for time in times.dropLast() {
                let place = Int(time * rate)
                // A click begins within a millisecond and is silent before the next.
                let (quiet, loud) = (added[(place - 2_400)..<(place - 48)], added[(place - 48)..<(place + 960)])
                #expect(loud.map(abs).max() ?? 0 > 0.1)
                #expect(quiet.map(abs).max() ?? 1 < 0.01)
            }
        }
    }

    @Test func `A recording is not replaced by its own copy, by whatever name`() throws {
        try withTemporaryFolder { folder in
            let file = try recording((0..<12).map { 0.5 + 0.5 * Double($0) }, in: folder)
            let before = try Data(contentsOf: URL(filePath: file))
            let link = folder.appending(path: "link.wav")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: file))
            for copy in [file, link.path(), folder.path() + "/./" + (file as NSString).lastPathComponent] {
                let outcome = try BuiltCommand("metronome").run(["tempo", file, "--render", copy])
                #expect(outcome.status == 2 && outcome.errors.contains("another file"), "\(copy): \(outcome.errors)")
                #expect(try Data(contentsOf: URL(filePath: file)) == before)
            }
        }
    }

    @Test func `What has no beat is an error with its own exit status`() throws {
        try withTemporaryFolder { folder in
            let silence = try write([Float](repeating: 0, count: 96_000), in: folder, name: "silence.wav")
            for (arguments, status, words) in [
                ([silence], Int32(66), "no beat that can be followed"), (["/no/such.wav"], 66, "such.wav"),
                ([silence, "--around", "fast"], 2, "--around"), ([silence, "--around", "1000"], 2, "30 to 320"),
                ([silence, "--json", "--csv"], 2, "exclude each other"),
                ([silence, "--plot", "take.png"], 2, "must end in .svg"),
                ([silence, "--render", "take.mid"], 2, "must end in .wav"),
                ([silence, "--channel", "2"], 2, "channel"), (["--render", "x.wav"], 2, "name a file"),
                (["--input", "no-such-card"], 69, "no-such-card"),
            ] {
                let outcome = try BuiltCommand("metronome").run(["tempo"] + arguments)
                #expect(outcome.status == status, "\(arguments): \(outcome.status) \(outcome.errors)")
                #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
        }
    }

    @Test func `A microphone beside a recording is a usage error on the command line, and no harm in the settings`()
        throws
    {
        try withTemporaryFolder { folder in
            let path = try recording((0..<12).map { 0.5 + 0.5 * Double($0) }, in: folder)
            let wrong = try BuiltCommand("metronome").run(["tempo", path, "--input", "hw:1"])
            #expect(wrong.status == 2 && wrong.errors.contains("--input is the microphone"), "\(wrong.errors)")
            let config = folder.appending(path: "config.toml")
            try Data("[metronome-tempo]\ninput = \"hw:1\"\n".utf8).write(to: config)
            let set = try BuiltCommand("metronome").run(["tempo", path, "--config", config.path()])
            #expect(set.status == 0, "\(set.errors)")
        }
    }
}
