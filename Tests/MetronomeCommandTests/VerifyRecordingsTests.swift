import AudioIO
import Foundation
import Music
import Synthesis
import TestCommands
import TestSignals
import Testing

/// `metronome verify` on what other programs make of clicks, beside a cross-correlation that knows where they are due.
@Suite struct VerifyRecordingsTests {
    private func verify(_ file: String, _ tempo: String) throws -> [String: Double] {
        let outcome = try BuiltCommand("metronome").run(["verify", file, tempo, "--json"])
        #expect(outcome.status == 0, "\(file): \(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(object).compactMapValues { $0 as? Double }
    }

    /// Writes what a shell command makes of files in `folder`.
    private func sox(_ words: [String]) throws {
        let outcome = try BuiltCommand(shell: ()).run(["-c", "exec sox -D \"$@\"", "sox"] + words)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Twenty microseconds: what the figures may differ by from the cross-correlation's.
    private static let tolerance = 20.0

    /// Compares the report of a file with the cross-correlation.
    ///
    /// - Parameter original: a file with the same clicks at the same times, if the cross-correlation slips by cycles in
    ///   `file`: at 8 kHz, half a cycle of these clicks is less than three samples.
    private func compare(
        _ file: String, _ tempo: Double, period: Int, clicks: Int, of sound: String? = nil, from original: String? = nil
    ) throws {
        let found = try verify(file, "\(tempo)")
        // Our clicks lie on their grid. Encoders move them by less than 7 µs, by cross-correlation with the clean ones.
        let exact =
            sound == nil
            ? try CrossCorrelation(file: original ?? file, interval: 60 / tempo, period: period)
            : CrossCorrelation(jitter: 0, drift: 0)
        // A row of the table: format, sound, what is told and what is true.
        func column(_ key: String) -> String { String(format: "%8.2f", found[key] ?? -1) }
        print(
            "verify", URL(filePath: file).lastPathComponent.padding(toLength: 16, withPad: " ", startingAt: 0),
            (sound ?? "another make's").padding(toLength: 14, withPad: " ", startingAt: 0), "told", column("jitter_us"),
            "µs, true",
            String(format: "%8.2f", exact.jitter), "µs, placed to", column("placement_us"), "µs")
        let jitter = try #require(found["jitter_us"]), drift = try #require(found["drift_ppm"])
        #expect(found["clicks"] == Double(clicks) && found["lost"] == 0 && found["extra"] == 0, "\(file): \(found)")
        #expect(abs(jitter - exact.jitter) < Self.tolerance, "\(file)")
        // Twenty microseconds at one end of the recording.
        #expect(abs(drift - exact.drift) < 20, "\(file)")
        let error = try #require(found["drift_standard_error_ppm"])
        #expect(abs(drift) < 5 * error + 0.05, "\(file)")
    }

    /// Every sound that we ship: an encoder spoils the attack of some clicks by milliseconds, which what rings on must make
    /// good. At 8 kHz little is left of the bright ones.
    @Test(arguments: ClickVoice.all.map(\.name))
    func `Our clicks keep time in MP3, OGG and at 8 and 16 kHz`(sound: String) throws {
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path() }
            for (tempo, clicks) in [(97.3, 33), (61, 21)] {
                for name in ["click.wav", "own-\(tempo).mp3", "own-\(tempo).ogg"] {
                    let rendered = try BuiltCommand("metronome").run([
                        "\(tempo)", "--accent", "3", "--sound", sound, "--for", "20s", "-r", "48000", "--render",
                        path(name),
                    ])
                    #expect(rendered.status == 0, "\(rendered.errors)")
                }
                // 128 kb/s of sox's own encoder.
                try sox([path("click.wav"), "-C", "128", path("lame-\(tempo).mp3")])
                try sox([path("click.wav"), "-r", "16k", path("16k-\(tempo).wav")])
                try sox([path("click.wav"), "-r", "8k", path("8k-\(tempo).wav")])
                for name in ["own", "lame"] {
                    try compare(path("\(name)-\(tempo).mp3"), tempo, period: 3, clicks: clicks, of: sound)
                }
                for name in ["own-\(tempo).ogg", "8k-\(tempo).wav"] {
                    try compare(path(name), tempo, period: 3, clicks: clicks, of: sound)
                }
                if tempo == 97.3 { try compare(path("16k-\(tempo).wav"), tempo, period: 3, clicks: clicks, of: sound) }
            }
        }
    }

    /// Decaying sines of two pitches, as another make of metronome has them.
    private func foreign(jitter: Double, noise: Double, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        let (rate, interval) = (48_000.0, 60 / 133.7)
        var samples = [Float](repeating: 0, count: Int((60 * interval + 2) * rate))
        for beat in 0..<60 {
            let time = 0.7 + Double(beat) * interval + jitter * random.normal()
            let frequency = beat % 4 == 0 ? 2_550.0 : 1_700
            for n in Int(time * rate) + 1..<Int(time * rate) + 1_000 {
                let t = Double(n) / rate - time
                samples[n] += Float(0.3 * (1 - exp(-t / 0.0002)) * exp(-t / 0.004) * sin(2 * .pi * frequency * t))
            }
        }
        return zip(samples, whiteNoise(count: samples.count, rms: noise, using: &random)).map { $0 + $1 }
    }

    private func write(_ samples: [Float], _ path: String) throws {
        var writer = try AudioFileWriter(path: path, sampleRate: 48.kilohertz, channelCount: 1, format: .wavFloat32)
        try writer.write(samples.span)
        try writer.finish()
    }

    /// Hiss 40 and 20 dB below the peaks.
    @Test(arguments: [(0.0, 0.003), (0.0, 0.03), (30e-6, 0.003), (30e-6, 0.03), (300e-6, 0.03)])
    func `Another make's clicks keep time under hiss, in MP3 and at 8 kHz`(jitter: Double, noise: Double) throws {
        let seed: UInt64 = 5
        print("seed \(seed)")
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path() }
            try write(foreign(jitter: jitter, noise: noise, seed: seed), path("hiss.wav"))
            try sox([path("hiss.wav"), "-C", "128", path("hiss.mp3")])
            try sox([path("hiss.wav"), "-r", "8k", path("hiss8k.wav")])
            for name in ["hiss.wav", "hiss.mp3", "hiss8k.wav"] {
                try compare(path(name), 133.7, period: 4, clicks: 60, from: path("hiss.wav"))
            }
        }
    }

    /// 20 dB below the peak of the loudest click; the others are 6 dB nearer to it.
    @Test(arguments: ClickVoice.all.map(\.name))
    func `Our clicks 20 dB above white noise keep time`(sound: String) throws {
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path() }
            let rendered = try BuiltCommand("metronome").run([
                "97.3", "--accent", "3", "--sound", sound, "--for", "20s", "-r", "48000", "--render", path("click.wav"),
            ])
            #expect(rendered.status == 0)
            let clean = try samples(of: path("click.wav"))
            for (level, tolerance) in [(20.0, Self.tolerance), (10, .infinity)] {
                // At 10 dB some of the other four are lost.
                let isHeard = ["wood", "clave", "beep", "cowbell", "soft", "tom"].contains(sound)
                guard level == 20 || isHeard else { continue }
                var random = SeededGenerator(seed: 6)
                let noise = whiteNoise(
                    count: clean.count, rms: Double(clean.map(abs).max() ?? 1) * pow(10, -level / 20), using: &random)
                try write(zip(clean, noise).map { ($0 + $1) / 2 }, path("hiss.wav"))
                let found = try verify(path("hiss.wav"), "97.3")
                print("\(sound) \(level) dB above noise: \(found)")
                // They are on their grid: all jitter is the noise's, and the report must know how much that is.
                let jitter = try #require(found["jitter_us"]), placement = try #require(found["placement_us"])
                #expect(found["clicks"] == 33 && found["lost"] == 0 && found["extra"] == 0)
                #expect(jitter < tolerance && jitter < 3 * placement, "\(sound): \(found)")
            }
        }
    }

    /// What a microphone makes of a click: resonances and a burst of noise, reflections, and a blow that is never as loud
    /// as the one before.
    private func recorded(jitter: Double, noise: Double, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        let (rate, interval) = (48_000.0, 60 / 133.7)
        let burst = (0..<12_000).map { _ in random.normal() }
        func dry(_ t: Double) -> Double {
            guard t > 0 else { return 0 }
            let ring = [(1_830.0, 1.0, 0.006), (2_710, 0.6, 0.004), (4_400, 0.5, 0.002)].reduce(0) {
                $0 + $1.1 * exp(-t / $1.2) * sin(2 * .pi * $1.0 * t)
            }
            return (1 - exp(-t / 0.000_1)) * ring
        }
        let echoes = [(0.0, 1.0), (0.0031, 0.4), (0.0072, -0.3), (0.011, 0.25), (0.019, 0.2)]
        // The tail of the room, as band-limited as a sum of two samples makes it.
        func tail(_ t: Double) -> Double {
            let at = t * rate
            guard at >= 0, Int(at) + 1 < burst.count else { return 0 }
            let part = at - at.rounded(.down)
            return 0.1 * exp(-t / 0.02) * (burst[Int(at)] * (1 - part) + burst[Int(at) + 1] * part)
        }
        var samples = [Float](repeating: 0, count: Int((60 * interval + 2) * rate))
        for beat in 0..<60 {
            let time = 0.7 + Double(beat) * interval + jitter * random.normal()
            let loudness = 0.25 * pow(10, 0.1 * random.normal())
            for n in Int(time * rate)..<Int(time * rate) + 9_000 {
                let t = Double(n) / rate - time
                samples[n] += Float(loudness * (echoes.reduce(0) { $0 + $1.1 * dry(t - $1.0) } + tail(t)))
            }
        }
        return zip(samples, whiteNoise(count: samples.count, rms: noise, using: &random)).map { $0 + $1 }
    }

    @Test(arguments: [(0.0, 0.001), (0.0, 0.02), (100e-6, 0.001), (100e-6, 0.02)])
    func `A recorded click keeps time under hiss and under more of it`(jitter: Double, noise: Double) throws {
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path() }
            try write(recorded(jitter: jitter, noise: noise, seed: 9), path("room.wav"))
            try sox([path("room.wav"), "-C", "128", path("room.mp3")])
            for name in ["room.wav", "room.mp3"] {
                try compare(path(name), 133.7, period: 1, clicks: 60)
            }
        }
    }

    @Test func `Claps that are all different are placed to half a millisecond, and the report says so`() throws {
        var random = SeededGenerator(seed: 8)
        let (rate, interval) = (48_000.0, 0.5)
        var samples = [Float](repeating: 0, count: Int(21 * rate))
        for beat in 0..<40 {
            let start = Int((0.4 + Double(beat) * interval) * rate)
            for n in 0..<2_000 {
                samples[start + n] += Float(0.2 * exp(-Double(n) / 300) * random.normal())
            }
        }
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "claps.wav").path()
            try write(samples, path)
            let found = try verify(path, "120")
            print("claps: \(found)")
            #expect(found["clicks"] == 40 && found["lost"] == 0)
            let placement = try #require(found["placement_us"]), jitter = try #require(found["jitter_us"])
            #expect(placement >= 400 && jitter < 3 * placement)
            let text = try BuiltCommand("metronome").run(["verify", path, "120"]).output
            #expect(text.contains("a click is placed to ± 500.0 µs"), "\(text)")
        }
    }
}
