internal import CRealtime
internal import Realtime

// Strings that are what others leave.
extension StrumRefinement {
    /// Whether a string of a course, or one beside courses, may be what others leave, which recorded ones do: beside their lines as
    /// well as on those of a string that is not there.
    ///
    /// What they leave is faint and lies on partials here and there. A string that is plucked has its first one, and a faint one that
    /// has not must stand clear of the noise. Of two strings of one pitch each may have the other's.
    @_noLocks func isDubious(_ string: Int) -> Bool {
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
    var areLawful: Bool { @_noLocks get { step.detuningScatter < obeyingScatter } }

    /// Whether a string is more likely what others leave than a string that was struck, where no two have one pitch.
    ///
    /// Double lines of others add up to a string, but lie on one or two of its partials, hardly ever on its first one, and are
    /// not clear of what is left beside them. Those of a lower string are as strong beside its partials. None of these tells
    /// enough alone, so their logarithms are summed. The lower a string, the more lines of others lie on its own.
    @_noLocks func isMadeUp(_ string: Int) -> Bool {
        let clearance = strings.clearances.unsafeElements[string]
        // Without a string whose partials others share they leave their laws, if they obey any.
        if areLawful, clearance >= lawfulClearance || strings.isNeeded.unsafeElements[string] { return false }
        let even = rt_log(max(least, strings.evens.unsafeElements[string]))
        let clear = rt_log(max(least, strings.firsts.unsafeElements[string])) + rt_log(max(least, clearance))
        let pitch = rt_log(fit.fundamentals.unsafeElements[string] / middlePitch)
        if areLawful { return even + lawfulShare * clear + lawfulPitchShare * pitch < leastLawfulEvidence }
        return even + clear + excessShare * meanExcess(string) + pitchShare * pitch < leastEvidence
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
/// The logarithm of the odds that a string was struck, up to a factor and a constant. Weights by logistic regression on 4,545
/// strings of 1,046 strums mixed from recordings, one string left out of 446 of them (seeds 8101 and 8102), rounded. Of the
/// strings left out 19 are said to be heard so, and 0.4 % of those that sounded are not; without the excess 29, and as many.
/// Of 164 left out of fresh strums (seeds 9301 to 9303) it is 15, without the excess 14: it helps where it was learnt, as yet.
/// With -3.5 it is 7 and 1.0 %, but then 94.8 instead of 98.1 % of the strings of the composites are heard within 5 cents: what
/// is missing there is a soft string two octaves above another. The level, the decay and the distance in cents from the lower
/// string's partials tell no more.
private var leastEvidence: Double { @_noLocks get { -5.5 } }
private var excessShare: Double { @_noLocks get { 2.0 } }
private var pitchShare: Double { @_noLocks get { 4.0 } }
/// The same where partials obey their laws.
private var leastLawfulEvidence: Double { @_noLocks get { -9.67 } }
private var lawfulShare: Double { @_noLocks get { 0.667 } }
private var lawfulPitchShare: Double { @_noLocks get { 1.5 } }
/// Hertz, to have a ratio.
private var middlePitch: Double { @_noLocks get { 200.0 } }
/// -90 dB, for a logarithm: far below any string.
private var least: Double { @_noLocks get { 1e-9 } }
/// Cents that partials are off their laws, where leaving them tells of a string that is missing. Those of generated strums stay below
/// 0.02 in windows from 0.7 s on. Of recorded ones 22 strings were needed where they are off by 0.5 and more; 20 were left out.
private var obeyingScatter: Double { @_noLocks get { 0.3 } }
/// 20 dB: where partials obey their laws, what is so far above all that is left beside it is a string, however they are spread.
private var lawfulClearance: Double { @_noLocks get { 100.0 } }
/// -14 dB of the loudest string: louder ones, in tune, may share all their partials.
private var faintPower: Double { @_noLocks get { 0.04 } }
