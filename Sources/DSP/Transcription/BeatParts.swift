internal import CRealtime

/// Which part of a beat each note of a melody stands for: the beat, its half, a third or a quarter.
///
/// A mixture of places with normal scatter. How often a kind of place occurs, and the scatter, follow from the notes
/// themselves: where nobody plays triplets, a late sixteenth is not taken for one.
/// - SeeAlso: Cemgil, Desain & Kappen, "Rhythm quantization for transcription", Computer Music Journal 24(2), 2000.
package struct BeatParts: Sendable {
    /// The standard deviation of the notes about their places, in beats.
    package private(set) var scatter: Double

    /// How likely each kind of place is.
    private var shares = [0.5, 0.3, 0.05, 0.05, 0.1]
    /// The places of a beat, and the kind of each: the second third by itself is where swung eighths begin.
    private static let places: [(part: Int, parts: Int, kind: Int)] = [
        (0, 1, 0), (1, 2, 1), (1, 3, 2), (2, 3, 3), (1, 4, 4), (3, 4, 4), (1, 1, 0),
    ]
    /// So many places of each kind share its probability.
    private static let sharing = [1.0, 1, 1, 1, 2]
    /// A good amateur's scatter, in beats of 0.6 s: 18 ms.
    private static let usualScatter = 0.03
    /// What is below is the scatter of the measurement: 3 ms of 0.6 s.
    private static let leastScatter = 0.005
    /// The counts settle within a few rounds.
    private static let rounds = 4

    /// The parts that the notes at these positions, in beats, are played in.
    package init(_ positions: [Double]) {
        scatter = Self.usualScatter
        for _ in 0..<Self.rounds where !positions.isEmpty {
            var counts = [1.0, 0.6, 0.1, 0.1, 0.2]
            var squares = 0.0
            for position in positions {
                let (place, kind) = likeliest(position)
                counts[kind] += 1
                let distance = position - place.position
                squares += distance * distance
            }
            let total = counts.reduce(0, +)
            shares = counts.map { $0 / total }
            // Never wider than at first: places an eighth of a beat apart would then be one.
            let seen = (squares / Double(positions.count)).squareRoot()
            scatter = min(Self.usualScatter, max(Self.leastScatter, seen))
        }
    }

    /// By how much likelier notes at these positions are than notes anywhere: the mean logarithm of their density.
    package func evidence(of positions: [Double]) -> Double {
        guard !positions.isEmpty else { return 0 }
        let sum = positions.reduce(0.0) { sum, position in
            let rest = position - rt_floor(position)
            let density = Self.places.reduce(0.0) { total, place in
                let distance = (rest - Double(place.part) / Double(place.parts)) / scatter
                let share = shares[place.kind] / Self.sharing[place.kind]
                return total + share * rt_exp(-distance * distance / 2) / (2.506_628 * scatter)
            }
            return sum + rt_log(max(1e-9, density))
        }
        return sum / Double(positions.count)
    }

    /// The likeliest place of a note.
    package func place(of position: Double) -> MelodyPlace { likeliest(position).place }

    /// The likeliest place of a note, and its kind.
    private func likeliest(_ position: Double) -> (place: MelodyPlace, kind: Int) {
        let beat = Int(rt_floor(position))
        let rest = position - Double(beat)
        var best = (cost: Double.infinity, place: MelodyPlace(beat: beat), kind: 0)
        for (part, parts, kind) in Self.places {
            let distance = rest - Double(part) / Double(parts)
            let cost = distance * distance / (2 * scatter * scatter) - rt_log(shares[kind] / Self.sharing[kind])
            guard cost < best.cost else { continue }
            // Part 1 of 1 is the next beat.
            let place =
                part == parts ? MelodyPlace(beat: beat + 1) : MelodyPlace(beat: beat, part: part, parts: parts)
            best = (cost, place, kind)
        }
        return (best.place, best.kind)
    }
}
