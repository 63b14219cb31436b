internal import CRealtime
internal import Realtime

/// Finds where to start: each string in turn is tried on a grid of ±60 cents, with the others in the model.
///
/// B3 lies on partials of E2, E4 on those of E2 and A2: the height of a peak says nothing of them, but what the joint model
/// explains does.
struct StrumSearch: ~Copyable, Sendable {
    private let matrix: HermitianFactor
    private let re: SampleBuffer<Double>, im: SampleBuffer<Double>
    /// The partials in the model, and their poles and exponentials.
    private let poles: SampleBuffer<ComplexNumber>, ends: SampleBuffer<ComplexNumber>
    private let begins: SampleBuffer<ComplexNumber>, products: SampleBuffer<ComplexNumber>
    /// The products with all partials at each place of the grid.
    private let grid: SampleBuffer<ComplexNumber>

    init(partialCount: Int) {
        matrix = HermitianFactor(capacity: partialCount)
        re = SampleBuffer(count: matrix.stride)
        im = SampleBuffer(count: matrix.stride)
        let zero = ComplexNumber(0, 0)
        poles = SampleBuffer(count: partialCount, repeating: zero)
        ends = SampleBuffer(count: partialCount, repeating: zero)
        begins = SampleBuffer(count: partialCount, repeating: zero)
        products = SampleBuffer(count: partialCount, repeating: zero)
        grid = SampleBuffer(count: partialCount * places, repeating: zero)
    }

    /// Puts the laws of a fit whose window is loaded where the model explains most.
    @_noLocks mutating func run(_ fit: inout StrumFit) {
        let count = fit.layout.count
        for i in 0..<count {
            fit.detuning.unsafeElements[i] = 0
            fit.damping.unsafeElements[i] = 0
        }
        for s in 0..<fit.layout.stringCount {
            for place in 0..<places {
                fit.laws.unsafeElements[s].cents = cents(place)
                for p in fit.layout.partials(s) {
                    let pole = ComplexNumber(-fit.decay(p), 2 * .pi * fit.frequency(p)) * fit.halfLength
                    grid.unsafeElements[p * places + place] = fit.window.products(with: pole).plain
                }
            }
            fit.laws.unsafeElements[s].cents = 0
        }
        for s in 0..<fit.layout.stringCount { fit.laws.unsafeElements[s].cents = cents(combPlace(fit, s)) }
        for _ in 0..<sweeps {
            for s in 0..<fit.layout.stringCount { place(&fit, s) }
        }
    }

    /// Where the partials of a string stand out most, those that others share at low weight.
    @_noLocks private func combPlace(_ fit: borrowing StrumFit, _ string: Int) -> Int {
        var (best, height) = (places / 2, -1.0)
        for place in 0..<places {
            var sum = 0.0
            for p in fit.layout.partials(string) {
                let weight = isShared(fit, p) ? 0.05 : 1
                sum += weight * rt_sqrt(grid.unsafeElements[p * places + place].power)
            }
            if sum > height { (best, height) = (place, sum) }
        }
        return best
    }

    /// Whether another string has a partial within 60 cents of where the tuning has this one.
    @_noLocks private func isShared(_ fit: borrowing StrumFit, _ partial: Int) -> Bool {
        let string = fit.layout.string(partial)
        let frequency = fit.fundamentals.unsafeElements[string] * fit.layout.number(partial)
        for other in 0..<fit.layout.stringCount where other != string {
            let ratio = frequency / fit.fundamentals.unsafeElements[other]
            if abs(ratio - rt_round(ratio)) < 0.035 * ratio && ratio > 0.9 { return true }
        }
        return false
    }

    /// Puts one string where the model explains most while the others stay.
    @_noLocks private mutating func place(_ fit: inout StrumFit, _ string: Int) {
        var known = 0
        for p in 0..<fit.layout.count where fit.layout.string(p) != string {
            set(known, ComplexNumber(-fit.decay(p), 2 * .pi * fit.frequency(p)) * fit.halfLength)
            let place = Int(rt_round((fit.laws.unsafeElements[fit.layout.string(p)].cents + range) / spacing))
            products.unsafeElements[known] = grid.unsafeElements[p * places + place]
            fill(known, fit.moments)
            known += 1
        }
        matrix.factorize(size: known, least: 1e-6)
        guard let x = re.unsafeElements.baseAddress, let y = im.unsafeElements.baseAddress else { return }
        for i in 0..<known { (x[i], y[i]) = (products.unsafeElements[i].re, products.unsafeElements[i].im) }
        matrix.substitute(x, y, size: known)
        var (best, height) = (0.0, -1.0)
        for place in 0..<places {
            fit.laws.unsafeElements[string].cents = cents(place)
            var size = known
            for p in fit.layout.partials(string) {
                set(size, ComplexNumber(-fit.decay(p), 2 * .pi * fit.frequency(p)) * fit.halfLength)
                fill(size, fit.moments)
                let product = grid.unsafeElements[p * places + place]
                (x[size], y[size]) = (product.re, product.im)
                size += 1
            }
            matrix.factorize(size: size, from: known, least: 1e-6)
            matrix.substitute(x, y, size: size, from: known)
            var sum = 0.0
            for i in known..<size { sum += x[i] * x[i] + y[i] * y[i] }
            if sum > height { (best, height) = (cents(place), sum) }
        }
        fit.laws.unsafeElements[string].cents = best
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
            matrix.set(row, column, column == row ? values.zeroth * (1 + searchRidge) : values.zeroth)
        }
    }

    @_noLocks private func cents(_ place: Int) -> Double { spacing * Double(place) - range }
}

/// Cents on either side of the tuning.
private let range = 62.0
/// Cents between two places: a third of the width of a peak at 1.3 kHz in a window of 0.25 s.
private let spacing = 2.0
private let places = 63
private let sweeps = 3
/// Two strings at one place share what they explain instead of cancelling each other.
private let searchRidge = 1e-3
