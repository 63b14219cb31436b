import AudioIO
import Foundation
import Music
import TestCommands
import TestSignals
import Testing

/// A recording of plucks beside a click of ours.
private struct RecordedPlayer {
    /// In seconds, of each pluck.
    var late: [Double] = []
    /// When each pluck begins, in seconds of the recording.
    var times: [Double] = []
    let file: String

    private static let rate = 48_000.0

    /// Plucks, from bar 3 on beside a click.
    ///
    /// - Parameters:
    ///   - tempo: in beats per minute.
    ///   - begin: when the plan begins in the recording.
    ///   - click: the loudness of the click; 0: there is none.
    ///   - isThroughout: whether the player begins with the click.
    ///   - late: how late a beat is played, by its bar and beat from 0; `nil`: not at all.
    init(
        in folder: URL, tempo: Double = 120, begin: Double = 0.731, click: Float = 0, bars: Int = 16,
        isThroughout: Bool = false, seed: UInt64,
        late: (_ bar: Int, _ beat: Int, inout SeededGenerator) -> Double?
    ) throws {
        var random = SeededGenerator(seed: seed)
        let period = 60 / tempo
        let length = Int((begin + Double(4 * bars) * period + 1) * Self.rate)
        var samples = whiteNoise(count: length, rms: 3e-4, using: &random)
        if click > 0 {
            let rendered = folder.appending(path: "click-\(seed).wav").path()
            let outcome = try BuiltCommand("metronome").run(
                ["\(tempo)", "--accent", "4", "--bars", "\(bars)", "-r", "48000", "--render", rendered])
            #expect(outcome.status == 0, "\(outcome.errors)")
            var reader = try AudioFileReader(path: rendered)
            var (clicks, block) = ([Float](), [Float](repeating: 0, count: 4_096))
            while true {
                var span = block.mutableSpan
                let read = try reader.read(into: &span)
                if read.isEnd { break }
                clicks += block.prefix(read.count)
            }
            // The loudspeaker, and echoes of the room that fall by 60 dB in 0.3 s.
            var echoes = [(delay: 0.0, gain: 0.8)]
            for _ in 0..<30 {
                let delay = Double.random(in: 0.003...0.2, using: &random)
                echoes.append((delay, 0.2 * random.normal() * pow(10, -3 * delay / 0.3)))
            }
            for echo in echoes {
                let first = Int((begin + echo.delay) * Self.rate)
                for n in clicks.indices where first + n < length {
                    samples[first + n] += click * Float(echo.gain) * clicks[n]
                }
            }
        }
        for bar in (click > 0 && !isThroughout ? 2 : 0)..<bars {
            for beat in 0..<4 {
                guard let late = late(bar, beat, &random) else { continue }
                self.late.append(late)
                times.append(Double(Int(begin * Self.rate)) / Self.rate + Double(bar * 4 + beat) * period + late)
            }
        }
        addPlucks(at: times.map { $0 * Self.rate }, to: &samples, sampleRate: Self.rate, using: &random)
        file = folder.appending(path: "take-\(seed).wav").path()
        var writer = try AudioFileWriter(
            path: file, sampleRate: 48.kilohertz, channelCount: 1, format: .wavFloat32)
        try writer.write(samples.span)
        try writer.finish()
    }

    var mean: Double { late.reduce(0, +) / Double(late.count) }

    var spread: Double {
        (late.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(late.count - 1)).squareRoot()
    }
}

private func review(_ arguments: [String]) throws -> (notes: [[String: Any]], summary: [String: Any]) {
    let outcome = try BuiltCommand("metronome").run(["review"] + arguments + ["--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let objects = try outcome.output.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    return (objects.dropLast(), summary)
}

@Suite struct ReviewTests {
    @Test(arguments: [-0.025, 0.0, 0.013])
    func `With the click in the recording, the mean lateness is told within half a millisecond`(
        mean: Double
    ) throws {
        try withTemporaryFolder { folder in
            let player = try RecordedPlayer(in: folder, click: 0.5, seed: UInt64(1_600 + 1_000 * mean)) {
                mean + 0.005 * $2.normal()
            }
            let (notes, summary) = try review([player.file, "120", "--accent", "4"])
            #expect(summary["absolute"] as? Bool == true)
            // Recall .97 next to the click.
            #expect(notes.count >= player.late.count * 95 / 100, "\(notes.count) of \(player.late.count)")
            let told = try #require(summary["mean_ms"] as? Double)
            #expect(abs(told - 1_000 * player.mean) < 0.5, "told \(told), true \(1_000 * player.mean)")
            let spread = try #require(summary["spread_ms"] as? Double)
            #expect(abs(spread - 1_000 * player.spread) < 0.5, "told \(spread), true \(1_000 * player.spread)")
        }
    }

    /// At 120 a beat is a whole number of frames; at these it is not, and each click has samples of its own.
    private static let tempi: [Double] = {
        var random = SeededGenerator(seed: 1_620)
        return [97.3, 113, (Double.random(in: 60...160, using: &random) * 100).rounded() / 100]
    }()

    @Test(arguments: tempi, [[], ["--whole-samples"]])
    func `A click without a player has no notes`(tempo: Double, placement: [String]) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.flac").path()
            let outcome = try BuiltCommand("metronome").run(
                ["\(tempo)", "--bars", "20", "--render", file] + placement)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let (notes, _) = try review([file, "\(tempo)"])
            #expect(notes.isEmpty, "\(notes.count) notes")
        }
    }

    /// The player is there from the first click on, so that no click is heard alone.
    @Test(arguments: [97.3, 113, 120])
    func `Notes over every click are told, from the first beat of the plan on`(tempo: Double) throws {
        try withTemporaryFolder { folder in
            let player = try RecordedPlayer(
                in: folder, tempo: tempo, click: 0.5, isThroughout: true, seed: UInt64(10 * tempo)
            ) { 0.012 + 0.005 * $2.normal() }
            let (notes, summary) = try review([player.file, "\(tempo)", "--accent", "4"])
            #expect(abs(notes.count - player.late.count) <= 3, "\(notes.count) of \(player.late.count)")
            let told = try #require(summary["mean_ms"] as? Double)
            #expect(abs(told - 1_000 * player.mean) < 1, "told \(told), true \(1_000 * player.mean)")
            #expect(notes.first?["bar"] as? Int == 1)
            let text = try BuiltCommand("metronome").run(
                ["review", player.file, "\(tempo)", "--accent", "4"]
            ).output
            #expect(text.contains("The plan begins at 0.731 s"), "\(text)")
        }
    }

    @Test func `Notes before the plan are said to be left out`() throws {
        try withTemporaryFolder { folder in
            let player = try RecordedPlayer(in: folder, bars: 8, seed: 1_617) { 0.002 * $2.normal() }
            // The plan begins at its bar 3.
            let text = try BuiltCommand("metronome").run(
                ["review", player.file, "120", "--accent", "4", "--first-beat", "4.731"]
            ).output
            #expect(text.contains("left out  8 notes before the plan") || text.contains("left out  7 notes"), "\(text)")
        }
    }

    @Test func `Without a click, a given first beat makes lateness absolute`() throws {
        try withTemporaryFolder { folder in
            let player = try RecordedPlayer(in: folder, seed: 1_611) { 0.017 + 0.008 * $2.normal() }
            let (notes, summary) = try review([player.file, "120", "--accent", "4", "--first-beat", "0.731"])
            let told = try #require(summary["mean_ms"] as? Double)
            #expect(abs(told - 1_000 * player.mean) < 0.5, "told \(told), true \(1_000 * player.mean)")
            #expect(notes.count == player.late.count)
            for (note, late) in zip(notes, player.late) {
                // Three times the standard error of a sharp attack.
                #expect(abs(try #require(note["late_ms"] as? Double) - 1_000 * late) < 1)
            }
        }
    }

    @Test func `Without a click the grid is found, and spread and tendency are told`() throws {
        try withTemporaryFolder { folder in
            let player = try RecordedPlayer(in: folder, bars: 24, seed: 1_612) {
                0.02 - 0.0012 * (Double($0) + Double($1) / 4) + 0.003 * $2.normal()
            }
            let (notes, summary) = try review([player.file, "120", "--accent", "4"])
            #expect(notes.count == player.late.count)
            #expect(summary["absolute"] as? Bool == false && summary["mean_ms"] == nil)
            let spread = try #require(summary["spread_ms"] as? Double)
            #expect(abs(spread - 1_000 * player.spread) < 0.2)
            let tendency = try #require(summary["tendency_ms_per_bar"] as? Double)
            let error = try #require(summary["tendency_error_ms_per_bar"] as? Double)
            #expect(abs(tendency + 1.2) < 4 * error && error < 0.1)
            let text = try BuiltCommand("metronome").run(["review", player.file, "120", "--accent", "4"]).output
            #expect(text.contains("rushing 1.2 ms a bar"), "\(text)")
            #expect(text.contains("the first note is taken for its first beat"), "\(text)")
        }
    }

    /// Notes of 440 and 880 Hz are as like the soft click and the beep as clicks are in a room.
    @Test(arguments: [440.0, 880])
    func `A player without a click is not taken for one`(frequency: Double) throws {
        try withTemporaryFolder { folder in
            var random = SeededGenerator(seed: UInt64(frequency))
            var samples = whiteNoise(count: 26 * 48_000, rms: 3e-4, using: &random)
            var sum = 0.0
            for beat in 0..<48 {
                let late = 0.02 + 0.008 * random.normal()
                sum += late
                let first = Int((1 + 0.5 * Double(beat) + late) * 48_000)
                for n in 0..<19_200 {
                    let t = Double(n) / 48_000
                    samples[first + n] += Float(
                        0.3 * (1 - exp(-t / 0.002)) * exp(-t / 0.1) * sin(2 * .pi * frequency * t))
                }
            }
            let file = folder.appending(path: "notes.wav").path()
            var writer = try AudioFileWriter(
                path: file, sampleRate: 48.kilohertz, channelCount: 1, format: .wavFloat32)
            try writer.write(samples.span)
            try writer.finish()
            let text = try BuiltCommand("metronome").run(["review", file, "120", "--first-beat", "1"]).output
            #expect(text.contains("grid      as given") && !text.contains("taken out"), "\(text)")
            let (_, summary) = try review([file, "120", "--first-beat", "1"])
            // An attack of 2 ms is heard a millisecond late.
            #expect(abs(try #require(summary["mean_ms"] as? Double) - 1_000 * sum / 48) < 3)
        }
    }

    @Test func `Muted bars are told apart, also in a tempo map`() throws {
        try withTemporaryFolder { folder in
            let player = try RecordedPlayer(in: folder, bars: 12, seed: 1_613) { bar, beat, random in
                // Bars 3 and 4 of four are muted, and the player slows down in them by 2 ms a beat.
                bar % 4 < 2 ? 0.001 * random.normal() : 0.002 * Double((bar % 4 - 2) * 4 + beat + 1)
            }
            let map = folder.appending(path: "song.map").path()
            try "12 4/4 120 Xxxx\n".write(toFile: map, atomically: true, encoding: .utf8)
            for plan in [["120", "--accent", "4", "--gap", "2:2"], [map, "--gap", "2:2"]] {
                let (_, summary) = try review([player.file] + plan + ["--first-beat", "0.731"])
                let runs = try #require(summary["muted_runs"] as? [[String: Any]])
                #expect(runs.count == 3)
                for run in runs {
                    #expect(run["bars"] as? Int == 2 && run["notes"] as? Int == 8)
                    #expect(abs(try #require(run["late_at_end_ms"] as? Double) - 16) < 1)
                }
            }
        }
    }

    @Test func `CSV has one line per note, and the plot is SVG with a histogram for each beat`() throws {
        try withTemporaryFolder { folder in
            let player = try RecordedPlayer(in: folder, bars: 8, seed: 1_614) { 0.01 * $2.normal() }
            let plot = folder.appending(path: "take.svg").path()
            let outcome = try BuiltCommand("metronome").run(
                ["review", player.file, "120", "--accent", "4", "--csv", "--plot", plot])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == player.late.count + 1)
            let columns = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
            #expect(Set(columns) == [12])
            let svg = try String(contentsOfFile: plot, encoding: .utf8)
            for beat in 1...4 { #expect(svg.contains(">beat \(beat)<")) }
            #expect(svg.components(separatedBy: "<circle").count - 1 == player.late.count)
        }
    }

    @Test func `What cannot be reviewed is an error with its own exit status`() throws {
        try withTemporaryFolder { folder in
            let silence = folder.appending(path: "silence.wav").path()
            var writer = try AudioFileWriter(
                path: silence, sampleRate: 48.kilohertz, channelCount: 1, format: .wavFloat32)
            try writer.write([Float](repeating: 0, count: 96_000).span)
            try writer.finish()
            let whole = try Data(contentsOf: URL(filePath: silence))
            let broken = folder.appending(path: "broken.wav").path()
            try whole.prefix(whole.count / 2).write(to: URL(filePath: broken))
            // The same samples at another rate: a header of WAV has it in the four bytes from 24 on.
            func relabelled(_ rate: UInt32, _ name: String) throws -> String {
                var bytes = whole
                withUnsafeBytes(of: rate.littleEndian) { bytes.replaceSubrange(24..<28, with: $0) }
                try bytes.write(to: folder.appending(path: name))
                return folder.appending(path: name).path()
            }
            let slow = try relabelled(100, "slow.wav"), low = try relabelled(4_000, "low.wav")
            for (arguments, status, words) in [
                ([silence, "120"], Int32(66), "no notes"), (["/no/such.wav", "120"], 66, "such.wav"),
                ([broken, "120"], 66, "breaks off after"), ([slow, "120"], 66, "convert it to one from 1000 to"),
                ([low, "120"], 66, "runs at 4000 Hz: convert it to a rate from 8000"),
                ([silence], 2, "no tempo"), ([silence, "120", "--click", "gong"], 2, "--click 'gong'"),
                ([silence, "120", "--json", "--csv"], 2, "exclude each other"),
                ([silence, "120", "--plot", "take.png"], 2, "must end in .svg"),
            ] {
                let outcome = try BuiltCommand("metronome").run(["review"] + arguments)
                #expect(outcome.status == status, "\(arguments): \(outcome.status)")
                #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
        }
    }
}
