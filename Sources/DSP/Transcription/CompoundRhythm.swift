internal import CRealtime

/// How melodies go on in beats of three eighths: which sixteenths of a beat have a note, how exactly it is played there, and in
/// which tempi.
///
/// Each sixteenth has a note or none, by itself, with the probability of its kind. A beat without a note then tells as much as
/// one with a note, and eighths are not taken for quarters of twice the tempo, every other beat of which would be empty.
/// - SeeAlso: Raphael, "A hybrid graphical model for rhythmic parsing", Artificial Intelligence 137, 2002.
struct CompoundRhythm {
    /// Sixteenths in a beat.
    static let parts = 6
    /// The most sixteenths from a note to the next: five beats. Longer ones are pauses.
    static let longest = 30
    /// A bar of two beats in sixteenths. Who has rested so long rests on: each further sixteenth is as likely without a note as in a
    /// rest of one more beat on average. Notes that were not heard are a rest, too.
    private static let bar = 12, rest = -1.0 / 6

    /// How likely a note begins on a beat, on another eighth, on a sixteenth between.
    private var shares = usualShares
    /// The standard deviation of a note about its place, in beats.
    private(set) var scatter = usualScatter

    /// Of 800 melodies with a change 793 were right with these, 788 with 0.04 for sixteenths.
    private static let usualShares = [0.85, 0.5, 0.1]
    /// So many places of a kind are the usual shares worth: with 30, 100 and a million, 788 to 790 of 800 were right.
    private static let shareWeight = 30.0
    /// That of `BeatParts`, a good amateur's, and so many notes it is worth; and the least in seconds, as notes are placed to some
    /// 5 ms. In beats, readings of exact notes in faster beats would be likelier.
    private static let usualScatter = 0.03, scatterWeight = 10.0, leastScatter = 0.008
    /// A note farther from its place, in beats, is no scatter: three quarters of a sixteenth.
    private static let farthest = 0.12

    init() {}

    /// What the notes of a reading are.
    init(of reading: CompoundReading, starts: [Double]) {
        var (seen, possible) = ([0.0, 0, 0], [0.0, 0, 0])
        var (squares, count) = (0.0, 0.0)
        var (seconds, steps) = (0.0, 0.0)
        for (last, next) in zip(reading.notes, reading.notes.dropFirst()) {
            guard next.place - last.place <= Self.longest else { continue }
            for place in (last.place + 1)...next.place { possible[Self.kind(place)] += 1 }
            seen[Self.kind(next.place)] += 1
            let beats = Double(next.place - last.place) / Double(Self.parts)
            let period = CompoundTempi.period(next.tempoBefore)
            (seconds, steps) = (seconds + period, steps + 1)
            let late = (starts[next.index] - starts[last.index]) / period - beats
            guard abs(late) < Self.farthest else { continue }
            (squares, count) = (squares + late * late, count + 1)
        }
        for kind in shares.indices {
            shares[kind] =
                (seen[kind] + Self.shareWeight * Self.usualShares[kind]) / (possible[kind] + Self.shareWeight)
        }
        // The time between two notes scatters as both do.
        let usual = 2 * Self.usualScatter * Self.usualScatter
        let variance = (squares + Self.scatterWeight * usual) / (count + Self.scatterWeight) / 2
        let least = steps > 0 ? Self.leastScatter * steps / seconds : Self.usualScatter
        scatter = max(least, min(Self.usualScatter, rt_sqrt(variance)))
    }

    /// On the beat, on another eighth, between.
    private static func kind(_ place: Int) -> Int {
        let rest = place % parts
        return rest == 0 ? 0 : rest % 2 == 0 ? 1 : 2
    }

    /// The logarithms of the probabilities that the next note after one at a place is so many sixteenths later, from 0 to the
    /// longest, place after place.
    var steps: [Double] {
        (0..<Self.parts).flatMap { place in
            var silence = 0.0
            return (0...Self.longest).map { distance -> Double in
                guard distance > 0 else { return -.infinity }
                let share = shares[Self.kind(place + distance)]
                defer { silence += distance <= Self.bar ? rt_log(1 - share) : Self.rest }
                return silence + rt_log(share)
            }
        }
    }

    /// The logarithm of the probability that music begins, or goes on after a pause, at a place: on the beat, or with an upbeat.
    static let beginnings = [0.7, 0.02, 0.13, 0.02, 0.11, 0.02].map { rt_log($0) }
}

/// The tempi that are tried, in equal steps of their logarithm.
enum CompoundTempi {
    static let count = 105
    /// A logarithm. Half of it displaces the next note, four eighths later, by 0.013 beats: less than the scatter.
    static let step = 0.02
    /// Beats per minute of the first; the last is 240.
    private static let slowest = 30.0
    /// Beats per minute and octaves: the dotted quarters of music from a siciliana to a jig.
    private static let usual = 90.0, width = 0.5
    /// The same where the tempo is known beforehand, about: a quarter off is two standard deviations.
    private static let widthKnown = 0.17
    /// The standard deviation of the logarithm of a sudden change, a quarter faster or slower, so that twice the tempo is a rare
    /// one (with 0.35 as many of 100 melodies were right); and the least change, as for other beats.
    private static let changeWidth = 0.25, leastChange = 0.06

    /// Seconds from beat to beat.
    static func period(_ tempo: Int) -> Double { 60 / slowest * rt_exp(-step * Double(tempo)) }

    /// The logarithms of the probabilities of the tempi.
    ///
    /// - Parameter around: what is known of it, in beats per minute.
    static func prior(around: Double? = nil) -> [Double] {
        let (mean, width) = around.map { ($0, widthKnown) } ?? (usual, width)
        return normalised(
            (0..<count).map { tempo in
                let octaves = rt_log2(60 / period(tempo) / mean) / width
                return -octaves * octaves / 2
            })
    }

    /// The same of the tempi that each is suddenly followed by, one after the other.
    static let changes: [Double] = {
        let usual = prior()
        return (0..<count).flatMap { old in
            normalised(
                (0..<count).map { new in
                    let change = Double(new - old) * step
                    guard abs(change) > leastChange else { return -.infinity }
                    return usual[new] - change * change / (2 * changeWidth * changeWidth)
                })
        }
    }()

    private static func normalised(_ logarithms: [Double]) -> [Double] {
        let total = rt_log(logarithms.reduce(0) { $0 + rt_exp($1) })
        return logarithms.map { $0 - total }
    }

    /// What a player varies, in steps: 8 %.
    private static let variation = 4

    /// Whether two tempi are the same but for what a player varies.
    static func isSame(_ one: Int, _ other: Int) -> Bool { abs(one - other) <= variation }

    static func same(as tempi: ClosedRange<Int>) -> ClosedRange<Int> {
        (tempi.lowerBound - variation)...(tempi.upperBound + variation)
    }

    /// Steps to the tempi of beats three times and twice as long, twice and three times as short: the same notes have a place in
    /// them, too.
    static let levels = [1.0 / 3, 1.0 / 2, 2, 3].map { Int(rt_round(rt_log($0) / step)) }

    /// The tempi of music of which is known how fast it is, about: neither beats twice as fast nor twice as slow.
    ///
    /// - Parameter around: beats per minute.
    static func possible(around: Double?) -> ClosedRange<Int> {
        guard let around else { return 0...(count - 1) }
        let (middle, width) = (rt_log(around / slowest) / step, 0.75 * rt_log(2) / step)
        let (first, last) = (Int(rt_ceil(middle - width)), Int(middle + width))
        return first <= count - 1 && last >= 0 ? max(0, first)...min(count - 1, last) : 0...(count - 1)
    }
}
