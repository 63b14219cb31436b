internal import CRealtime
internal import Realtime

// How strings that are plucked hard begin too sharp: their tension falls with their swing.
extension LineNeighbourhood {
    /// By how many cents a partial is sharper at the start of the window than it will be, and how well that is known, as one
    /// over its variance.
    ///
    /// The fall of the frequency adds to a line exp(sτ) what is nearly its product with i exp(-λτ). What of that neither the
    /// line nor another can have by moving tells of the fall.
    ///
    /// - Parameter ur, ui: take in `capacity` numbers each.
    @_noLocks mutating func glide(
        _ fit: borrowing StrumFit, of partial: Int, _ ur: UnsafeMutablePointer<Double>,
        _ ui: UnsafeMutablePointer<Double>
    ) -> (cents: Double, precision: Double) {
        let (pole, fall) = (fit.lines.poles.unsafeElements[partial], glideRate * fit.halfLength)
        gatherMovable(fit, around: partial, without: -1, partner: -1)
        let place = ComplexNumber(pole.re - fall, pole.im)
        let (end, begin) = (ComplexNumber(exponential: place), ComplexNumber(exponential: place * -1))
        for i in 0..<count {
            let p = members.unsafeElements[i] / 2
            let values = fit.lines.moments.values(
                fit.lines.poles.unsafeElements[p].conjugate + place,
                exponential: fit.lines.ends.unsafeElements[p].conjugate * end,
                inverse: fit.lines.begins.unsafeElements[p].conjugate * begin)
            let value = values.moment(members.unsafeElements[i] & 1)
            (ur[i], ui[i]) = (value.re, value.im)
        }
        var product = fit.window.product(with: place)
        var power = fit.lines.moments.zeroth(
            ComplexNumber(2 * place.re, 0), exponential: end.conjugate * end, inverse: begin.conjugate * begin
        ).re
        project(ur, ui, product: &product, power: &power)
        // The phase at the start, per cent: the integral of the fall from there on.
        let phase = pole.im * centsToLog / fall * rt_exp(-fall)
        let line = fit.amplitudes.unsafeElements[partial] * phase
        let whole = line.power * power
        guard whole > 0 else { return (0, 0) }
        // Times -i.
        let cents = (line.conjugate * product).im / whole * -1
        return (cents, 2 * whole / fit.noise.unsafeElements[partial])
    }
}

extension StrumFit {
    /// How many cents the frequency of a partial as it is fitted lies above the one that it comes to, per cent at the start.
    @_noLocks func glideOffset(_ partial: Int) -> Double {
        let (fall, decay) = (glideRate * halfLength, 2 * lines.poles.unsafeElements[partial].re)
        let (line, product) = (moments(decay), moments(decay - fall))
        let slope =
            (product.first * line.zeroth - product.zeroth * line.first)
            / (line.second * line.zeroth - line.first * line.first)
        return -rt_exp(-fall) / fall * slope
    }

    @_noLocks private func moments(_ exponent: Double) -> (zeroth: Double, first: Double, second: Double) {
        let values = lines.moments.values(
            ComplexNumber(exponent, 0), exponential: ComplexNumber(rt_exp(exponent), 0),
            inverse: ComplexNumber(rt_exp(-exponent), 0))
        return (values.zeroth.re, values.first.re, values.second.re)
    }
}

extension StrumRefinement {
    /// Measures how far the strings lie above the pitches that they come to.
    @_noLocks mutating func measureGlides() {
        for s in 0..<fit.layout.stringCount {
            (strings.glides.unsafeElements[s], strings.glideVariances.unsafeElements[s]) = (0, 0)
        }
        // The beats of two strings of one pitch look like glides.
        guard 2 * fit.halfLength > glideLength, !hasFollowers else { return }
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            (strings.glides.unsafeElements[s], strings.glideVariances.unsafeElements[s]) = glide(s)
        }
    }

    /// How many cents a string's law lies above the pitch that the string comes to, and the variance of that.
    @_noLocks private mutating func glide(_ string: Int) -> (cents: Double, variance: Double) {
        guard let ur = search.re.unsafeElements.baseAddress, let ui = search.im.unsafeElements.baseAddress else {
            return (0, 0)
        }
        var (sum, precision) = (0.0, 1 / (glideScatter * glideScatter))
        var (offsets, weights) = (0.0, 0.0)
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            let own = search.neighbourhood.glide(fit, of: p, ur, ui)
            guard own.precision > 0, own.cents.isFinite else { continue }
            // Partials stray from a common fall as they do from their law.
            let weight = 1 / (1 / own.precision + step.detuningScatter * step.detuningScatter)
            sum += weight * own.cents
            precision += weight
            // What it tells of the frequency, up to as much as one that is as clear as its law lets it be.
            let number = fit.layout.number(p)
            let loudness = number * number * fit.amplitudes.unsafeElements[p].power / fit.noise.unsafeElements[p]
            let told = loudness / (1 + 2 * loudness)
            offsets += told * fit.glideOffset(p)
            weights += told
        }
        let (cents, offset) = (sum / precision, offsets / weights)
        guard cents > leastGlide, offset.isFinite else { return (0, 0) }
        let most = min(mostGlide, glideOverScatter * max(0, step.detuningScatter - leastScatter))
        let share = 1 - leastGlide * leastGlide / (cents * cents)
        return (min(most, cents) * share * offset, offset * offset / precision)
    }
}

/// By 1/e in a quarter of a second: a fretted wound string of an electric guitar and an open one of a ukulele, both plucked hard,
/// fall by 9 cents so. By 3.5/s as many strings are right, with the period 0.02 cents further off in the median.
private var glideRate: Double { @_noLocks get { 4.3 } }
/// Seconds: two stages of decay look like a glide in a shorter window.
private var glideLength: Double { @_noLocks get { 0.6 } }
/// Cents at the start of a window, before anything is known. With 30 as many strings of recordings are right.
private var glideScatter: Double { @_noLocks get { 10.0 } }
/// Cents at the start of a window. With 1 cent 23 of 5,429 recorded strings fewer are heard within 5 cents (seeds 8101 to 8106).
private var leastGlide: Double { @_noLocks get { 0.3 } }
/// Cents. One in ten of the recorded strings that glide most glides by more than 16.
private var mostGlide: Double { @_noLocks get { 30.0 } }
/// How far a string may glide, over what partials are off their laws beyond `leastScatter`: they decay at rates of their own, and
/// so the offsets of a glide of 10 cents differ by 1 cent. Without this limit 5 % of the errors of generated strums are beyond
/// 0.02 to 0.27 cents in 1 s instead of 0.001 to 0.006.
private var glideOverScatter: Double { @_noLocks get { 10.0 } }
/// Cents: partials of generated strings are off by less.
private var leastScatter: Double { @_noLocks get { 0.1 } }
