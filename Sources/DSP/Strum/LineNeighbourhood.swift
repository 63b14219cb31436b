internal import CRealtime
internal import Realtime

/// The partials of other strings around one line, and what the line adds to what they explain.
///
/// Under a Hann window lines a dozen bins apart hardly know of each other, so that a search needs no matrix of all partials.
struct LineNeighbourhood: ~Copyable, Sendable {
    /// The most neighbours of a line.
    static var capacity: Int { @_noLocks get { 32 } }
    private let matrix = HermitianFactor(capacity: Self.capacity)
    let members = SampleBuffer<Int>(count: Self.capacity)
    /// L⁻¹ of the products of the neighbours with the window.
    private let re = SampleBuffer<Double>(count: Self.capacity), im = SampleBuffer<Double>(count: Self.capacity)
    private(set) var count = 0
    /// Of the last line whose gain was asked for, the share of its power that the others cannot have.
    private(set) var ownShare = 1.0

    /// A line that is tried, orthogonal to the neighbours.
    struct Line: BitwiseCopyable {
        var pole = ComplexNumber(0, 0), end = ComplexNumber(0, 0), begin = ComplexNumber(0, 0)
        /// Its product with the window, and with itself, less what the neighbours have of both.
        var product = ComplexNumber(0, 0)
        var power = 1.0

        @inline(__always) @_noLocks init() {}

        /// What it explains.
        var gain: Double { @inline(__always) @_noLocks get { product.power / power } }
    }

    init() {}

    /// Takes in the neighbours of a partial as they are in a fit whose poles and products are up to date.
    ///
    /// - Parameters:
    ///   - range: how far from its place the line is tried, in cents.
    ///   - first, second: strings that do not count.
    @_noLocks mutating func gather(
        _ fit: borrowing StrumFit, around partial: Int, range: Double, without first: Int, _ second: Int
    ) {
        let centre = fit.lines.poles.unsafeElements[partial].im
        let reach = .pi * farthestBins + centre * range * 6e-4
        count = 0
        for q in 0..<fit.layout.count where count < Self.capacity {
            let owner = fit.layout.string(q)
            guard owner != first, owner != second, fit.isActive.unsafeElements[owner],
                abs(fit.lines.poles.unsafeElements[q].im - centre) < reach
            else { continue }
            members.unsafeElements[count] = q
            count += 1
        }
        for i in 0..<count {
            let p = members.unsafeElements[i]
            for j in 0...i {
                let value = fit.lines.overlap(p, members.unsafeElements[j])
                matrix.set(i, j, i == j ? value * (1 + searchRidge) : value)
            }
            re.unsafeElements[i] = fit.lines.plain.unsafeElements[p].re
            im.unsafeElements[i] = fit.lines.plain.unsafeElements[p].im
        }
        guard let x = re.unsafeElements.baseAddress, let y = im.unsafeElements.baseAddress else { return }
        matrix.factorize(size: count, least: 1e-6)
        matrix.substitute(x, y, size: count)
    }

    /// What a partial adds, where it is, to what the others of a fit explain.
    ///
    /// - Parameters:
    ///   - partner: the other string of a course. Its lines are as near as this one, and do not move.
    ///   - areMovable: whether the others' lines may move. Then they count with their derivative by frequency and decay, so
    ///     that a line which only makes up for those of another adds nothing.
    @_noLocks mutating func ownGain(
        _ fit: borrowing StrumFit, of partial: Int, partner: Int, areMovable: Bool,
        _ ur: UnsafeMutablePointer<Double>, _ ui: UnsafeMutablePointer<Double>
    ) -> Double {
        let string = fit.layout.string(partial)
        gatherMovable(fit, around: partial, without: string, partner: areMovable ? partner : allRigid)
        for i in 0..<count {
            let values = fit.lines.product(members.unsafeElements[i] / 2, partial)
            let value = values.moment(members.unsafeElements[i] & 1)
            (ur[i], ui[i]) = (value.re, value.im)
        }
        var product = fit.lines.plain.unsafeElements[partial]
        let whole = fit.lines.overlap(partial, partial).re * (1 + searchRidge)
        var power = whole
        project(ur, ui, product: &product, power: &power)
        ownShare = power / whole
        return product.power / power
    }

    /// Takes in the lines around a partial, each with its derivative by frequency and decay.
    ///
    /// - Parameters:
    ///   - string: a string that does not count, or -1.
    ///   - partner: a string whose lines do not move, -1 for none, or `allRigid`.
    @_noLocks mutating func gatherMovable(
        _ fit: borrowing StrumFit, around partial: Int, without string: Int, partner: Int
    ) {
        let centre = fit.lines.poles.unsafeElements[partial].im
        count = 0
        for q in 0..<fit.layout.count where count + 2 <= Self.capacity {
            let owner = fit.layout.string(q)
            guard owner != string, fit.isActive.unsafeElements[owner],
                abs(fit.lines.poles.unsafeElements[q].im - centre) < .pi * movableBins
            else { continue }
            for order in 0..<(partner == allRigid || owner == partner ? 1 : 2) {
                members.unsafeElements[count] = 2 * q + order
                count += 1
            }
        }
        guard let x = re.unsafeElements.baseAddress, let y = im.unsafeElements.baseAddress else { return }
        for i in 0..<count {
            let (p, order) = (members.unsafeElements[i] / 2, members.unsafeElements[i] & 1)
            for j in 0...i {
                let other = members.unsafeElements[j]
                let value = fit.lines.product(p, other / 2).moment(order + (other & 1))
                matrix.set(i, j, i == j ? value * (1 + searchRidge) : value)
            }
            let product = order == 0 ? fit.lines.plain.unsafeElements[p] : fit.lines.sloped.unsafeElements[p]
            (x[i], y[i]) = (product.re, product.im)
        }
        matrix.factorize(size: count, least: 1e-9)
        matrix.substitute(x, y, size: count)
    }

    /// A line at a pole. `ur` and `ui` take in L⁻¹ of its products with the neighbours, `capacity` numbers each.
    ///
    /// - Parameter ridge: what keeps two lines at one place from cancelling each other, as a share of their power.
    @_noLocks func line(
        _ fit: borrowing StrumFit, at pole: ComplexNumber, ridge: Double, _ ur: UnsafeMutablePointer<Double>,
        _ ui: UnsafeMutablePointer<Double>
    ) -> Line {
        var line = Line()
        (line.pole, line.end) = (pole, ComplexNumber(exponential: pole))
        line.begin = line.end.reciprocal
        for m in 0..<count {
            let q = members.unsafeElements[m]
            let value = fit.lines.moments.zeroth(
                fit.lines.poles.unsafeElements[q].conjugate + pole,
                exponential: fit.lines.ends.unsafeElements[q].conjugate * line.end,
                inverse: fit.lines.begins.unsafeElements[q].conjugate * line.begin)
            (ur[m], ui[m]) = (value.re, value.im)
        }
        line.product = fit.window.product(with: pole)
        line.power =
            fit.lines.moments.zeroth(
                pole.conjugate + pole, exponential: line.end.conjugate * line.end,
                inverse: line.begin.conjugate * line.begin
            ).re * (1 + ridge)
        project(ur, ui, product: &line.product, power: &line.power)
        return line
    }

    /// Leaves of a line's product with the sound and of its power what the neighbours cannot have.
    ///
    /// - Parameter ur, ui: the line's products with the neighbours; L⁻¹ of them afterwards.
    @_noLocks func project(
        _ ur: UnsafeMutablePointer<Double>, _ ui: UnsafeMutablePointer<Double>, product: inout ComplexNumber,
        power: inout Double
    ) {
        matrix.substitute(ur, ui, size: count)
        for m in 0..<count {
            let u = ComplexNumber(ur[m], -ui[m])
            product = product - u * ComplexNumber(re.unsafeElements[m], im.unsafeElements[m])
            power -= u.power
        }
        power = max(power, 1e-12)
    }
}

/// Two lines at one place share what they explain instead of cancelling each other.
var searchRidge: Double { @_noLocks get { 1e-3 } }
/// Instead of a partner: the lines of no string move.
private var allRigid: Int { @_noLocks get { -2 } }
/// Lines this near may take each other's place.
private var movableBins: Double { @_noLocks get { 6.0 } }
/// The Hann window's side lobes are 70 dB down there.
private var farthestBins: Double { @_noLocks get { 12.0 } }
