internal import CRealtime
internal import Realtime

/// Finds where to start: a string is tried at places on a grid, with the others in the model.
///
/// B3 lies on partials of E2, E4 on those of E2 and A2: the height of a peak says nothing of them, but what the joint model
/// explains does.
struct StrumSearch: ~Copyable, Sendable {
    private var neighbourhood = LineNeighbourhood()
    private var courses = CourseSearch()
    private let re = SampleBuffer<Double>(count: LineNeighbourhood.capacity)
    private let im = SampleBuffer<Double>(count: LineNeighbourhood.capacity)
    /// What a string adds at each place.
    private let gains = SampleBuffer<Double>(count: mostPlaces)

    init() {}

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

    /// Puts two strings of one course near where one of them stands for both.
    @_noLocks mutating func split(_ fit: inout StrumFit, _ lead: Int, _ follower: Int, around law: StringLaw) {
        for s in lead...follower {
            fit.isActive.unsafeElements[s] = true
            clear(&fit, s)
        }
        courses.place(&fit, lead, follower, around: law, range: courseRange)
    }

    /// Tries every string again beside the others, and moves it where the model explains clearly more.
    ///
    /// - Returns: whether one has moved.
    @_noLocks mutating func reconsider(_ fit: inout StrumFit) -> Bool {
        var hasMoved = false
        // The grid gets finer as peaks get narrower.
        let spacing = min(coarse, 0.35 * coarse / (2 * fit.halfLength))
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let (law, now) = (fit.laws.unsafeElements[s], gain(&fit, s))
            let best = place(&fit, s, around: 0, range: widest, spacing: spacing)
            let distance = abs(fit.laws.unsafeElements[s].cents - law.cents)
            if best > 1.02 * now && distance > 3 {
                hasMoved = true
                clear(&fit, s)
            } else {
                fit.laws.unsafeElements[s] = law
            }
            fit.measure(s)
        }
        return hasMoved
    }

    /// Exchanges the detunings of two strings whose partials coincide, such as an octave course, where the model then
    /// explains more.
    ///
    /// - Returns: whether some have been exchanged.
    @_noLocks mutating func exchange(_ fit: inout StrumFit) -> Bool {
        var hasMoved = false
        for low in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[low] {
            for high in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[high] {
                let ratio = fit.fundamentals.unsafeElements[high] / fit.fundamentals.unsafeElements[low]
                let (a, b) = (fit.laws.unsafeElements[low], fit.laws.unsafeElements[high])
                guard ratio > 1.5, ratio < 4.5, abs(ratio - rt_round(ratio)) < 0.01 * ratio, abs(a.cents - b.cents) > 3
                else { continue }
                let now = gain(&fit, low, without: high) + gain(&fit, high)
                fit.laws.unsafeElements[low].cents = b.cents
                fit.laws.unsafeElements[high].cents = a.cents
                fit.measure(low)
                fit.measure(high)
                if gain(&fit, low, without: high) + gain(&fit, high) > now + 0.1 * fit.residual {
                    hasMoved = true
                } else {
                    fit.laws.unsafeElements[low] = a
                    fit.laws.unsafeElements[high] = b
                    fit.measure(low)
                    fit.measure(high)
                }
            }
        }
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
    @_noLocks private func combCents(_ fit: inout StrumFit, _ string: Int) -> Double {
        var (best, height) = (0.0, -1.0)
        var cents = -widest
        while cents <= widest {
            fit.laws.unsafeElements[string].cents = cents
            var sum = 0.0
            for j in 0..<fit.layout.count(string) {
                let p = fit.layout.partial(string, j)
                let product = fit.window.product(with: fit.pole(p))
                sum += (fit.layout.isShared(p) ? 0.05 : 1) * rt_sqrt(product.power)
            }
            if sum > height { (best, height) = (cents, sum) }
            cents += coarse
        }
        return best
    }

    /// Puts one string where the model explains most while the others stay, and returns what it adds there.
    @_noLocks mutating func place(
        _ fit: inout StrumFit, _ string: Int, around centre: Double, range: Double, spacing: Double
    ) -> Double {
        guard let ur = re.unsafeElements.baseAddress, let ui = im.unsafeElements.baseAddress else { return 0 }
        let count = min(mostPlaces, Int(2 * range / spacing) + 1)
        for i in 0..<count { gains.unsafeElements[i] = 0 }
        var law = fit.laws.unsafeElements[string]
        law.cents = centre
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            fit.poles.unsafeElements[p] = fit.pole(p, by: law)
            neighbourhood.gather(fit, around: p, range: range, without: string, -1)
            for i in 0..<count {
                var tried = law
                tried.cents = centre - range + Double(i) * spacing
                let line = neighbourhood.line(fit, at: fit.pole(p, by: tried), ridge: searchRidge, ur, ui)
                gains.unsafeElements[i] += line.gain
            }
        }
        var (best, height) = (centre, -1.0)
        for i in 0..<count where gains.unsafeElements[i] > height {
            (best, height) = (centre - range + Double(i) * spacing, gains.unsafeElements[i])
        }
        fit.laws.unsafeElements[string].cents = best
        fit.measure(string)
        return height
    }

    /// Forgets how far the partials of a string are off its law.
    @_noLocks private func clear(_ fit: inout StrumFit, _ string: Int) {
        for j in 0..<fit.layout.count(string) {
            fit.detuning.unsafeElements[fit.layout.partial(string, j)] = 0
            fit.damping.unsafeElements[fit.layout.partial(string, j)] = 0
        }
    }
}

/// Cents on either side of the tuning.
let widest = 62.0
/// Cents between two places: a third of the width of a peak at 1.3 kHz in a window of 0.25 s.
let coarse = 2.0
/// Places of the finest grid.
private let mostPlaces = 256
private let sweeps = 2
/// Cents on either side of what stands for the two strings of a course.
private let courseRange = 18.0
