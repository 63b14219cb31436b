import Foundation
import TestCommands
import TestSignals
import Testing

/// A card that runs 100 ppm fast, corrected by `--clock 100` for capture and playback.
@Suite(.serialized) struct ClockTests {
    /// Frames that pass in a true second.
    private let trueRate = 48_004.8

    @Test func `A tone is read in true hertz, cents and seconds, and its target stays where it is`() throws {
        try SimulatedCard.run("ppm 100 infile \"@/in.raw\"") { card in
            // 441 Hz in the air: a card that is fast takes more samples of each period.
            let tone = sine(frequency: 441 / 1.0001, sampleRate: 48_000, count: 144_000, amplitude: 0.5)
            try tone.withUnsafeBytes { Data($0) }.write(to: card.folder.appending(path: "in.raw"))
            let outcome = try card.command(
                "tuner", ["-D", "mine", "-r", "48000", "-c", "1", "-d", "1.2", "--json", "--clock", "100"],
                inTurns: true, limit: 300)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let readings = try outcome.lines.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }.filter { ($0["time_s"] as? Double ?? 0) > 0.4 && $0["hz"] is Double }
            try #require(readings.count > 50, "a tone is heard: \(readings.count) readings")
            for reading in readings {
                let (hertz, cents) = (reading["hz"] as? Double ?? .nan, reading["cents"] as? Double ?? .nan)
                // A hundredth of a cent: 16 bits and the engine have less, the card's error is 0.17.
                #expect(abs(1_200 * log2(hertz / 441)) < 0.01, "\(hertz)")
                #expect(abs(cents - 1_200 * log2(441.0 / 440)) < 0.01, "\(cents)")
                #expect(reading["target_hz"] as? Double == 440)
                // A reading comes every 256 frames. Six decimals of a second are 0.024 frames; uncorrected, the time of
                // frame 20,000 would be 2 frames late.
                let frames = try #require(reading["time_s"] as? Double) * trueRate
                #expect(abs(frames.remainder(dividingBy: 256)) < 0.05, "\(frames)")
            }
        }
    }

    @Test func `A tone is played in true hertz`() throws {
        try SimulatedCard.run("ppm 100 format FLOAT_LE channels 1 outfile \"@/out.raw\"") { card in
            let outcome = try card.command(
                "tuner",
                ["tone", "A4", "-D", "mine", "-r", "48000", "--color", "sine", "--for", "1", "--clock", "100"],
                inTurns: true)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let data = try Data(contentsOf: card.folder.appending(path: "out.raw"))
            let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            // From a tenth of a second after the tone has begun, for half a second.
            let start = try #require(samples.firstIndex { abs($0) > 0.01 }) + 4_800
            try #require(samples.count > start + 24_000, "\(samples.count) frames")
            var crossings: [Double] = []
            for index in start..<start + 24_000 where samples[index] < 0 && samples[index + 1] >= 0 {
                crossings.append(Double(index) - Double(samples[index] / (samples[index + 1] - samples[index])))
            }
            try #require(crossings.count > 200)
            let period = (crossings[crossings.count - 1] - crossings[0]) / Double(crossings.count - 1)
            // The line between two samples of a sine misses its zero by less than 0.001 samples: 1 in 10^7 over half a second.
            #expect(abs(trueRate / period - 440) < 0.0005, "\(trueRate / period) Hz")
        }
    }
}
