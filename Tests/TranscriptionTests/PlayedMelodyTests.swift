import Music
import TestNotes
import Testing
import Transcription

@Suite struct PlayedMelodyTests {
    private func melody(
        _ tones: [MelodyTone], tonic: Int? = nil, upbeat: Double? = nil, meter: (Int, Int) = (4, 4)
    ) -> PlayedMelody {
        PlayedMelody(
            tones, beats: .given(tempo: 96), meter: MelodyGrid.Meter(beats: meter.0, value: meter.1), upbeat: upbeat,
            hasKey: true, tonic: tonic, levels: LevelCurve(sampleRate: 48.kilohertz))
    }

    @Test func `Each degree, each beat and each bar has the figures of its notes`() throws {
        // 28 beats are twice up and down: E, degree 3, is 12 cents sharp; the third beat of each bar 20 ms late.
        let tones = playedTones(
            at: (0..<28).map(Double.init), tempo: 96, late: { $0 % 4 == 2 ? 0.02 : 0 },
            cents: { $0 % 14 == 2 || $0 % 14 == 12 ? 12 : 0 })
        let melody = melody(tones)
        let key = try #require(melody.key)
        #expect(key.fifths == 0 && !key.isMinor)
        #expect(melody.degrees.map(\.name) == ["1", "2", "3", "4", "5", "6", "7"])
        for degree in melody.degrees {
            #expect(abs(degree.figures.deviation.value - (degree.name == "3" ? 12 : 0)) < 1e-9, "\(degree.name)")
            #expect(degree.figures.spread.value < 1e-9)
        }
        #expect(melody.places.map(\.name) == ["1", "2", "3", "4"])
        for place in melody.places {
            let late = try #require(place.figures.lateness).inSeconds * 1_000
            // Relative to the mean of all notes, 5 ms.
            #expect(abs(late - (place.name == "3" ? 15 : -5)) < 1e-6, "\(place.name)")
        }
        #expect(melody.bars.map(\.name) == (1...7).map { "\($0)" } && melody.bars.allSatisfy { $0.figures.count == 4 })
        let figures = try #require(melody.figures)
        // Levels of -20, -23, -26, -29 dB in turn, a vibrato on each fourth note.
        #expect(figures.loudest.value == -20 && figures.softest.value == -29 && abs(figures.level.value + 24.5) < 1e-9)
        #expect(figures.vibratoCount == 7 && figures.vibratoRate.value == 5.5 && figures.vibratoDepth.value == 20)
        #expect(melody.countInTune(5.cents) == 24)
    }

    @Test func `With an upbeat bar 1 begins after it`() {
        let tones = playedTones(at: (0..<13).map(Double.init), tempo: 96)
        // In 4/4 a quarter before three bars, in 6/8 two eighths, each of which is a beat of the meter.
        let four = melody(tones, upbeat: 1)
        #expect(four.bars.map(\.name) == ["0", "1", "2", "3"] && four.bars.map(\.figures.count) == [1, 4, 4, 4])
        #expect(four.tones.map { $0.place?.beat } == (-1..<12).map { $0 })
        let six = melody(tones, upbeat: 1, meter: (6, 8))
        #expect(six.tones.map { $0.place?.beat } == (0..<13).map { 2 * $0 - 2 })
        let none = melody(tones, upbeat: 0)
        #expect(none.tones.map { $0.place?.beat } == (0..<13).map { $0 })
        for melody in [four, six, none] {
            for tone in melody.tones { #expect(abs(tone.lateness?.inSeconds ?? 1) < 1e-9) }
        }
    }

    @Test func `A key that is given names the degrees`() {
        let tones = playedTones(at: (0..<14).map(Double.init), tempo: 96)
        #expect(melody(tones, tonic: 7).degrees.map(\.name) == ["1", "2", "3", "4", "5", "6", "b7"])
    }

    @Test func `The level curve has the power of each step, and a long one is halved and not longer`() {
        var curve = LevelCurve(sampleRate: 8.kilohertz)
        curve.add([Float](repeating: 0.5, count: 400).span)
        curve.add([Float](repeating: 0.25, count: 399).span)
        #expect(curve.powers == [0.25] && abs(curve.level(0).value + 6.02) < 0.01)
        // An hour and a half: 108,000 steps of 50 ms.
        let second = [Float](repeating: 0.5, count: 8_000)
        for _ in 0..<5_400 { curve.add(second.span) }
        #expect(curve.powers.count < 1 << 16 && curve.step == .milliseconds(100))
        #expect(abs(curve.level(curve.powers.count - 1).value + 6.02) < 0.01)
    }
}
