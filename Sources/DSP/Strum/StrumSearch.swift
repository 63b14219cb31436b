internal import CRealtime
internal import Realtime

/// Finds where to start: a string is tried at places on a grid, with the others in the model.
///
/// B3 lies on partials of E2, E4 on those of E2 and A2: the height of a peak says nothing of them, but what the joint model
/// explains does.
struct StrumSearch: ~Copyable, Sendable {
    var neighbourhood = LineNeighbourhood()
    private var courses = CourseSearch()
    let re = SampleBuffer<Double>(count: LineNeighbourhood.capacity)
    let im = SampleBuffer<Double>(count: LineNeighbourhood.capacity)
    /// What a string adds at each place.
    let gains = SampleBuffer<Double>(count: mostPlaces)
    /// The deviations of two strings that are tried elsewhere.
    let kept = SampleBuffer<Double>(count: 4 * mostPartialsPerString)
    /// Partials that do not count where a string is placed.
    let isIgnored: SampleBuffer<Bool>
    /// What the lowest partials of a string add, in falling order.
    let lowest = SampleBuffer<Double>(count: countedPartials)

    init(partialCount: Int) { isIgnored = SampleBuffer(count: partialCount, repeating: false) }

    /// Puts all active strings of a fit whose window is loaded where the model explains most.
    @_noLocks mutating func run(_ fit: inout StrumFit) {
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            fit.laws.unsafeElements[s].cents = combCents(&fit, s)
        }
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] { fit.measure(s) }
        for _ in 0..<sweeps {
            for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
                _ = place(&fit, s, around: 0, range: widest, spacing: coarse)
            }
        }
    }

    /// The same with an eighth of the work, to tell whether the strings are in the sound at all.
    @_noLocks mutating func runRoughly(_ fit: inout StrumFit) {
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            fit.laws.unsafeElements[s].cents = combCents(&fit, s, spacing: rough, partials: climbingPartials)
        }
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] { fit.measure(s) }
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            var law = fit.laws.unsafeElements[s]
            law.cents = -widest
            let count = Int(2 * widest / rough) + 1
            _ = best(&fit, s, from: law, cents: rough, stiffness: 0, count: count, partials: climbingPartials)
        }
    }

    /// Puts two strings of one course near where one of them stands for both.
    @_noLocks mutating func split(_ fit: inout StrumFit, _ lead: Int, _ follower: Int, around law: StringLaw) {
        for s in lead...follower {
            fit.isActive.unsafeElements[s] = true
            clear(&fit, s)
        }
        courses.place(&fit, lead, follower, around: law, range: courseRange)
    }

    /// Tries a string again beside the others, and moves it where the model explains clearly more.
    ///
    /// - Returns: whether it has moved.
    @_noLocks mutating func reconsider(_ fit: inout StrumFit, _ string: Int) -> Bool {
        // The grid gets finer as peaks get narrower.
        let spacing = min(coarse, 0.35 * coarse / (2 * fit.halfLength))
        let (law, now) = (fit.laws.unsafeElements[string], gain(&fit, string))
        let best = place(&fit, string, around: 0, range: widest, spacing: spacing)
        let hasMoved = best > 1.02 * now && abs(fit.laws.unsafeElements[string].cents - law.cents) > 3
        if hasMoved { clear(&fit, string) } else { fit.laws.unsafeElements[string] = law }
        fit.measure(string)
        return hasMoved
    }

    /// What a string adds where it is to what the others explain, all of them or all but one.
    @_noLocks mutating func gain(_ fit: inout StrumFit, _ string: Int, without other: Int = -1) -> Double {
        guard let ur = re.unsafeElements.baseAddress, let ui = im.unsafeElements.baseAddress else { return 0 }
        var sum = 0.0
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            neighbourhood.gather(fit, around: p, range: 0, without: string, other)
            sum += neighbourhood.line(fit, at: fit.poles.unsafeElements[p], ridge: searchRidge, ur, ui).gain
        }
        return sum
    }

    /// Where the partials of a string stand out most, those that others share at low weight.
    @_noLocks private func combCents(
        _ fit: inout StrumFit, _ string: Int, spacing: Double = coarse, partials: Int = .max
    ) -> Double {
        var (best, height) = (0.0, -1.0)
        var cents = -widest
        while cents <= widest {
            fit.laws.unsafeElements[string].cents = cents
            var sum = 0.0
            for j in 0..<min(partials, fit.layout.count(string)) {
                let p = fit.layout.partial(string, j)
                let product = fit.window.product(with: fit.pole(p))
                sum += (fit.layout.isShared(p) ? 0.05 : 1) * rt_sqrt(product.power)
            }
            if sum > height { (best, height) = (cents, sum) }
            cents += spacing
        }
        return best
    }

    /// Puts one string where the model explains most while the others stay, and returns what it adds there.
    @_noLocks mutating func place(
        _ fit: inout StrumFit, _ string: Int, around centre: Double, range: Double, spacing: Double
    ) -> Double {
        var law = fit.laws.unsafeElements[string]
        law.cents = centre - range
        let count = min(mostPlaces, Int(2 * range / spacing) + 1)
        return best(&fit, string, from: law, cents: spacing, stiffness: 0, count: count, partials: .max)
    }

    /// Puts a string at the best of all places by its lowest partials, whose places hardly depend on the stiffness; then
    /// finds the stiffness by ever more partials.
    @_noLocks mutating func climb(_ fit: inout StrumFit, _ string: Int) {
        let count = fit.layout.count(string)
        var last = min(count, climbingPartials)
        var law = fit.laws.unsafeElements[string]
        law.cents = -widest
        let spacing = max(2 * widest / Double(mostPlaces - 1), fit.spacing(string, last))
        _ = best(
            &fit, string, from: law, cents: spacing, stiffness: 0, count: Int(2 * widest / spacing) + 1, partials: last)
        var scatter = widestStiffness
        while last < count {
            last = min(count, 2 * last)
            // Cents of the top partial per unit of B: 866 (k² - 1).
            let step = max(1e-7, fit.spacing(string, last) / (866 * (Double(last * last) - 1)))
            law = fit.laws.unsafeElements[string]
            law.inharmonicity = max(0, law.inharmonicity - scatter)
            let places = min(mostPlaces, Int(2 * scatter / step) + 1)
            _ = best(&fit, string, from: law, cents: 0, stiffness: step, count: places, partials: last)
            scatter = 3 * step
        }
    }

    /// Puts one string at the best of several places in a row, and returns what it adds there.
    @_noLocks mutating func best(
        _ fit: inout StrumFit, _ string: Int, from first: StringLaw, cents: Double, stiffness: Double, count: Int,
        partials: Int
    ) -> Double {
        guard let ur = re.unsafeElements.baseAddress, let ui = im.unsafeElements.baseAddress else { return 0 }
        for i in 0..<count { gains.unsafeElements[i] = 0 }
        var (middle, tried) = (first, first)
        middle.cents += 0.5 * Double(count) * cents
        middle.inharmonicity += 0.5 * Double(count) * stiffness
        for j in 0..<min(partials, fit.layout.count(string)) {
            let p = fit.layout.partial(string, j)
            if isIgnored.unsafeElements[p] { continue }
            fit.poles.unsafeElements[p] = fit.pole(p, by: middle)
            let number = fit.layout.number(p)
            let range = 0.5 * Double(count) * (cents + stiffness * 866 * (number * number - 1))
            neighbourhood.gather(fit, around: p, range: range, without: string, -1)
            for i in 0..<count {
                tried.cents = first.cents + Double(i) * cents
                tried.inharmonicity = first.inharmonicity + Double(i) * stiffness
                let line = neighbourhood.line(fit, at: fit.pole(p, by: tried), ridge: searchRidge, ur, ui)
                gains.unsafeElements[i] += line.gain
            }
        }
        var (place, height) = (0, -1.0)
        for i in 0..<count where gains.unsafeElements[i] > height { (place, height) = (i, gains.unsafeElements[i]) }
        tried.cents = first.cents + Double(place) * cents
        tried.inharmonicity = first.inharmonicity + Double(place) * stiffness
        fit.laws.unsafeElements[string] = tried
        fit.measure(string)
        return height
    }

    @_noLocks func keep(_ fit: borrowing StrumFit, _ string: Int, second: Bool = false) {
        let start = second ? 2 * mostPartialsPerString : 0
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            kept.unsafeElements[start + 2 * j] = fit.detuning.unsafeElements[p]
            kept.unsafeElements[start + 2 * j + 1] = fit.damping.unsafeElements[p]
        }
    }

    @_noLocks func restore(_ fit: inout StrumFit, _ string: Int, second: Bool = false) {
        let start = second ? 2 * mostPartialsPerString : 0
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            fit.detuning.unsafeElements[p] = kept.unsafeElements[start + 2 * j]
            fit.damping.unsafeElements[p] = kept.unsafeElements[start + 2 * j + 1]
        }
    }

    /// Forgets how far the partials of a string are off its law.
    @_noLocks func clear(_ fit: inout StrumFit, _ string: Int) {
        for j in 0..<fit.layout.count(string) {
            fit.detuning.unsafeElements[fit.layout.partial(string, j)] = 0
            fit.damping.unsafeElements[fit.layout.partial(string, j)] = 0
        }
    }
}

/// Cents on either side of the tuning.
var widest: Double { @_noLocks get { 62.0 } }
/// Cents between two places: a third of the width of a peak at 1.3 kHz in a window of 0.25 s.
var coarse: Double { @_noLocks get { 2.0 } }
/// Cents between two places: a third of the width of a peak at 650 Hz.
private var rough: Double { @_noLocks get { 4.0 } }
/// Places of the finest grid.
private var mostPlaces: Int { @_noLocks get { 256 } }
private var sweeps: Int { @_noLocks get { 2 } }
/// Partials by which a string is placed in a long window: B moves the fifth one by 2 cents.
private var climbingPartials: Int { @_noLocks get { 5 } }
/// Cents on either side of what stands for the two strings of a course.
private var courseRange: Double { @_noLocks get { 18.0 } }
