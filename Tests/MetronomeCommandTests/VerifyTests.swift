import AudioIO
import Foundation
import Music
import TestCommands
import TestSignals
import Testing

/// `metronome verify` on recordings with known clicks.
@Suite struct VerifyTests {
    private func verify(_ file: String, _ tempo: String) throws -> [String: Double] {
        let outcome = try BuiltCommand("metronome").run(["verify", file, tempo, "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(object).compactMapValues { $0 as? Double }
    }

    @Test func `A click track of ours is on its grid to a hundredth of a sample`() throws {
        try withTemporaryFolder { folder in
            for (tempo, sound) in [("97.3", "wood"), ("133.7", "clave")] {
                let file = folder.appending(path: "\(sound).flac").path()
                let rendered = try BuiltCommand("metronome").run(
                    [tempo, "--accent", "3", "--sound", sound, "--for", "20s", "-r", "48000", "--render", file])
                #expect(rendered.status == 0, "\(rendered.errors)")
                let found = try verify(file, tempo)
                print("\(tempo) \(sound): \(found)")
                // 20 s of them, the one at 0 included.
                #expect(try #require(found["clicks"]) == (20 * (Double(tempo) ?? 0) / 60).rounded(.up))
                #expect(found["lost"] == 0 && found["extra"] == 0)
                // A sample is 20.8 µs; 24 bits and the tail of the click before.
                #expect(try #require(found["worst_us"]) < 0.3)
                #expect(abs(try #require(found["drift_ppm"])) < 0.02)
            }
        }
    }

    /// Clicks of no voice of ours (10 ms of a decaying 1.7 kHz), with what is to be found put in.
    @Test func `Drift, jitter, lost and extra clicks of another metronome are reported`() throws {
        let seed: UInt64 = 99
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let (rate, drift, jitter) = (48_000.0, 120e-6, 50e-6)
        let lost = [7, 31, 32]
        var times = (0..<80).filter { !lost.contains($0) }.map {
            0.4 + 0.25 * Double($0) * (1 + drift) + jitter * random.normal()
        }
        times.append(0.4 + 50.5 * 0.25)
        var samples = whiteNoise(count: Int(21 * rate), rms: 0.0005, using: &random)
        for time in times {
            for n in Int(time * rate) + 1..<Int(time * rate) + 1_000 {
                let t = Double(n) / rate - time
                samples[n] += Float(0.4 * (1 - exp(-t / 0.0002)) * exp(-t / 0.004) * sin(2 * .pi * 1_700 * t))
            }
        }
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "foreign.wav").path()
            var writer = try AudioFileWriter(path: file, sampleRate: 48.kilohertz, channelCount: 1, format: .wavFloat32)
            try writer.write(samples.span)
            try writer.finish()
            let found = try verify(file, "240")
            print(found)
            #expect(found["clicks"] == 77 && found["lost"] == 3 && found["extra"] == 1)
            let error = try #require(found["drift_standard_error_ppm"])
            #expect(abs(try #require(found["drift_ppm"]) - 120) < 4 * error && error < 3)
            // The standard deviation of 77 is known to 8 %.
            #expect(abs(try #require(found["jitter_us"]) / 50 - 1) < 0.32)
        }
    }

    /// Renders a plan and verifies it as that plan.
    private func verify(plan: [String], rendering more: [String] = [], in folder: URL) throws -> [String: Double] {
        let file = folder.appending(path: "plan.wav").path()
        let rendered = try BuiltCommand("metronome").run(plan + more + ["--render", file])
        #expect(rendered.status == 0, "\(rendered.errors)")
        let outcome = try BuiltCommand("metronome").run(["verify", file] + plan + ["--json"])
        #expect(outcome.status == 0, "\(plan): \(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(object).compactMapValues { $0 as? Double }
    }

    @Test(
        arguments: [
            ("90 --poly 3:4 --for 20s", 60), ("90 --poly 5:4 --for 20s", 48), ("90 --poly 3:4", 180),
            ("7/8 200 --accent 3+2+2 --sub 2 --bars 4", 56), ("80..160/32b --bars 8", 32),
            ("120 --sub 8th --swing 2:1 --bars 6", 48),
            ("120 --gap 3:1 --count-in 1 --bars 8", 28), ("100 --mute 40 --seed 5 --bars 9 --from 2", nil),
        ] as [(String, Int?)])
    func `Each click of a plan is found where the plan has it`(_ plan: String, _ count: Int?) throws {
        try withTemporaryFolder { folder in
            let found = try verify(plan: plan.split(separator: " ").map(String.init), in: folder)
            print("\(plan): \(found)")
            if let count { #expect(found["clicks"] == Double(count), "\(plan)") }
            #expect(found["lost"] == 0 && found["extra"] == 0, "\(plan): \(found)")
            // Whole frames of 20.8 µs and the tails of the clicks before.
            #expect(try #require(found["jitter_us"]) < 5 && abs(try #require(found["drift_ppm"])) < 1, "\(plan)")
        }
    }

    @Test func `A click of a plan that is missing is lost, also the first and the last`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "plan.wav").path(), cut = folder.appending(path: "cut.wav").path()
            let plan = ["90", "--poly", "3:4", "--bars", "6"]
            #expect(try BuiltCommand("metronome").run(plan + ["--render", file]).status == 0)
            // The bar of 2 s has clicks at 0, 0.5, 0.67, 1, 1.33 and 1.5 s.
            let script = """
                sox -D "$0" a.wav trim 0.4 4.2 && sox -D "$0" b.wav trim 4.9 6.4 && sox -D -n -r 48000 s.wav trim 0 0.3 &&
                sox -D a.wav s.wav b.wav "$1"
                """
            let made = try BuiltCommand(shell: ()).run(["-c", script, file, cut], in: folder)
            #expect(made.status == 0, "\(made.errors)")
            let outcome = try BuiltCommand("metronome").run(["verify", cut] + plan + ["--json"])
            let found = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
            // Without the one at 0, that at 4.67 s, and those at 11.33 and 11.5 s.
            #expect(
                found["clicks"] as? Int == 32 && found["lost"] as? Int == 4 && found["extra"] as? Int == 0,
                "\(outcome.output)")
        }
    }

    @Test(arguments: ["3:4", "5:4"])
    func `A polyrhythm is no steady click, and the message says what to give`(poly: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "poly.wav").path()
            let rendered = try BuiltCommand("metronome").run(["90", "--poly", poly, "--for", "20s", "--render", file])
            #expect(rendered.status == 0)
            let outcome = try BuiltCommand("metronome").run(["verify", file, "90"])
            #expect(outcome.status == 66 && outcome.output.isEmpty, "\(outcome)")
            #expect(
                outcome.errors.contains("no steady clicks at 90 per minute") && outcome.errors.contains("--poly 3:4"))
        }
    }

    @Test func `The first word of a spoken count is counted though the recording begins within it`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "voice.wav").path()
            let words = ["120", "--sound", "voice", "--for", "30s", "--render", file]
            #expect(try BuiltCommand("metronome").run(words).status == 0)
            for plan in [["120"], ["120", "--for", "30s"]] {
                let outcome = try BuiltCommand("metronome").run(["verify", file] + plan)
                #expect(outcome.output.contains(": 60 clicks in 29.5 s, 0 lost, 0 extra"), "\(plan): \(outcome)")
            }
        }
    }

    @Test(arguments: ["120", "300", "60", "194.6", "1", "93"])
    func `Another tempo than the recording's is an error that names the recording's`(tempo: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.flac").path()
            #expect(try BuiltCommand("metronome").run(["97.3", "--for", "20s", "--render", file]).status == 0)
            let outcome = try BuiltCommand("metronome").run(["verify", file, tempo])
            // 93 is within 5 %, which still counts as drift.
            guard tempo != "93" else {
                #expect(outcome.status == 0 && outcome.output.contains(": 97.3000 BPM"), "\(outcome)")
                return
            }
            #expect(outcome.status == 66 && outcome.output.isEmpty, "\(outcome)")
            #expect(
                outcome.errors
                    == "metronome: \"\(file)\" has 97.30 clicks per minute, not \(tempo): check the tempo\n")
        }
    }

    @Test func `What holds no such clicks is one sentence`() throws {
        let cello = repository.appending(path: "samples/cello-c2.flac").path()
        for (words, status) in [
            ([cello, "300"], Int32(66)), (["nosuch.wav", "120"], 66), ([cello, "fast"], 2), ([cello], 2),
            ([cello, "120", "--channel", "0"], 2),
        ] {
            let outcome = try BuiltCommand("metronome").run(["verify"] + words)
            #expect(outcome.status == status && outcome.output.isEmpty, "\(words): \(outcome)")
            #expect(outcome.errors.hasPrefix("metronome: ") && outcome.errors.filter { $0 == "\n" }.count == 1)
        }
    }
}
