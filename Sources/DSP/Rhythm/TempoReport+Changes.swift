internal import CRealtime

extension TempoReport {
    /// Another tempo that begins within a few beats.
    package struct Change: Sendable, Hashable {
        /// About when, in seconds from the start of the stream: within some four beats.
        package let start: Double
        /// The mean tempo of the part before it, and of the part from it on, in beats per minute.
        package let before: Double, after: Double
    }

    /// Where the tempo steps from one to another and does not get there little by little; in the order of time.
    package var changes: [Change] {
        let course = TempoCourse(spans(of: 4))
        let steps = course.steps(in: 0..<course.spans.count).sorted { $0.old < $1.old }
        let parts = zip([0] + steps.map(\.new), steps.map { $0.old + 1 } + [course.spans.count]).map {
            course.tempo(of: $0..<$1)
        }
        return steps.enumerated().map { index, step in
            // Between them is the part with beats of both.
            let (end, begin) = (course.spans[step.old].end, course.spans[step.new].start)
            return Change(start: (end + begin) / 2, before: parts[index], after: parts[index + 1])
        }
    }
}

/// The tempi of spans of four beats, and where they step.
private struct TempoCourse {
    let spans: [TempoReport.Span]
    /// Sums from the first span on: of one, of the seconds, of the logarithms of the tempi, and of their products.
    private var sums: [Moments] = [Moments()]

    /// The last span of the old tempo and the first of the new one.
    typealias Step = (old: Int, new: Int)

    /// Spans that tell a tempo: eight beats.
    private static let fewest = 2
    /// The least step, a logarithm: a smaller one is rubato, as in the beats of melodies.
    private static let leastStep = 0.06
    /// The least step in its standard errors. Where one of 30 spans is, the greatest of 60 normal ones is 3.2 in half of the takes
    /// and 4.6 in one of 300; spans of a player who sways are not quite independent.
    private static let leastOdds = 5.0
    /// What spans scatter by until that is known, and how many of them that is worth: a beat is off by 10 ms, and four of 0.5 s by
    /// 0.7 %.
    private static let usualScatter = 0.007, weight = 2.0
    /// The share of a step that is done from one span to the next but one. A ramp over four spans does half of its way.
    private static let sudden = 0.7

    init(_ spans: [TempoReport.Span]) {
        self.spans = spans
        guard let first = spans.first, let last = spans.last else { return }
        let (middle, tempo) = ((first.start + last.end) / 2, rt_log(first.beatsPerMinute))
        for span in spans {
            var sum = sums[sums.count - 1]
            sum.add((span.start + span.end) / 2 - middle, rt_log(span.beatsPerMinute) - tempo)
            sums.append(sum)
        }
    }

    /// Beats per minute over some spans.
    func tempo(of range: Range<Int>) -> Double {
        let part = spans[range]
        return 60 * Double(part.reduce(0) { $0 + $1.beats }) / part.reduce(0) { $0 + $1.end - $1.start }
    }

    /// The clearest step of some spans, and those of the spans before and after it.
    func steps(in range: Range<Int>) -> [Step] {
        guard range.count >= 2 * Self.fewest else { return [] }
        var best: (odds: Double, step: Step)?
        for end in (range.lowerBound + Self.fewest)...(range.upperBound - Self.fewest) {
            // The span between has beats of both tempi, unless they change right between two.
            for begin in [end, end + 1] where range.upperBound - begin >= Self.fewest {
                let odds = odds(range.lowerBound..<end, begin..<range.upperBound)
                if odds > max(best?.odds ?? 0, Self.leastOdds) { best = (odds, (end - 1, begin)) }
            }
        }
        guard let step = best?.step else { return [] }
        return steps(in: range.lowerBound..<(step.old + 1)) + [step] + steps(in: step.new..<range.upperBound)
    }

    /// The step from one part to the next in its standard errors, beside a drift that goes on through both; 0 where it is none.
    private func odds(_ old: Range<Int>, _ new: Range<Int>) -> Double {
        let (before, after) = (moments(of: old), moments(of: new))
        let spread = before.spread + after.spread
        let slope = (before.product + after.product) / spread
        let distance = after.meanX - before.meanX
        let step = after.meanY - before.meanY - slope * distance
        let local = rt_log(spans[new.lowerBound].beatsPerMinute / spans[old.upperBound - 1].beatsPerMinute)
        guard abs(step) > Self.leastStep, local * step > 0, abs(local) > Self.sudden * abs(step) else { return 0 }
        let residual = max(0, before.square + after.square - slope * (before.product + after.product))
        let expected = Self.weight * Self.usualScatter * Self.usualScatter
        let variance = (residual + expected) / (before.count + after.count - 3 + Self.weight)
        return abs(step)
            / rt_sqrt(variance * (1 / before.count + 1 / after.count + distance * distance / spread))
    }

    private func moments(of range: Range<Int>) -> Moments { sums[range.upperBound] - sums[range.lowerBound] }
}

/// Sums of points.
private struct Moments {
    private(set) var count = 0.0
    private var x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0

    mutating func add(_ x: Double, _ y: Double) {
        count += 1
        (self.x, self.y) = (self.x + x, self.y + y)
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
    }

    static func - (lhs: Moments, rhs: Moments) -> Moments {
        var rest = lhs
        rest.count -= rhs.count
        (rest.x, rest.y) = (lhs.x - rhs.x, lhs.y - rhs.y)
        (rest.xx, rest.xy, rest.yy) = (lhs.xx - rhs.xx, lhs.xy - rhs.xy, lhs.yy - rhs.yy)
        return rest
    }

    var meanX: Double { x / count }
    var meanY: Double { y / count }
    /// Sums of squares and of products about the means.
    var spread: Double { xx - x * meanX }
    var product: Double { xy - x * meanY }
    var square: Double { yy - y * meanY }
}
