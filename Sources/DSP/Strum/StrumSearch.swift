internal import CRealtime
internal import Realtime

/// Finds where to start: a string is tried at places on a grid, with the others in the model.
///
/// B3 lies on partials of E2, E4 on those of E2 and A2: the height of a peak says nothing of them, but what the joint model
/// explains does.
struct StrumSearch: ~Copyable, Sendable {
    private let matrix: HermitianFactor
    private let re: SampleBuffer<Double>, im: SampleBuffer<Double>
    /// The poles in the model, those of the string that is tried at the end, and their exponentials.
    private let poles: SampleBuffer<ComplexNumber>, ends: SampleBuffer<ComplexNumber>
    private let begins: SampleBuffer<ComplexNumber>
    /// How many of them belong to other strings.
    private var known = 0
    private var ridge = 1e-3

    init(partialCount: Int) {
        matrix = HermitianFactor(capacity: partialCount)
        re = SampleBuffer(count: matrix.stride)
        im = SampleBuffer(count: matrix.stride)
        let zero = ComplexNumber(0, 0)
        poles = SampleBuffer(count: partialCount, repeating: zero)
        ends = SampleBuffer(count: partialCount, repeating: zero)
        begins = SampleBuffer(count: partialCount, repeating: zero)
    }

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

    /// Puts two strings of one course near where one of them explains both.
    @_noLocks mutating func split(_ fit: inout StrumFit, _ lead: Int, _ follower: Int) {
        let centre = fit.laws.unsafeElements[lead].cents
        fit.laws.unsafeElements[follower] = fit.laws.unsafeElements[lead]
        fit.isActive.unsafeElements[follower] = true
        let top = fit.frequency(fit.layout.partial(lead, fit.layout.count(lead) - 1))
        // A quarter of a bin of the highest partial.
        let spacing = max(0.5, 0.25 * 1_731 / (2 * fit.halfLength * top))
        ridge = 1e-6
        for _ in 0..<4 {
            _ = place(&fit, follower, around: centre, range: 16, spacing: spacing)
            _ = place(&fit, lead, around: centre, range: 16, spacing: spacing)
        }
        ridge = searchRidge
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
                for j in 0..<fit.layout.count(s) { fit.detuning.unsafeElements[fit.layout.partial(s, j)] = 0 }
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
                let now = fit.explained
                fit.laws.unsafeElements[low].cents = b.cents
                fit.laws.unsafeElements[high].cents = a.cents
                fit.place()
                if fit.explained > now + 0.1 * fit.residual {
                    hasMoved = true
                } else {
                    fit.laws.unsafeElements[low] = a
                    fit.laws.unsafeElements[high] = b
                    fit.place()
                }
            }
        }
        return hasMoved
    }

    /// What a string adds to what the others explain, where it is.
    @_noLocks mutating func gain(_ fit: inout StrumFit, _ string: Int) -> Double {
        prepare(fit, without: string)
        return gain(fit, ofPlaced: string)
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
                let product = fit.window.products(with: fit.pole(p)).plain
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
        prepare(fit, without: string)
        var (best, height) = (centre, -1.0)
        var cents = centre - range
        while cents <= centre + range {
            fit.laws.unsafeElements[string].cents = cents
            fit.measure(string)
            let gain = gain(fit, ofPlaced: string)
            if gain > height { (best, height) = (cents, gain) }
            cents += spacing
        }
        fit.laws.unsafeElements[string].cents = best
        fit.measure(string)
        return height
    }

    /// Factorizes the model without a string.
    @_noLocks private mutating func prepare(_ fit: borrowing StrumFit, without string: Int) {
        guard let x = re.unsafeElements.baseAddress, let y = im.unsafeElements.baseAddress else { return }
        known = 0
        for p in 0..<fit.layout.count {
            let owner = fit.layout.string(p)
            guard owner != string && fit.isActive.unsafeElements[owner] else { continue }
            set(known, fit.pole(p))
            fill(known, fit.moments)
            (x[known], y[known]) = (fit.plain.unsafeElements[p].re, fit.plain.unsafeElements[p].im)
            known += 1
        }
        matrix.factorize(size: known, least: 1e-6)
        matrix.substitute(x, y, size: known)
    }

    @_noLocks private func gain(_ fit: borrowing StrumFit, ofPlaced string: Int) -> Double {
        guard let x = re.unsafeElements.baseAddress, let y = im.unsafeElements.baseAddress else { return 0 }
        var size = known
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            set(size, fit.pole(p))
            fill(size, fit.moments)
            (x[size], y[size]) = (fit.plain.unsafeElements[p].re, fit.plain.unsafeElements[p].im)
            size += 1
        }
        matrix.factorize(size: size, from: known, least: 1e-6)
        matrix.substitute(x, y, size: size, from: known)
        var sum = 0.0
        for i in known..<size { sum += x[i] * x[i] + y[i] * y[i] }
        return sum
    }

    @_noLocks private func set(_ index: Int, _ pole: ComplexNumber) {
        poles.unsafeElements[index] = pole
        ends.unsafeElements[index] = ComplexNumber(exponential: pole)
        begins.unsafeElements[index] = ComplexNumber(exponential: pole * -1)
    }

    @_noLocks private func fill(_ row: Int, _ moments: borrowing HannMoments) {
        let (pole, end, begin) = (
            poles.unsafeElements[row].conjugate, ends.unsafeElements[row].conjugate,
            begins.unsafeElements[row].conjugate
        )
        for column in 0...row {
            let values = moments.values(
                pole + poles.unsafeElements[column], exponential: end * ends.unsafeElements[column],
                inverse: begin * begins.unsafeElements[column])
            matrix.set(row, column, column == row ? values.zeroth * (1 + ridge) : values.zeroth)
        }
    }
}

/// Cents on either side of the tuning.
let widest = 62.0
/// Cents between two places: a third of the width of a peak at 1.3 kHz in a window of 0.25 s.
let coarse = 2.0
private let sweeps = 2
/// Two strings at one place share what they explain instead of cancelling each other.
private let searchRidge = 1e-3
