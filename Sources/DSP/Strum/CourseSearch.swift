internal import CRealtime
internal import Realtime

/// Finds the two strings of a course: all pairs of laws from two short lists are tried together.
///
/// Two lines that are closer than a bin are told apart by what both explain, never by what each explains alone.
struct CourseSearch: ~Copyable, Sendable {
    /// The most laws of a list.
    private static var capacity: Int { @_noLocks get { 48 } }
    private var neighbourhood = LineNeighbourhood()
    /// The laws of the two lists, the second after the first, and the lines of one partial by them.
    private let laws = SampleBuffer(
        count: 2 * Self.capacity, repeating: StringLaw(cents: 0, inharmonicity: 0, logDecay: 0))
    private let lines = SampleBuffer(count: 2 * Self.capacity, repeating: LineNeighbourhood.Line())
    private let re = SampleBuffer<Double>(count: 2 * Self.capacity * LineNeighbourhood.capacity)
    private let im = SampleBuffer<Double>(count: 2 * Self.capacity * LineNeighbourhood.capacity)
    private let gains = SampleBuffer<Double>(count: Self.capacity * Self.capacity)

    init() {}

    /// Puts the two strings of a course where they explain most together.
    ///
    /// First by the lowest partials, whose places hardly depend on the stiffness; then the stiffness of both by ever more
    /// partials.
    ///
    /// - Parameters:
    ///   - law: what stands for both so far.
    ///   - range: cents on either side of it.
    @_noLocks mutating func place(
        _ fit: inout StrumFit, _ lead: Int, _ follower: Int, around law: StringLaw, range: Double
    ) {
        let count = fit.layout.count(lead)
        let lowest = min(count, placingPartials)
        let step = max(2 * range / Double(Self.capacity - 1), fit.spacing(lead, lowest))
        var size = 0
        var cents = -range
        while cents <= range && size < Self.capacity {
            var tried = law
            tried.cents += cents
            laws.unsafeElements[size] = tried
            laws.unsafeElements[Self.capacity + size] = tried
            size += 1
            cents += step
        }
        best(&fit, lead, follower, from: 0, to: lowest, counts: (size, size), range: range)
        // Cents of the top partial per unit of B: 866 (k² - 1).
        var (last, scatter) = (lowest, widestStiffness)
        while last < count {
            last = min(count, last + last)
            let top = 866 * (Double(last * last) - 1)
            let step = max(2 * scatter / Double(Self.capacity - 1), fit.spacing(lead, last) / top)
            let sizes = (
                fill(0, fit.laws.unsafeElements[lead], scatter, step),
                fill(Self.capacity, fit.laws.unsafeElements[follower], scatter, step)
            )
            best(&fit, lead, follower, from: 0, to: last, counts: sizes, range: top * scatter)
            scatter = 3 * step
        }
    }

    /// Writes laws of the stiffnesses around that of a law, and returns how many.
    @_noLocks private func fill(_ start: Int, _ law: StringLaw, _ scatter: Double, _ step: Double) -> Int {
        var size = 0
        var offset = -scatter
        while offset <= scatter + 1e-12 && size < Self.capacity {
            var tried = law
            tried.inharmonicity = law.inharmonicity + offset
            if tried.inharmonicity >= 0 || size == 0 && offset + step > scatter {
                tried.inharmonicity = max(0, tried.inharmonicity)
                laws.unsafeElements[start + size] = tried
                size += 1
            }
            offset += step
        }
        return size
    }

    /// Gives the two strings the pair of laws that explains most by some of their partials.
    @_noLocks private mutating func best(
        _ fit: inout StrumFit, _ lead: Int, _ follower: Int, from first: Int, to last: Int, counts: (Int, Int),
        range: Double
    ) {
        for i in 0..<counts.0 * Self.capacity { gains.unsafeElements[i] = 0 }
        for j in first..<last {
            let partial = fit.layout.partial(lead, j)
            neighbourhood.gather(fit, around: partial, range: range, without: lead, follower)
            tryLines(fit, partial, 0, counts.0)
            tryLines(fit, partial, Self.capacity, counts.1)
            for a in 0..<counts.0 {
                for b in 0..<counts.1 { gains.unsafeElements[a * Self.capacity + b] += gain(fit, a, Self.capacity + b) }
            }
        }
        var (place, height) = ((0, 0), -1.0)
        for a in 0..<counts.0 {
            for b in 0..<counts.1 where gains.unsafeElements[a * Self.capacity + b] > height {
                (place, height) = ((a, b), gains.unsafeElements[a * Self.capacity + b])
            }
        }
        fit.laws.unsafeElements[lead] = laws.unsafeElements[place.0]
        fit.laws.unsafeElements[follower] = laws.unsafeElements[Self.capacity + place.1]
        fit.measure(lead)
        fit.measure(follower)
    }

    @_noLocks private func tryLines(_ fit: borrowing StrumFit, _ partial: Int, _ start: Int, _ count: Int) {
        guard let ur = re.unsafeElements.baseAddress, let ui = im.unsafeElements.baseAddress else { return }
        for i in start..<start + count {
            let pole = fit.pole(partial, by: laws.unsafeElements[i])
            let at = i * LineNeighbourhood.capacity
            lines.unsafeElements[i] = neighbourhood.line(fit, at: pole, ridge: pairRidge, ur + at, ui + at)
        }
    }

    /// What two lines explain together.
    @_noLocks private func gain(_ fit: borrowing StrumFit, _ a: Int, _ b: Int) -> Double {
        let (first, second) = (lines.unsafeElements[a], lines.unsafeElements[b])
        var overlap = fit.lines.moments.zeroth(
            second.pole.conjugate + first.pole, exponential: second.end.conjugate * first.end,
            inverse: second.begin.conjugate * first.begin)
        let (i, j) = (a * LineNeighbourhood.capacity, b * LineNeighbourhood.capacity)
        for m in 0..<neighbourhood.count {
            overlap =
                overlap - ComplexNumber(re.unsafeElements[j + m], -im.unsafeElements[j + m])
                * ComplexNumber(re.unsafeElements[i + m], im.unsafeElements[i + m])
        }
        let share = overlap * (1 / first.power)
        let rest = second.product - share * first.product
        let power = max(second.power - overlap.power / first.power, pairRidge * second.power)
        return first.gain + rest.power / power
    }
}

/// Partials by which the strings of a course are placed: B moves the fourth one by a cent.
private var placingPartials: Int { @_noLocks get { 4 } }
/// Of B, on either side of the law.
var widestStiffness: Double { @_noLocks get { 6e-5 } }
/// Amplitudes a thousand times those of the sum cost as much as they explain.
private var pairRidge: Double { @_noLocks get { 1e-6 } }
