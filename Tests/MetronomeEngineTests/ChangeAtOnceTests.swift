import MetronomeEngine
import Notation
import Synthesis
import TestPlans
import TestSignals
import Testing
import Timebase

/// Commands that do not wait for the next beat.
extension MetronomeControlTests {
    @Test func `A change at once keeps the place within the beat`() throws {
        var sent: [Bool] = []
        let other = try plan("60")
        let (_, strokes) = try rendering(try plan("120"), frames: 200_000, blocks: [1_000]) { turn, control in
            if turn == 23 { sent.append(try control.change(to: other, .atOnce)) }
        }
        // 1,000 of 24,000 frames are left, so 2,000 of 48,000.
        #expect(strokes.map(\.frame) == [0, 25_000, 73_000, 121_000, 169_000])
        #expect(strokes.map(\.beat) == [1, 2, 3, 4, 1] && sent == [true])
    }

    @Test func `Changes of tempo at once never lose, double or misplace a stroke`() throws {
        var random = SeededGenerator(seed: 33)
        var changes = 0
        for turn in 0..<120 {
            let parts = Int.random(in: 1...5, using: &random)
            let tempi = (0..<12).map { _ in Ratio(Int64.random(in: 600...2_400, using: &random), 10) ?? Ratio(120) }
            let plans = try tempi.map { tempo in
                var options = PlanOptions(tempo: TempoNotation(try Tempo(tempo)))
                options.subdivision = try Subdivision(parts)
                options.accents = .every(3)
                return try options.plan()
            }
            let block = Int.random(in: 17...700, using: &random)
            var course = [(frame: 0, tempo: tempi[0])]
            var refused = 0
            let (_, strokes) = try rendering(plans[0], sampleRate: 8_000, frames: 80_000, blocks: [block]) {
                turn, control in
                guard turn > 0, Int.random(in: 0..<12, using: &random) == 0 else { return }
                let number = Int.random(in: 0..<plans.count, using: &random)
                if try !control.change(to: plans[number], .atOnce) { refused += 1 }
                course.append((turn * block, tempi[number]))
            }
            changes += course.count - 1
            #expect(refused == 0)
            // The oracle: the integral of the tempo over the frames, stretch by stretch; a stroke where it is k / parts.
            var (beats, stretch) = (0.0, 0)
            for (k, stroke) in strokes.enumerated() {
                let wanted = Double(k) / Double(parts)
                while true {
                    let end = stretch + 1 < course.count ? Double(course[stretch + 1].frame) : .infinity
                    let rate = course[stretch].tempo.value / 60 / 8_000
                    let here = Double(course[stretch].frame) + (wanted - beats) / rate
                    if here < end {
                        // Half a frame, of which a change right behind it may make up to four halves.
                        #expect(abs(Double(stroke.frame) - here) <= 2.01, "case \(turn), stroke \(k), seed 33")
                        break
                    }
                    beats += (end - Double(course[stretch].frame)) * rate
                    stretch += 1
                }
                #expect(Int(stroke.part) == k % parts && Int(stroke.beat) == k / parts % 3 + 1)
                #expect(Int(stroke.bar) == k / parts / 3 + 1)
            }
            #expect(strokes.count > 10 * parts)
        }
        print("\(changes) changes at once")
        #expect(changes > 400)
    }

    @Test(arguments: [false, true]) func `A change of pattern at once strikes nothing twice`(isRecorded: Bool) throws {
        let sounds = [try softSound(isRecorded: isRecorded)]
        var random = SeededGenerator(seed: 34)
        for turn in 0..<(isRecorded ? 12 : 120) {
            let plans = try (0..<6).map { _ in
                try plan("\(Int.random(in: 60...180, using: &random))") {
                    $0.subdivision = try Subdivision(Int.random(in: 1...8, using: &random))
                    $0.accents = .every(Int.random(in: 2...5, using: &random))
                    if Bool.random(using: &random) { $0.cross = .polyrhythm([3, 4, 5]) }
                }
            }
            let (samples, strokes) = try rendering(
                plans[0], sampleRate: 16_000, frames: 80_000, blocks: [192], sounds: sounds, voiceCount: 4
            ) { _, control in
                guard Int.random(in: 0..<20, using: &random) == 0 else { return }
                try control.change(to: plans[Int.random(in: 0..<plans.count, using: &random)], .atOnce)
            }
            #expect((samples.map(abs).max() ?? 0) <= safePeak && strokes.count > 8)
            var last: [Int32: Int64] = [:]
            for stroke in strokes where !stroke.isEnd {
                if let before = last[stroke.layer] {
                    // A 32nd of a beat at 180 is 166 frames; 2,000 frames are an eighth at 60, the finest part there is.
                    #expect(stroke.frame - before >= 160, "case \(turn), seed 34")
                }
                last[stroke.layer] = stroke.frame
            }
        }
    }
}
