internal import CRealtime
internal import Realtime

/// The joint fit of all partials of all strings to one window.
///
/// Each partial is a decaying exponential. Its amplitude follows from the others by linear least squares; its frequency and
/// decay follow the law of its string up to a deviation, which has a prior. Gauss-Newton steps move both.
/// - SeeAlso: Golub & Pereyra, "Separable nonlinear least squares: the variable projection method and its applications",
///   Inverse Problems 19(2), 2003.
struct StrumFit: ~Copyable, Sendable {
    private(set) var layout: PartialLayout
    let moments = HannMoments()
    var window: WeightedWindow
    /// Half the length of the window in seconds: the unit of its time.
    var halfLength = 0.0

    /// The first partials by the tuning, in hertz.
    let fundamentals: SampleBuffer<Double>
    let laws: SampleBuffer<StringLaw>
    /// Which strings are in the model: those that are heard.
    let isActive: SampleBuffer<Bool>
    /// How much faster each further partial decays: partial k at 1 + β (k - 1) times the rate of the first.
    var decaySlope = 0.15
    /// Deviations from the law: of the frequency in cents, of the logarithm of the decay rate.
    let detuning: SampleBuffer<Double>, damping: SampleBuffer<Double>

    /// exp(s), exp(-s) and s of each partial, s = (-a + iω) · half length.
    let poles: SampleBuffer<ComplexNumber>, ends: SampleBuffer<ComplexNumber>, begins: SampleBuffer<ComplexNumber>
    /// The products of the window with each partial and its slope.
    let plain: SampleBuffer<ComplexNumber>, sloped: SampleBuffer<ComplexNumber>
    let amplitudes: SampleBuffer<ComplexNumber>
    let gram: HermitianFactor
    /// Products of partials with slopes, and of slopes with slopes; then the curvature.
    let firstMoments: HermitianFactor, curvature: HermitianFactor
    let gradient: SampleBuffer<ComplexNumber>
    /// The last partial whose product with a partial counts; `gram.starts` has the first one.
    let lasts: SampleBuffer<Int>
    /// L⁻¹ of the first moments, a row per column.
    let projectedRe: SampleBuffer<Double>, projectedIm: SampleBuffer<Double>
    /// The noise at each partial, on the scale of the products.
    let noise: SampleBuffer<Double>
    /// What a partial's amplitude costs: noise over the power that its string's other partials lead to expect.
    let penalty: SampleBuffer<Double>
    /// What the fit explains of the power of the window, and what it leaves.
    var explained = 0.0
    var residual = 0.0

    /// For strings in some tuning, which `retune` sets.
    ///
    /// - Parameters:
    ///   - count: the most partials that the strings have in any tuning.
    ///   - capacity: the most samples of a window.
    init(stringCount: Int, partialCount count: Int, prior: StrumPrior, capacity: Int) {
        layout = PartialLayout(stringCount: stringCount, partialCount: count)
        window = WeightedWindow(capacity: capacity)
        self.fundamentals = SampleBuffer(count: stringCount)
        self.laws = SampleBuffer(count: stringCount, repeating: StringLaw(prior))
        isActive = SampleBuffer(count: stringCount, repeating: true)
        detuning = SampleBuffer(count: count)
        damping = SampleBuffer(count: count)
        let zero = ComplexNumber(0, 0)
        poles = SampleBuffer(count: count, repeating: zero)
        ends = SampleBuffer(count: count, repeating: zero)
        begins = SampleBuffer(count: count, repeating: zero)
        plain = SampleBuffer(count: count, repeating: zero)
        sloped = SampleBuffer(count: count, repeating: zero)
        amplitudes = SampleBuffer(count: count, repeating: zero)
        gram = HermitianFactor(capacity: count)
        firstMoments = HermitianFactor(capacity: count)
        curvature = HermitianFactor(capacity: count)
        gradient = SampleBuffer(count: count, repeating: zero)
        lasts = SampleBuffer(count: count)
        projectedRe = SampleBuffer(count: (count + 1) * gram.stride)
        projectedIm = SampleBuffer(count: (count + 1) * gram.stride)
        penalty = SampleBuffer(count: count)
        noise = SampleBuffer(count: count, repeating: 1)
    }

    /// Takes the strings of another tuning.
    @_noLocks mutating func retune(_ tuning: borrowing StringPlaces, _ index: Int) {
        for s in 0..<layout.stringCount { fundamentals.unsafeElements[s] = tuning.fundamental(s, of: index) }
        layout.lay(fundamentals, below: tuning.limit(of: index))
    }

    /// The frequency of a partial in hertz.
    @_noLocks func frequency(_ partial: Int) -> Double {
        let string = layout.string(partial)
        let law = laws.unsafeElements[string]
        let cents = law.cents + detuning.unsafeElements[partial]
        return fundamentals.unsafeElements[string] * rt_exp2(cents / 1_200) * law.stretch(layout.number(partial))
    }

    /// The decay rate of a partial in 1/s.
    @_noLocks func decay(_ partial: Int) -> Double {
        let law = laws.unsafeElements[layout.string(partial)]
        let slope = 1 + decaySlope * (layout.number(partial) - 1)
        return slope * rt_exp(law.logDecay + damping.unsafeElements[partial])
    }

    /// s of a partial, where law and deviations have it.
    @_noLocks func pole(_ partial: Int) -> ComplexNumber {
        bounded(ComplexNumber(-decay(partial), 2 * .pi * frequency(partial)) * halfLength)
    }

    /// s of a partial by another law, without deviations.
    @_noLocks func pole(_ partial: Int, by law: StringLaw) -> ComplexNumber {
        let (string, number) = (layout.string(partial), layout.number(partial))
        let frequency = fundamentals.unsafeElements[string] * rt_exp2(law.cents / 1_200) * law.stretch(number)
        let decay = (1 + decaySlope * (number - 1)) * rt_exp(law.logDecay)
        return bounded(ComplexNumber(-decay, 2 * .pi * frequency) * halfLength)
    }

    /// No exponential overflows.
    @inline(__always) @_noLocks private func bounded(_ pole: ComplexNumber) -> ComplexNumber {
        ComplexNumber(max(pole.re, -fastestDecay), pole.im)
    }

    /// Takes the poles of a string's partials, and their products with the window.
    @_noLocks func measure(_ string: Int) {
        for j in 0..<layout.count(string) {
            let p = layout.partial(string, j)
            let pole = pole(p)
            poles.unsafeElements[p] = pole
            ends.unsafeElements[p] = ComplexNumber(exponential: pole)
            begins.unsafeElements[p] = ComplexNumber(exponential: pole * -1)
            plain.unsafeElements[p] = window.product(with: pole)
        }
    }

    /// A third of a bin of a string's partial `number`, in cents: the distance of two places in a search.
    @_noLocks func spacing(_ string: Int, _ number: Int) -> Double {
        binShare * centsPerUnit / (2 * halfLength * fundamentals.unsafeElements[string] * Double(number))
    }

    /// The product of partial p with partial q.
    @inline(__always) @_noLocks func overlap(_ p: Int, _ q: Int) -> ComplexNumber {
        moments.zeroth(
            poles.unsafeElements[p].conjugate + poles.unsafeElements[q],
            exponential: ends.unsafeElements[p].conjugate * ends.unsafeElements[q],
            inverse: begins.unsafeElements[p].conjugate * begins.unsafeElements[q])
    }

    /// Puts every pole where law and deviations have it, and the amplitudes where they fit the window.
    @_noLocks mutating func place() {
        for p in 0..<layout.count where isActive.unsafeElements[layout.string(p)] {
            let pole = pole(p)
            poles.unsafeElements[p] = pole
            ends.unsafeElements[p] = ComplexNumber(exponential: pole)
            begins.unsafeElements[p] = ComplexNumber(exponential: pole * -1)
            let products = window.products(with: pole)
            plain.unsafeElements[p] = products.plain
            sloped.unsafeElements[p] = products.sloped
        }
        limitBand()
        for p in 0..<layout.count {
            let isIn = isActive.unsafeElements[layout.string(p)]
            for q in gram.starts.unsafeElements[p]...p {
                let isPair = isIn && isActive.unsafeElements[layout.string(q)]
                let values = isPair ? product(p, q) : HannMoments.Values()
                gram.set(p, q, values.zeroth)
                firstMoments.set(p, q, values.first)
                firstMoments.set(q, p, values.first.conjugate)
                curvature.set(p, q, values.second)
            }
            let diagonal = gram.element(p, p) * (1 + ridge) + ComplexNumber(penalty.unsafeElements[p], 0)
            gram.set(p, p, isIn ? diagonal : ComplexNumber(1, 0))
            if !isIn {
                plain.unsafeElements[p] = ComplexNumber(0, 0)
                sloped.unsafeElements[p] = ComplexNumber(0, 0)
            }
        }
        gram.factorize(size: layout.count, least: 1e-12)
        solveAmplitudes()
    }

    /// Finds for each partial the first and the last one whose product with it counts.
    @_noLocks private func limitBand() {
        var (least, p) = (layout.count, layout.count - 1)
        while p >= 0 {
            var start = p
            for q in 0..<p where abs(poles.unsafeElements[p].im - poles.unsafeElements[q].im) < .pi * bandBins {
                start = q
                break
            }
            // They stand in the order of the tuning, which detunings may change: a pair between two that count counts too.
            least = min(least, start)
            gram.starts.unsafeElements[p] = least
            p -= 1
        }
        for p in 0..<layout.count {
            for q in gram.starts.unsafeElements[p]...p { lasts.unsafeElements[q] = p }
        }
    }

    /// The moments of exp(s*τ) of partial p with exp(sτ) of partial q.
    @inline(__always) @_noLocks func product(_ p: Int, _ q: Int) -> HannMoments.Values {
        let h = poles.unsafeElements[p].conjugate + poles.unsafeElements[q]
        return moments.values(
            h, exponential: ends.unsafeElements[p].conjugate * ends.unsafeElements[q],
            inverse: begins.unsafeElements[p].conjugate * begins.unsafeElements[q])
    }

    @_noLocks private mutating func solveAmplitudes() {
        let count = layout.count
        guard let xr = projectedRe.unsafeElements.baseAddress, let xi = projectedIm.unsafeElements.baseAddress else {
            return
        }
        for p in 0..<count { (xr[p], xi[p]) = (plain.unsafeElements[p].re, plain.unsafeElements[p].im) }
        gram.substitute(xr, xi, size: count)
        explained = 0
        for p in 0..<count { explained += xr[p] * xr[p] + xi[p] * xi[p] }
        gram.substituteBack(xr, xi, size: count)
        for p in 0..<count { amplitudes.unsafeElements[p] = ComplexNumber(xr[p], xi[p]) }
        // A real signal has half of its power at negative frequencies.
        residual = max(0.5 * window.power - explained, max(1e-9 * window.power, 1e-30))
    }

    /// The gradient and the curvature by pole of what the amplitudes leave: g and H of -2 Re(u* g) + u* H u.
    @_noLocks mutating func linearize() {
        let (count, stride) = (layout.count, gram.stride)
        guard let vr = projectedRe.unsafeElements.baseAddress, let vi = projectedIm.unsafeElements.baseAddress else {
            return
        }
        for q in 0..<count {
            let (xr, xi) = (vr + q * stride, vi + q * stride)
            let (first, last) = (gram.starts.unsafeElements[q], lasts.unsafeElements[q])
            var sum = sloped.unsafeElements[q]
            for p in 0..<count { (xr[p], xi[p]) = (0, 0) }
            for p in first...last {
                let value = firstMoments.element(q, p)
                sum = sum - value * amplitudes.unsafeElements[p]
                (xr[p], xi[p]) = (value.re, -value.im)
            }
            gradient.unsafeElements[q] = sum * amplitudes.unsafeElements[q].conjugate
            gram.substitute(xr, xi, size: count, from: first, leading: first)
        }
        for p in 0..<count {
            for q in gram.starts.unsafeElements[p]...p {
                // Column p is zero before its first row.
                let k = gram.starts.unsafeElements[p]
                let (ar, ai, br, bi) = (
                    vr + p * stride + k, vi + p * stride + k, vr + q * stride + k, vi + q * stride + k
                )
                let overlap = ComplexNumber(
                    dot(ar, br, count - k) + dot(ai, bi, count - k), dot(ar, bi, count - k) - dot(ai, br, count - k))
                let (a, b) = (amplitudes.unsafeElements[p], amplitudes.unsafeElements[q])
                curvature.set(p, q, (curvature.element(p, q) - overlap) * (a.conjugate * b))
            }
        }
    }
}

/// Keeps partials of two strings that coincide from cancelling each other with huge amplitudes.
private var ridge: Double { @_noLocks get { 1e-7 } }
/// Over half a window: a partial that is gone sooner would stand for the noise of the attack.
private var fastestDecay: Double { @_noLocks get { 15.0 } }
/// Beyond it two partials are orthogonal: the Hann window's side lobes are 105 dB down there.
var bandBins: Double { @_noLocks get { 40.0 } }
/// Bins between two places.
private var binShare: Double { @_noLocks get { 0.33 } }
/// Cents per unit of the logarithm: 1200 / ln 2.
private var centsPerUnit: Double { @_noLocks get { 1_731.2 } }
