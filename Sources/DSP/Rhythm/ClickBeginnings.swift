internal import Realtime

/// Which stroke of a plan is the first that is heard, when it is known where its clicks lie.
///
/// A steady plan fits at many beginnings. Those that have the sounds of the accents where they are heard, and a stroke at each
/// click that is heard, explain the clicks as well; an earlier one has strokes before the first click too. So the plan begins
/// at the latest of them.
internal struct ClickBeginnings {
    /// Where a plan begins in the samples, in seconds, and how alike its first strokes and what is heard there are.
    internal typealias Beginning = (offset: Double, likeness: Double)

    internal let latest: Beginning?

    /// A recording begins so many clicks before or after what its notes are like, at most: four bars of sixteenths.
    private static let most = 64
    /// So many clicks after the anchor tell the beginnings apart.
    private static let span = 96
    /// The mean likeness is that of so many strokes.
    private static let compared = 16
    /// A sound of another level has a third of a click's likeness, and a click under a note may have half.
    private static let share = 0.6
    /// Less than any click counts: of beginnings that differ by less, one has no click more than another.
    private static let equal = 0.5

    /// - Parameters:
    ///   - samples: the part of the recording in which the plan begins.
    ///   - planned: the strokes that sound.
    ///   - anchor: a place at which strokes of the plan lie over clicks.
    internal init(
        _ samples: UnsafeBufferPointer<Float>, _ rate: Double, _ planned: [ClickPresence.Planned], anchor: Beginning
    ) {
        var heard = HeardStrokes(samples: samples, rate: rate)
        heard.follow(planned.prefix(Self.most), from: anchor.offset)
        let start = planned[0].time
        let distances = planned.prefix(Self.most).map { $0.time - start }
        let end = anchor.offset + planned[min(Self.span, planned.count) - 1].time
        func likenesses(_ offset: Double) -> [Double] {
            planned.prefix { $0.time + offset <= end }.compactMap { heard.likeness(of: $0, from: offset) }
        }
        let alike = likenesses(anchor.offset).filter { $0 >= ClickPresence.present }.sorted()
        let usual = alike.isEmpty ? anchor.likeness : alike[alike.count / 2]
        func score(_ offset: Double) -> Double {
            likenesses(offset).reduce(0) { $0 + ($1 >= Self.share * usual ? $1 / usual : 0) }
        }
        let offsets = distances.map { anchor.offset + $0 } + distances.dropFirst().map { anchor.offset - $0 }
        let scored = offsets.map { (offset: $0, score: score($0)) }
        let best = scored.reduce(0) { max($0, $1.score) }
        let equals = scored.filter { $0.score > 0 && $0.score >= best - Self.equal }
        latest = equals.max { $0.offset < $1.offset }.map { chosen in
            let first = likenesses(chosen.offset).prefix(Self.compared)
            let likeness = first.reduce(0, +) / Double(max(1, first.count))
            return (heard.place(of: chosen.offset + start) - start, likeness)
        }
    }
}

/// How alike strokes are to what is heard at their places, each compared once.
private struct HeardStrokes {
    private struct Place: Hashable {
        let sample: Int, sound: Int
    }

    let samples: UnsafeBufferPointer<Float>
    let rate: Double
    /// By how much later than planned clicks are heard, over the time of the recording: of two clocks that differ.
    private var drift = LineFit(priorSlopeWeight: 1)
    private var known: [Place: Double] = [:]

    init(samples: UnsafeBufferPointer<Float>, rate: Double) { (self.samples, self.rate) = (samples, rate) }

    /// Learns from strokes how the clocks differ.
    mutating func follow(_ strokes: ArraySlice<ClickPresence.Planned>, from offset: Double) {
        let slack = ClickPresence.slack(rate)
        for stroke in strokes {
            let time = stroke.time + offset
            let sample = Int((place(of: time) * rate).rounded())
            guard sample >= slack, sample + slack + stroke.filter.count <= samples.count else { continue }
            let alike = stroke.filter.likenesses(samples, around: sample, reach: slack)
            guard let peak = alike.indices.max(by: { alike[$0] < alike[$1] }), alike[peak] > ClickPresence.present
            else { continue }
            let heard = Double(sample + peak - slack) / rate
            drift.add(x: time, y: heard - time, weight: alike[peak] * alike[peak])
        }
    }

    /// Where in the samples a click is heard that is planned for a time, in seconds.
    func place(of time: Double) -> Double { time + (drift.count > 0 ? drift.value(at: time) : 0) }

    /// `nil` where the stroke lies outside of the samples.
    mutating func likeness(of stroke: ClickPresence.Planned, from offset: Double) -> Double? {
        let slack = ClickPresence.slack(rate)
        let sample = Int((place(of: stroke.time + offset) * rate).rounded())
        guard sample >= slack, sample + slack + stroke.filter.count <= samples.count else { return nil }
        let place = Place(sample: sample, sound: stroke.sound)
        if let likeness = known[place] { return likeness }
        let likeness = stroke.filter.likenesses(samples, around: sample, reach: slack).max() ?? 0
        known[place] = likeness
        return likeness
    }
}
