import TestNotes
import TestSignals
import Testing
import Transcription

@Suite struct BeatPartsTests {
    @Test func `Straight notes and triplets with the scatter of a good amateur are told apart`() {
        var generator = SeededGenerator(seed: 20_261_123)
        var (wrong, count) = (0, 0)
        for _ in 0..<100 {
            // Sixteen bars: straight ones and, in a third of the takes, triplets on half of the beats.
            let hasTriplets = Int.random(in: 0..<3, using: &generator) == 0
            var truth: [MelodyPlace] = []
            for beat in 0..<64 {
                let isTriplet = hasTriplets && Bool.random(using: &generator)
                let parts = isTriplet ? 3 : [1, 2, 2, 4].randomElement(using: &generator) ?? 1
                for part in 0..<parts {
                    // Halves are halves, also beside quarters.
                    let place = parts == 4 && part == 2 ? (1, 2) : (part, part == 0 ? 1 : parts)
                    truth.append(MelodyPlace(beat: beat, part: place.0, parts: place.1))
                }
            }
            // 1.5 % of a beat: 9 ms at 100 beats a minute.
            let played = truth.map { $0.position + 0.015 * normal(&generator) }
            let parts = BeatParts(played)
            for (place, position) in zip(truth, played) where parts.place(of: position) != place { wrong += 1 }
            count += truth.count
        }
        print("places: \(wrong) of \(count) wrong")
        // A third and a quarter are 5.6 standard errors apart: their middle is 2.8 away, which 0.3 % pass.
        #expect(Double(wrong) < 0.005 * Double(count))
    }

    @Test func `A beat that is early belongs to its beat and not to the one before`() {
        let parts = BeatParts((0..<32).map { Double($0) })
        #expect(parts.place(of: 6.96) == MelodyPlace(beat: 7))
        #expect(parts.place(of: -0.04) == MelodyPlace(beat: 0))
        #expect(parts.place(of: -0.5).beat == -1)
    }

    @Test func `Places have the names that players count`() {
        func name(_ beat: Int, _ part: Int, _ parts: Int) -> String {
            MelodyPlace(beat: beat, part: part, parts: parts).name(beatsPerBar: 4)
        }
        #expect([name(0, 0, 1), name(5, 1, 2), name(7, 2, 3), name(-1, 3, 4)] == ["1", "2 &", "4 3/3", "4 4/4"])
    }
}
