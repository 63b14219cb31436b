internal import Foundation
internal import Music
package import Transcription

/// Notes of a melody that are held until 92 % of the time to the next, in C major from C4 up and down again.
///
/// - Parameters:
///   - places: in beats, rising.
///   - tempo: beats per minute; the first beat is at half a second.
///   - late: of each note, in seconds.
///   - cents: of each note.
package func playedTones(
    at places: [Double], tempo: Double, late: (Int) -> Double = { _ in 0 }, cents: (Int) -> Double = { _ in 0 }
) -> [MelodyTone] {
    let scale = [0, 2, 4, 5, 7, 9, 11, 12, 11, 9, 7, 5, 4, 2]
    return places.indices.map { index in
        let next = index + 1 < places.count ? places[index + 1] : places[index] + 1
        let start = 0.5 + 60 / tempo * places[index] + late(index)
        let note = Note(midi: 60 + scale[index % scale.count])
        return MelodyTone(
            start: .seconds(start), end: .seconds(start + 0.92 * 60 / tempo * (next - places[index])), note: note,
            name: note.name, label: "\(note)", deviation: Cents(cents(index)),
            frequency: Hertz(440 * exp2((Double(note.midi - 69) + cents(index) / 100) / 12)),
            vibratoRate: index % 4 == 0 ? 5.5.hertz : 0.hertz, vibratoDepth: index % 4 == 0 ? 20.cents : 0.cents,
            level: Decibels(-20 - 3 * Double(index % 4)))
    }
}

/// Up to a quarter of a second, without a rule: the lateness of notes that keep to no tempo.
package func uneven(_ index: Int) -> Double {
    0.25 * (0.618_034 * Double(index * index)).truncatingRemainder(dividingBy: 1)
}

/// A number of a normal distribution of standard deviation 1.
package func normal(_ generator: inout some RandomNumberGenerator) -> Double {
    let (u, v) = (Double.random(in: 1e-12..<1, using: &generator), Double.random(in: 0..<1, using: &generator))
    return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
}
