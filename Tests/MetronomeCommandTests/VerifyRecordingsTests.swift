import AudioIO
import Foundation
import Music
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
    private func compare(_ file: String, _ tempo: Double, period: Int, clicks: Int) throws {
        let found = try verify(file, "\(tempo)")
        let exact = try CrossCorrelation(file: file, interval: 60 / tempo, period: period)
        print(
            "\(URL(filePath: file).lastPathComponent): jitter \(found["jitter_us"] ?? -1) µs told,",
            "\(exact.jitter) by cross-correlation; drift \(found["drift_ppm"] ?? -1) ppm, \(exact.drift);",
            "placed to \(found["placement_us"] ?? -1) µs")
        let jitter = try #require(found["jitter_us"]), drift = try #require(found["drift_ppm"])
        #expect(found["clicks"] == Double(clicks) && found["lost"] == 0 && found["extra"] == 0, "\(file): \(found)")
        #expect(abs(jitter - exact.jitter) < Self.tolerance, "\(file)")
        // Twenty microseconds at one end of the recording.
        #expect(abs(drift - exact.drift) < 20, "\(file)")
        let error = try #require(found["drift_standard_error_ppm"])
        #expect(abs(drift) < 5 * error + 0.05, "\(file)")
    }

    @Test(arguments: ["wood", "clave", "rim"])
    func `Our clicks keep time in MP3, OGG and at 8 and 16 kHz`(sound: String) throws {
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path() }
            for name in ["click.wav", "click.mp3", "click.ogg"] {
                let rendered = try BuiltCommand("metronome").run([
                    "97.3", "--accent", "3", "--sound", sound, "--for", "20s", "-r", "48000", "--render", path(name),
                ])
                #expect(rendered.status == 0, "\(rendered.errors)")
            }
            // 128 kb/s of sox's own encoder.
            try sox([path("click.wav"), "-C", "128", path("lame.mp3")])
            try sox([path("click.wav"), "-r", "16k", path("16k.wav")])
            try sox([path("click.wav"), "-r", "8k", path("8k.wav")])
            for name in ["click.mp3", "click.ogg", "lame.mp3", "16k.wav", "8k.wav"] {
                try compare(path(name), 97.3, period: 3, clicks: 33)
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
                try compare(path(name), 133.7, period: 4, clicks: 60)
            }
        }
    }

    /// 20 dB below the peak of the loudest click; the others are 6 dB nearer to it.
    @Test(arguments: ["wood", "clave", "cowbell", "soft", "rim", "triangle"])
    func `Our clicks 20 dB above white noise keep time`(sound: String) throws {
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path() }
            let rendered = try BuiltCommand("metronome").run([
                "97.3", "--accent", "3", "--sound", sound, "--for", "20s", "-r", "48000", "--render", path("click.wav"),
            ])
            #expect(rendered.status == 0)
            let clean = try samples(of: path("click.wav"))
            var random = SeededGenerator(seed: 6)
            let noise = whiteNoise(
                count: clean.count, rms: Double(clean.map(abs).max() ?? 1) / 10, using: &random)
            try write(zip(clean, noise).map { ($0 + $1) / 2 }, path("hiss.wav"))
            let found = try verify(path("hiss.wav"), "97.3")
            print("\(sound) in noise: \(found)")
            // They are on their grid: all jitter is the noise's, and the report must know how much that is.
            let jitter = try #require(found["jitter_us"]), placement = try #require(found["placement_us"])
            #expect(found["clicks"] == 33 && found["lost"] == 0 && found["extra"] == 0)
            #expect(jitter < Self.tolerance && jitter < 3 * placement, "\(sound): \(found)")
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

/// Where clicks lie, by correlation with their mean, upsampled 16 times: not our code, but the definition.
private struct CrossCorrelation {
    /// In microseconds and parts per million.
    let jitter: Double, drift: Double

    /// - Parameter period: how many clicks until the same sound comes again; each sound is compared with itself.
    init(file: String, interval: Double, period: Int) throws {
        var reader = try AudioFileReader(path: file)
        let rate = reader.sampleRate.value
        var block = [Float](repeating: 0, count: 1 << 22)
        var all: [Double] = []
        while true {
            var span = block.mutableSpan
            let read = try reader.read(into: &span)
            if read.isEnd { break }
            all += block.prefix(read.count).map(Double.init)
        }
        // The phase of the grid: the millisecond that holds most energy.
        let step = max(1, Int(rate / 1_000))
        var energy = [Double](repeating: 0, count: Int((interval * 1_000).rounded(.up)))
        for start in stride(from: 0, to: all.count - step, by: step) {
            let phase = (Double(start) / rate).truncatingRemainder(dividingBy: interval)
            energy[min(energy.count - 1, Int(phase * 1_000))] += all[start..<(start + step)].reduce(0) { $0 + $1 * $1 }
        }
        let sums = energy.indices.map { i in (0..<4).reduce(0) { $0 + energy[(i + $1) % energy.count] } }
        let phase = Double(sums.indices.max { sums[$0] < sums[$1] } ?? 0) / 1_000
        let (before, length) = (Int(0.006 * rate), Int(0.016 * rate))
        var points: [(due: Double, late: Double, kind: Int)] = []
        let count = Int(Double(all.count) / rate / interval) + 1
        let loud = (0..<count).map { k -> Double in
            let at = Int((phase + Double(k) * interval) * rate)
            guard at >= before, at + length + before < all.count else { return 0 }
            return all[at..<(at + length)].reduce(0) { $0 + $1 * $1 }
        }
        let typical = loud.sorted()[count / 2]
        for kind in 0..<period {
            let beats = stride(from: kind, to: count, by: period).filter { loud[$0] > 0.5 * typical }
            guard let first = beats.first else { continue }
            func start(_ k: Int) -> Int { Int((phase + Double(k) * interval) * rate) - before / 2 }
            var mean = Array(all[start(first)..<(start(first) + length)])
            var places: [Int: Double] = [:]
            for _ in 0..<3 {
                var sum = [Double](repeating: 0, count: length)
                for k in beats {
                    let reach = before / 2
                    let values = (-reach...reach).map { lag in
                        (0..<length).reduce(0.0) { $0 + mean[$1] * all[start(k) + lag + $1] }
                    }
                    let peak = values.indices.dropFirst().dropLast().max { values[$0] < values[$1] } ?? 1
                    // Between two lags by the sinc series of the correlation, on a grid of a hundredth.
                    var best = (shift: 0.0, value: -Double.infinity)
                    for hundredth in -60...60 {
                        let shift = Double(hundredth) / 100
                        var value = 0.0
                        for n in max(0, peak - 40)...min(values.count - 1, peak + 40) {
                            let x = .pi * (Double(n - peak) - shift)
                            value += values[n] * (abs(x) < 1e-9 ? 1 : sin(x) / x)
                        }
                        if value > best.value { best = (shift, value) }
                    }
                    let lag = peak - reach
                    places[k] = (Double(start(k) + lag) + best.shift) / rate
                    for n in 0..<length { sum[n] += all[start(k) + lag + n] / Double(beats.count) }
                }
                mean = sum
            }
            for (k, time) in places {
                points.append((Double(k) * interval, time - Double(k) * interval, kind))
            }
        }
        // One slope, and a place for each sound.
        var (xy, xx) = (0.0, 0.0)
        var centred: [(x: Double, y: Double)] = []
        for kind in 0..<period {
            let own = points.filter { $0.kind == kind }
            guard !own.isEmpty else { continue }
            let (x, y) = (own.map(\.due).reduce(0, +), own.map(\.late).reduce(0, +))
            centred += own.map { ($0.due - x / Double(own.count), $0.late - y / Double(own.count)) }
        }
        for point in centred { (xy, xx) = (xy + point.x * point.y, xx + point.x * point.x) }
        let slope = xy / xx
        let squares = centred.reduce(0) { $0 + ($1.y - slope * $1.x) * ($1.y - slope * $1.x) }
        jitter = (squares / Double(centred.count - period - 1)).squareRoot() * 1e6
        drift = slope * 1e6
    }
}
