internal import CRealtime

/// Which part of a beat each note of a melody stands for: the beat, its half, a third or a quarter.
///
/// A mixture of places with normal scatter. How often a kind of place occurs, and the scatter, follow from the notes
/// themselves: where nobody plays triplets, a late sixteenth is not taken for one.
/// - SeeAlso: Cemgil, Desain & Kappen, "Rhythm quantization for transcription", Computer Music Journal 24(2), 2000.
package struct BeatParts: Sendable {
    /// The standard deviation of the notes about their places, in beats.
    package private(set) var scatter: Double

    /// How likely each kind of place is: in 1, 2, 3 and 4 parts.
    private var shares = [0.5, 0.3, 0.1, 0.1]
    /// The places of a beat.
    private static let places: [(part: Int, parts: Int)] = [(0, 1), (1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 1)]
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
            var counts = [1.0, 0.6, 0.2, 0.2]
            var squares = 0.0
            for position in positions {
                let place = place(of: position)
                counts[place.parts - 1] += 1
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
                let share = place.parts > 2 ? shares[place.parts - 1] / 2 : shares[place.parts - 1]
                return total + share * rt_exp(-distance * distance / 2) / (2.506_628 * scatter)
            }
            return sum + rt_log(max(1e-9, density))
        }
        return sum / Double(positions.count)
    }

    /// The likeliest place of a note.
    package func place(of position: Double) -> MelodyPlace {
        let beat = Int(rt_floor(position))
        let rest = position - Double(beat)
        var best = (cost: Double.infinity, place: MelodyPlace(beat: beat))
        for (part, parts) in Self.places {
            let distance = rest - Double(part) / Double(parts)
            // Thirds and quarters have two places each.
            let share = parts > 2 ? shares[parts - 1] / 2 : shares[parts - 1]
            let cost = distance * distance / (2 * scatter * scatter) - rt_log(share)
            guard cost < best.cost else { continue }
            // Part 1 of 1 is the next beat.
            best = (
                cost, part == parts ? MelodyPlace(beat: beat + 1) : MelodyPlace(beat: beat, part: part, parts: parts)
            )
        }
        return best.place
    }
}
