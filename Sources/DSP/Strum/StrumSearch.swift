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
    let gains = SampleBuffer<Double>(count: PlaceRow.capacity)
    /// The deviations of two strings that are tried elsewhere.
    let kept = KeptDeviations(), keptSecond = KeptDeviations()
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
            let row = PlaceRow(fit.laws.unsafeElements[s], around: 0, range: widest, spacing: rough)
            _ = best(&fit, s, of: row, partials: climbingPartials)
        }
    }

    /// Puts two strings of one course near where one of them stands for both.
    @_noLocks mutating func split(_ fit: inout StrumFit, _ lead: Int, _ follower: Int, around law: StringLaw) {
        for s in lead...follower {
            fit.isActive.unsafeElements[s] = true
            fit.clear(s)
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
        if hasMoved { fit.clear(string) } else { fit.laws.unsafeElements[string] = law }
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
            sum += neighbourhood.line(fit, at: fit.lines.poles.unsafeElements[p], ridge: searchRidge, ur, ui).gain
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
        let row = PlaceRow(fit.laws.unsafeElements[string], around: centre, range: range, spacing: spacing)
        return best(&fit, string, of: row, partials: .max)
    }

    /// Puts a string at the best of all places by its lowest partials, whose places hardly depend on the stiffness; then
    /// finds the stiffness by ever more partials.
    @_noLocks mutating func climb(_ fit: inout StrumFit, _ string: Int) {
        let count = fit.layout.count(string)
        var last = min(count, climbingPartials)
        while last < count && counted(fit, string, last) < leastCounted { last += 1 }
        let spacing = max(2 * widest / Double(PlaceRow.capacity - 1), fit.spacing(string, last))
        let first = PlaceRow(fit.laws.unsafeElements[string], around: 0, range: widest, spacing: spacing)
        _ = best(&fit, string, of: first, partials: last)
        var scatter = widestStiffness
        while last < count {
            last = min(count, 2 * last)
            // Cents of the top partial per unit of B: 866 (k² - 1).
            let step = max(1e-7, fit.spacing(string, last) / (866 * (Double(last * last) - 1)))
            let row = PlaceRow(stiffnessOf: fit.laws.unsafeElements[string], range: scatter, spacing: step)
            _ = best(&fit, string, of: row, partials: last)
            scatter = 3 * step
        }
    }

    /// How many of a string's lowest partials count.
    @_noLocks private func counted(_ fit: borrowing StrumFit, _ string: Int, _ partials: Int) -> Int {
        var sum = 0
        for j in 0..<partials where !isIgnored.unsafeElements[fit.layout.partial(string, j)] { sum += 1 }
        return sum
    }

    /// Puts one string at the best of several places by its lowest partials, and returns what it adds there.
    @_noLocks mutating func best(_ fit: inout StrumFit, _ string: Int, of row: PlaceRow, partials: Int) -> Double {
        guard let ur = re.unsafeElements.baseAddress, let ui = im.unsafeElements.baseAddress else { return 0 }
        for i in 0..<row.count { gains.unsafeElements[i] = 0 }
        for j in 0..<min(partials, fit.layout.count(string)) {
            let p = fit.layout.partial(string, j)
            if isIgnored.unsafeElements[p] { continue }
            fit.lines.poles.unsafeElements[p] = fit.pole(p, by: row.middle)
            let range = row.range(ofPartial: fit.layout.number(p))
            neighbourhood.gather(fit, around: p, range: range, without: string, -1)
            for i in 0..<row.count {
                let line = neighbourhood.line(fit, at: fit.pole(p, by: row.law(i)), ridge: searchRidge, ur, ui)
                gains.unsafeElements[i] += line.gain
            }
        }
        var (place, height) = (0, -1.0)
        for i in 0..<row.count where gains.unsafeElements[i] > height {
            (place, height) = (i, gains.unsafeElements[i])
        }
        fit.laws.unsafeElements[string] = row.law(place)
        fit.measure(string)
        return height
    }
}

/// Cents on either side of the tuning.
var widest: Double { @_noLocks get { 62.0 } }
/// Cents between two places: a third of the width of a peak at 1.3 kHz in a window of 0.25 s.
var coarse: Double { @_noLocks get { 2.0 } }
/// Cents between two places: a third of the width of a peak at 650 Hz.
private var rough: Double { @_noLocks get { 4.0 } }
private var sweeps: Int { @_noLocks get { 2 } }
/// Partials by which a string is placed in a long window: B moves the fifth one by 2 cents.
private var climbingPartials: Int { @_noLocks get { 5 } }
/// Partials that count where a string is placed, at least: one of them may be silent where the string is plucked. Of E2 on twelve
/// strings, without its octaves and twelfths, they are 1, 5 and 7.
private var leastCounted: Int { @_noLocks get { 3 } }
/// Cents on either side of what stands for the two strings of a course.
private var courseRange: Double { @_noLocks get { 18.0 } }
