internal import CRealtime
internal import Realtime

// Sound that is none of the strings', such as that of fretted strings.
extension StrumRefinement {
    /// The power of lines that are no partial of a heard string, over what the strings explain.
    ///
    /// What a string leaves beside its lines lies within some cents of them: doubled lines, and partials that a body pulls. A
    /// fretted string has most of its partials elsewhere.
    ///
    /// - Complexity: one product with the window for every second bin up to twice the highest string.
    @_noLocks mutating func measureForeign() -> Double {
        var (lowest, highest) = (Double.infinity, 0.0)
        for s in 0..<fit.layout.stringCount {
            lowest = min(lowest, fit.fundamentals.unsafeElements[s])
            highest = max(highest, fit.fundamentals.unsafeElements[s])
            strings.isCounted.unsafeElements[s] = isHeard(s, least: leastGain)
        }
        // Phases over half the window: a bin is π.
        let unit = 2 * .pi * fit.halfLength
        let end = highestForeign * unit * highest
        var (place, sum, first) = (lowestForeign * unit * lowest, 0.0, 0)
        while place < end {
            // Partials are in the order of their frequencies by the tuning, from which they are 60 cents off and some.
            while first < fit.layout.count, fit.lines.poles.unsafeElements[first].im < place - farthestLine * place {
                first += 1
            }
            if !isBesidePartial(place, from: first) { sum += fit.rest(at: place) }
            place += 2 * .pi
        }
        let share = (2 * sum / hannBins + ghostPower()) / max(fit.explained, 1e-30)
        // Where no string is heard the places of the silent ones may be anything.
        return share < mostMeasured ? share : mostMeasured
    }

    /// The power of the lines that other strings have in the model.
    @_noLocks private mutating func ghostPower() -> Double {
        var sum = 0.0
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] && isGhost(s) {
            for j in 0..<fit.layout.count(s) {
                let p = fit.layout.partial(s, j)
                if isBesidePartial(fit.lines.poles.unsafeElements[p].im, from: 0) { continue }
                sum += fit.amplitudes.unsafeElements[p].power
            }
        }
        return sum
    }

    /// Whether a phase over half the window is near that of a partial of a string that is counted.
    @_noLocks private mutating func isBesidePartial(_ place: Double, from first: Int) -> Bool {
        let reach = max(.pi * besideBins, besideRatio * place)
        for p in first..<fit.layout.count {
            let line = fit.lines.poles.unsafeElements[p].im
            if line > place + farthestLine * place + reach { break }
            if abs(line - place) < reach, strings.isCounted.unsafeElements[lead(fit.layout.string(p))] { return true }
        }
        return false
    }

    /// Whether the sound has strong lines that are no partial of a heard string.
    ///
    /// In the windows that hold the picks more is allowed: their noise lies between the lines.
    var isForeign: Bool {
        @_noLocks mutating get { foreign > (2 * fit.halfLength < pickLength ? mostForeignInPicks : mostForeign) }
    }

    /// Whether only every second or third partial of a string is in the sound: it is another string, an octave or a twelfth
    /// above, as where a chord is fretted.
    ///
    /// Only partials tell that no string of another pitch has: the first one of a string that is not too low for a small
    /// microphone, or two of them, as a string that is plucked in a node of one has others.
    @_noLocks mutating func isGhost(_ string: Int) -> Bool {
        hasOnlyMultiples(string, of: 2) || hasOnlyMultiples(string, of: 3)
    }

    @_noLocks private mutating func hasOnlyMultiples(_ string: Int, of factor: Double) -> Bool {
        var (own, ownCount, common, commonCount) = (0.0, 0.0, 0.0, 0.0)
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            if fit.layout.isAtEdge(p) { continue }
            let number = fit.layout.number(p)
            let power = fit.amplitudes.unsafeElements[p].power
            if number == factor * rt_round(number / factor) {
                common += power
                commonCount += 1
            } else if !fit.layout.isShared(p) {
                own += power
                ownCount += 1
            }
        }
        let isEnough = ownCount > 1 || ownCount == 1 && hasOwnFirst(string)
        guard isEnough, commonCount > 0 else { return false }
        return own / ownCount < ghostShare * common / commonCount
    }
}

extension StrumRefinement {
    /// Whether the first partial of a string tells of it alone, and is not too low for a small microphone.
    @_noLocks private mutating func hasOwnFirst(_ string: Int) -> Bool {
        fit.fundamentals.unsafeElements[string] > lowestFirst && !fit.layout.isShared(fit.layout.partial(string, 0))
    }
}

/// The lowest and the highest frequency that is looked at, over those of the lowest and the highest string: below are hum and
/// the body, and above lines of the strings are everywhere.
private var lowestForeign: Double { @_noLocks get { 0.8 } }
private var highestForeign: Double { @_noLocks get { 2.2 } }
/// Bins on either side of a line: the width of the Hann window's peak and one more.
private var besideBins: Double { @_noLocks get { 3.0 } }
/// 25 cents: resonances of bodies pull single partials by 15.
private var besideRatio: Double { @_noLocks get { 0.014_5 } }
/// 85 cents: 60 of the string and 25 of a partial.
private var farthestLine: Double { @_noLocks get { 0.05 } }
/// Bins of power: Σ of the squares of the Hann window's line, 1 + 2 · ½².
private var hannBins: Double { @_noLocks get { 1.5 } }
/// Of what the strings explain. Where all strings sound recorded strums, 10 composites and 40 mixed ones, have at most 0.007 from
/// 0.35 s on, but for one in 25 that is not fitted well before 0.7 s. Chords of which one string is fretted have 0.04 and more.
private var mostForeign: Double { @_noLocks get { 0.03 } }
/// The same in the first two windows, where recorded strums have up to 0.13.
private var mostForeignInPicks: Double { @_noLocks get { 0.15 } }
/// Seconds: the windows that may have picks in them are shorter.
var pickLength: Double { @_noLocks get { 0.3 } }
/// -40 dB by partial. All but two of 400 strings of recorded strums have 0.011 and more, and those two 0.0002; strings that stand
/// for an octave less than 0.0001.
private var ghostShare: Double { @_noLocks get { 1e-4 } }
/// Hertz: telephones hear it with some dB less.
var lowestFirst: Double { @_noLocks get { 120.0 } }
/// Far more than any limit.
private var mostMeasured: Double { @_noLocks get { 1_000.0 } }
