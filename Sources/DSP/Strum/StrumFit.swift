internal import CRealtime
internal import Music
internal import Realtime

/// The joint fit of all partials of all strings to one window.
///
/// Each partial is a decaying exponential. Its amplitude follows from the others by linear least squares; its frequency and
/// decay follow the law of its string up to a deviation, which has a prior. Gauss-Newton steps move both.
/// - SeeAlso: Golub & Pereyra, "Separable nonlinear least squares: the variable projection method and its applications",
///   Inverse Problems 19(2), 2003.
struct StrumFit: ~Copyable, Sendable {
    private(set) var layout: PartialLayout
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

    let lines: PartialLines
    let equations: LineEquations
    let amplitudes: SampleBuffer<ComplexNumber>
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
        lines = PartialLines(count: count)
        equations = LineEquations(count: count)
        amplitudes = SampleBuffer(count: count, repeating: ComplexNumber(0, 0))
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
            lines.put(p, at: pole)
            lines.plain.unsafeElements[p] = window.product(with: pole)
        }
    }

    /// A third of a bin of a string's partial `number`, in cents: the distance of two places in a search.
    @_noLocks func spacing(_ string: Int, _ number: Int) -> Double {
        binShare * Cents.perNeper / (2 * halfLength * fundamentals.unsafeElements[string] * Double(number))
    }

    /// Puts every pole where law and deviations have it, and the amplitudes where they fit the window.
    @_noLocks mutating func place() {
        for p in 0..<layout.count {
            guard isActive.unsafeElements[layout.string(p)] else {
                lines.plain.unsafeElements[p] = ComplexNumber(0, 0)
                lines.sloped.unsafeElements[p] = ComplexNumber(0, 0)
                continue
            }
            let pole = pole(p)
            lines.put(p, at: pole)
            let products = window.products(with: pole)
            lines.plain.unsafeElements[p] = products.plain
            lines.sloped.unsafeElements[p] = products.sloped
        }
        equations.fill(lines, layout, isActive: isActive, penalty: penalty)
        explained = equations.solve(lines, count: layout.count, into: amplitudes)
        // A real signal has half of its power at negative frequencies.
        residual = max(0.5 * window.power - explained, max(1e-9 * window.power, 1e-30))
    }

    /// The gradient and the curvature by pole of what the amplitudes leave; after `place`.
    @_noLocks func linearize() { equations.linearize(lines, count: layout.count, amplitudes: amplitudes) }

    /// Forgets how far the partials of a string are off its law.
    @_noLocks func clear(_ string: Int) {
        for j in 0..<layout.count(string) {
            detuning.unsafeElements[layout.partial(string, j)] = 0
            damping.unsafeElements[layout.partial(string, j)] = 0
        }
    }

    /// The repetition rate of a string's waveform in hertz: where the autocorrelation of its partials peaks.
    @_noLocks func periodicity(_ string: Int) -> Double {
        var (sum, weights) = (0.0, 0.0)
        for j in 0..<layout.count(string) {
            let p = layout.partial(string, j)
            let k = layout.number(p)
            let weight = k * k * amplitudes.unsafeElements[p].power
            sum += weight * frequency(p) / k
            weights += weight
        }
        return weights > 0 ? sum / weights : fundamentals.unsafeElements[string]
    }
}

/// Over half a window: a partial that is gone sooner would stand for the noise of the attack.
private var fastestDecay: Double { @_noLocks get { 15.0 } }
/// Bins between two places.
private var binShare: Double { @_noLocks get { 0.33 } }
