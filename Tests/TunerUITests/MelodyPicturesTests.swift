import Foundation
import Intonation
import Music
import Rhythm
import TestNotes
import Testing
import Transcription

@testable import TakeReports
@testable import TerminalUI

@Suite struct MelodyPicturesTests {
    /// A take of eighths and quarters at 100 and its summary.
    private func plot(beats: Int, tempo: Double? = 100) -> MelodyPlot {
        var places: [Double] = []
        for beat in 0..<beats { places += beat % 4 == 1 ? [Double(beat), Double(beat) + 0.5] : [Double(beat)] }
        let tones = playedTones(
            at: places, tempo: 100, late: { tempo == nil ? uneven($0) : 0.012 * sin(Double($0) * 1.7) },
            cents: { 9 * sin(Double($0)) })
        var take = Take(name: "études/melody <1>.wav", finder: standardFinder)
        for tone in tones {
            // 50 readings a second with the note's vibrato.
            for step in 0..<Int(50 * tone.duration.inSeconds) {
                let seconds = tone.start.inSeconds + Double(step) / 50
                let cents = tone.vibratoDepth.value * sin(2 * .pi * 5.5 * Double(step) / 50)
                take.add(reading(at: Int64(48_000 * seconds), tone.frequency.value * exp2(cents / 1_200)))
            }
        }
        take.finish()
        var levels = LevelCurve(sampleRate: 1.kilohertz)
        for beat in 0...beats { levels.add([Float](repeating: 0.1 + 0.02 * Float(beat % 4), count: 600).span) }
        let melody = PlayedMelody(
            tones, beats: tempo.map { .given(tempo: $0) } ?? .heard(TempoReport(sampleRate: 48.kilohertz)),
            meter: MelodyGrid.Meter(beats: 4, value: 4), hasKey: true, tonic: 0, levels: levels)
        return MelodyPlot(take, MelodySummary(melody, tolerance: 5.cents, isHinted: true, isKeyGiven: true))
    }

    @Test func `Each note is a box, a point of lateness and a level; each degree and place sums up`() {
        let plot = plot(beats: 32)
        func count(_ part: String, in svg: String) -> Int { svg.components(separatedBy: part).count - 1 }
        let (svg, notes) = (plot.svg, plot.melody.tones.count)
        // Eight bars of five notes, in one system; the paper is a box too.
        #expect(notes == 40 && plot.layout.systems.count == 1 && count("<rect ", in: svg) == notes + 1)
        // Seven degrees, and the places 1, 2, 2 &, 3 and 4.
        #expect(count("<circle ", in: svg) == notes + 7 + 5)
        for label in [">1 C<", ">7 B<", ">2 &amp;<", ">4<", "melody &lt;1&gt;.wav", "loudness, dB", "lateness, ms"] {
            #expect(svg.contains(label), "\(label)")
        }
        let free = self.plot(beats: 32, tempo: nil).svg
        #expect(count("<rect ", in: free) == notes + 1 && count("<circle ", in: free) == 7)
        #expect(free.contains("no beat was found") && !free.contains("lateness"))
    }

    @Test func `A long melody has pages of A4 with two systems each, broken at bar lines`() throws {
        let plot = plot(beats: 400)
        let layout = plot.layout
        // 100 bars of 2.4 s in systems of at most 30 s, and half a page to sum up.
        #expect(layout.systems.count == 9 && layout.pageCount == 5 && layout.height == 5 * MelodyLayout.pageHeight)
        let grid = try #require(plot.melody.grid)
        for (index, times) in layout.systems.enumerated() {
            let place = grid.position(of: times.lowerBound)
            #expect(abs(place - place.rounded()) < 1e-6 && Int(place.rounded()) % 4 == 0)
            #expect(layout.x(times.lowerBound, index) == MelodyLayout.left)
            #expect(layout.right(ofSystem: index) <= MelodyLayout.right + 1e-6)
            let (roll, timing, loudness) = (layout.roll(index), layout.timing(index), layout.loudness(index))
            #expect(roll.top < roll.bottom && roll.bottom < timing.top && timing.bottom < loudness.top)
            #expect(loudness.bottom < layout.top(ofPage: index / 2) + MelodyLayout.pageHeight)
        }
        #expect(plot.svg.contains("5 / 5"))
    }

    @Test func `Hours of music have a bounded number of pages`() {
        let tones = playedTones(at: (0..<9_000).map(Double.init), tempo: 60)
        let melody = PlayedMelody(
            tones, beats: .given(tempo: 60), meter: MelodyGrid.Meter(beats: 4, value: 4), hasKey: true, tonic: 0,
            levels: LevelCurve(sampleRate: 48.kilohertz))
        let layout = MelodyLayout(melody, start: 0, end: 9_001)
        #expect(layout.systems.count <= 61 && layout.system(at: 4_000) != nil && layout.system(at: 9_900) == nil)
    }
}
