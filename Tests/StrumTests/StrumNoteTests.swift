import Music
import Strum
import Testing

@Suite struct StrumNoteTests {
    /// C2, G3 and C5: partials 1, 3 and 8 of one note, but for some cents.
    private static let strings = [65.406_4, 195.997_7, 523.251_1]

    /// Whether any picture of a sound is one of a strum.
    private func isStrum(_ sound: GeneratedStrum) throws -> Bool {
        var engine = try StrumEngine(
            strings: Self.strings.map { $0.hertz }, sampleRate: GeneratedStrum.sampleRate.hertz)
        var (result, count) = (false, 0)
        for start in stride(from: 0, to: sound.samples.count - 800, by: 800) {
            engine.process(sound.samples.span.extracting(start..<start + 800))
            while let picture = engine.refine() {
                count += 1
                result = result || picture.isStrum
            }
        }
        #expect(count > 3)
        return result
    }

    @Test func `A hundred strums whose strings repeat together as one note does are strums`() throws {
        for seed in UInt64(0)..<100 {
            // 20 cents apart, where the partials of a note are less than 8 off.
            let strum = GeneratedStrum(Self.strings, seed: seed, seconds: 1.5, detunings: [0, 20, -20])
            #expect(try isStrum(strum), "seed \(seed)")
        }
    }

    @Test func `A hundred single strings of the same tuning are none`() throws {
        for seed in UInt64(0)..<100 {
            let note = GeneratedStrum(Self.strings, seed: seed, range: 20, seconds: 1.5, only: Int(seed % 3))
            #expect(try !isStrum(note), "seed \(seed)")
        }
    }
}
