import Music
import Rhythm
import TestNotes
import TestSignals
import Transcription

/// Melodies without a sound: when their notes begin.
struct GeneratedMelody {
    /// Units of its rhythms in a beat of the tempo: eighths in 6/8, quarters in 4/4.
    let perBeat: Double

    /// Of a tracker that hears no beat.
    static let silence = TempoReport(sampleRate: 48.kilohertz)

    /// Bars of 6/8, in eighths: usual rhythms.
    static let sixEighths: [[Double]] = [
        [3, 3], [1, 1, 1, 1, 1, 1], [2, 1, 2, 1], [3, 1, 1, 1], [1, 1, 1, 3], [2, 1, 3], [3, 2, 1], [2, 1, 1, 1, 1],
        [6], [1, 2, 3],
    ]

    /// The beginnings of notes.
    func places(bars: Int, of rhythms: [[Double]], _ generator: inout SeededGenerator) -> [Double] {
        var (places, place) = ([Double](), 0.0)
        for _ in 0..<bars {
            for length in rhythms.randomElement(using: &generator) ?? [] {
                places.append(place)
                place += length
            }
            // Thirds do not add up.
            place.round()
        }
        return places
    }

    /// Seconds of places, in one tempo up to a place and in another one after it, by a player of this scatter.
    func seconds(
        _ places: [Double], _ tempi: (first: Double, second: Double), at change: Double, scatter: Double,
        _ generator: inout SeededGenerator
    ) -> [Double] {
        places.map { place in
            let (before, after) = (min(place, change), max(0, place - change))
            return 0.5 + 60 / perBeat * (before / tempi.first + after / tempi.second) + scatter * normal(&generator)
        }
    }

    /// Eighty notes that keep to no beat, in seconds.
    static func atRandom(_ generator: inout SeededGenerator) -> [Double] {
        var time = 0.0
        return (0..<80).map { _ in
            time += Double.random(in: 0.15...0.9, using: &generator)
            return time
        }
    }
}

extension MelodyGrid {
    /// Whether it tells somewhere that it is a guess.
    func warns(_ starts: [Double]) -> Bool { stray(starts) != nil || !ambiguous.isEmpty }
}
