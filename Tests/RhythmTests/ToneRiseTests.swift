import Foundation
import Music
import Testing

@testable import Rhythm

@Suite struct ToneRiseTests {
    private let rate = 48_000.0

    /// How many seconds ago a tone of this key began, which swelled by 60 dB in `seconds`, beside an even tone of another one.
    private func age(_ key: Double, beside old: Double?, at start: Double, swelling seconds: Double) -> Double? {
        var rise = ToneRise(sampleRate: rate.hertz)
        var buffer = [Float](repeating: 0, count: rise.reach)
        for n in 0..<rise.reach {
            let time = Double(n) / rate
            let tone = { (key: Double) in sin(2 * .pi * 440 * pow(2, (key - 69) / 12) * time) }
            let level = time < start ? 0 : min(1, 1e-3 * exp((time - start) / seconds * log(1e3)))
            buffer[n] = Float(0.2 * level * tone(key) + (old.map { 0.2 * tone($0) } ?? 0))
        }
        return buffer.withUnsafeMutableBufferPointer { samples in
            rise.find(samples, key: key, after: old ?? -1).map { Double($0) / rate }
        }
    }

    /// A line through 15 and 45 % of its amplitude begins 65 % of the way; a third of the window of 45 ms blurs it.
    @Test(arguments: [79.0, 84, 88], [0.02, 0.06])
    func `A tone that swells beside another one begins where its own partials rise`(key: Double, seconds: Double) throws
    {
        let found = try #require(age(key, beside: key - 5, at: 0.12, swelling: seconds))
        #expect(abs(found - (0.25 - 0.12 - 0.65 * seconds)) < 0.015, "\(found)")
    }

    /// Low tones stand 25 to 50 Hz apart, nearer than the window of 45 ms parts them by itself.
    @Test(arguments: [(43.0, 50.0), (48, 41), (41, 46), (46, 44), (47, 49)], [0.06, 0.1])
    func `A low tone begins where its rise points to, under another one that goes on`(
        keys: (Double, Double), seconds: Double
    ) throws {
        var rise = ToneRise(sampleRate: rate.hertz)
        var buffer = [Float](repeating: 0, count: rise.reach)
        for n in 0..<rise.reach {
            let time = Double(n) / rate
            func tone(_ key: Double) -> Double {
                (1...6).reduce(0) { $0 + sin(2 * .pi * Double($1) * 440 * pow(2, (key - 69) / 12) * time) / Double($1) }
            }
            let level = max(0, min(1, (time - 0.1) / seconds))
            buffer[n] = Float(0.2 * level * tone(keys.0) + 0.2 * tone(keys.1))
        }
        let found = try #require(
            buffer.withUnsafeMutableBufferPointer { rise.find($0, key: keys.0, after: keys.1) })
        // A third of the window of 45 ms to either side, that the foot and the shoulder of the rise are blurred by.
        #expect(abs(Double(found) / rate - 0.15) < 0.015, "\(Double(found) / rate)")
    }

    @Test func `A tone whose partials are all those of the other one has no beginning`() {
        #expect(age(81, beside: 69, at: 0.12, swelling: 0.02) == nil)
    }

    @Test func `A tone that has sounded all the time has no beginning`() {
        #expect(age(81, beside: nil, at: 0, swelling: 0.001) == nil)
    }
}
