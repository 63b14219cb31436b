internal import CRealtime
internal import Realtime

// Strings that are what others leave.
extension StrumRefinement {
    /// Whether a string of a course, or one beside courses, may be what others leave, which recorded ones do: beside their lines as
    /// well as on those of a string that is not there.
    ///
    /// What they leave is faint and lies on partials here and there. A string that is plucked has its first one, and a faint one that
    /// has not must stand clear of the noise. Of two strings of one pitch each may have the other's.
    @_noLocks mutating func isDubious(_ string: Int) -> Bool {
        let lead = lead(string)
        let mayBeLeft =
            partner(lead) < 0
            ? strings.firsts.unsafeElements[lead] < dubiousFirst
                && strings.clearances.unsafeElements[lead] < dubiousClearance
            : strings.evidence.unsafeElements[lead].clearance < faintClearance
        guard mayBeLeft else { return false }
        var loudest = 0.0
        for s in 0..<fit.layout.stringCount where isHeard(s) { loudest = max(loudest, power(s)) }
        return power(string) < faintPower * loudest
    }

    /// Whether partials obey their laws, as those of generated strings do.
    var areLawful: Bool { @_noLocks mutating get { step.detuningScatter < obeyingScatter } }

    /// Whether a string is more likely what others leave than a string that was struck, where no two have one pitch.
    ///
    /// Double lines of others add up to a string, but lie on one or two of its partials, hardly ever on its first one, and are
    /// not clear of what is left beside them. None of these tells enough alone, so their logarithms are summed. The lower a string,
    /// the more lines of others lie on its own.
    @_noLocks mutating func isMadeUp(_ string: Int) -> Bool {
        let (even, first) = (strings.evens.unsafeElements[string], strings.firsts.unsafeElements[string])
        let clearance = strings.clearances.unsafeElements[string]
        guard clearance < (areLawful ? lawfulClearance : evenClearance) else { return false }
        // Without a string whose partials others share they leave their laws, if they obey any.
        if strings.isNeeded.unsafeElements[string], areLawful { return false }
        let evidence =
            rt_log(max(least, even)) + evidenceShare * (rt_log(max(least, first)) + rt_log(max(least, clearance)))
        let limit = areLawful ? leastLawfulEvidence : leastEvidence
        return evidence < limit - pitchShare * rt_log(fit.fundamentals.unsafeElements[string] / middlePitch)
    }
}

/// -22 dB of the loudest string's gain, and 17 dB over what is left beside the lines. Of strings that were left out of 294 strums
/// mixed from recordings 28 are said to be heard so, and 1.2 % of those that sounded are not; without a limit of the power 21 and
/// 1.3 %, but then 96.3 instead of 98.1 % of the strings of the composites are heard within 5 cents. By the clearance and the power
/// in the newest window alone it was 39 and 3.2 %.
private var dubiousFirst: Double { @_noLocks get { 6.7e-3 } }
private var dubiousClearance: Double { @_noLocks get { 50.0 } }
/// 9 dB over what is left beside its lines, for one of two strings of one pitch.
private var faintClearance: Double { @_noLocks get { 8.0 } }
/// The logarithm of the odds that a string was struck, up to a factor and a constant. Weights by logistic regression on 3,879
/// strings of 910 strums mixed from recordings, one string left out (seeds 8101 to 8106), rounded. The level, the frequency and the
/// decay that a string has beside the partials of one below it, in a ratio of 1 to 2 up to 6, tell no more: with them as many that
/// sounded are missed where as many that did not are said to be heard.
private var leastEvidence: Double { @_noLocks get { -9.0 } }
/// The same where partials obey their laws.
private var leastLawfulEvidence: Double { @_noLocks get { -9.67 } }
private var evidenceShare: Double { @_noLocks get { 0.667 } }
private var pitchShare: Double { @_noLocks get { 1.5 } }
/// Hertz, to have a ratio.
private var middlePitch: Double { @_noLocks get { 200.0 } }
/// -90 dB, for a logarithm: far below any string.
private var least: Double { @_noLocks get { 1e-9 } }
/// Cents that partials are off their laws, where leaving them tells of a string that is missing. Those of generated strums stay below
/// 0.02 in windows from 0.7 s on. Of recorded ones 22 strings were needed where they are off by 0.5 and more; 20 were left out.
private var obeyingScatter: Double { @_noLocks get { 0.3 } }
/// 20 dB: where partials obey their laws, what is so far above all that is left beside it is a string, however they are spread.
private var lawfulClearance: Double { @_noLocks get { 100.0 } }
/// 30 dB, where they do not.
private var evenClearance: Double { @_noLocks get { 1_000.0 } }
/// -14 dB of the loudest string: louder ones, in tune, may share all their partials.
private var faintPower: Double { @_noLocks get { 0.04 } }
