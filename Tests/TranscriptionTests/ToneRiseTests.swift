import Foundation
import Music
import Testing

@testable import Transcription

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

    /// It is 34 dB below its peak 43 % of the way; the window of 40 ms sees it 10 ms before.
    @Test(arguments: [79.0, 84, 88], [0.02, 0.06])
    func `A tone that swells beside another one begins where its own partials rise`(key: Double, seconds: Double) throws
    {
        let found = try #require(age(key, beside: key - 5, at: 0.12, swelling: seconds))
        #expect(abs(found - (0.25 - 0.12 - 0.43 * seconds)) < 0.015, "\(found)")
    }

    @Test func `A tone whose partials are all those of the other one has no beginning`() {
        #expect(age(81, beside: 69, at: 0.12, swelling: 0.02) == nil)
    }

    @Test func `A tone that has sounded all the time has no beginning`() {
        #expect(age(81, beside: nil, at: 0, swelling: 0.001) == nil)
    }
}
