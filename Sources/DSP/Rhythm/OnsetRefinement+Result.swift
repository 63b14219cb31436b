internal import CRealtime

extension OnsetRefinement {
    /// What was found.
    internal struct Result: BitwiseCopyable {
        /// Input samples after the end of the hop in which the note was noticed; mostly below zero.
        var offset = 0.0
        /// How much louder the new sound is than what went before, as powers over 2 ms, below 3.6 kHz and above 5 kHz.
        var low: Float = 0
        var high: Float = 0
        /// Samples of the low band from the beginning of the search.
        var place = 0
        /// Whether a tone that moves went on until then.
        var isInTone = false
        /// Whether there was a tone that moves.
        var isInMovingTone = false
        /// Whether there is a jump above 5 kHz.
        var isSharp = false
        /// Whether the beginning was found; otherwise the time is that of the hop in which the note was noticed.
        var isFound = true
        /// Seconds right before the beginning in which what clicks may have left over would have hidden the note.
        var hidden = 0.0

        @_noLocks init() {}

        /// Of the time, in seconds: twice what two notes out of three stay within on the sounds that the limits were found on,
        /// as the attacks of other instruments are slower. It falls as the strength of the new sound rises.
        @_noLocks func standardError(strength: Float) -> Double {
            guard isInMovingTone else { return standardErrorInCalm(strength: strength) }
            // Of three slurred notes in ten the pitch moves for 10 to 20 ms, and where the tone cannot be followed nobody knows.
            let least = isSharp ? 0.003 : isInTone ? 0.006 : 0.01
            return max(least, isInTone ? 0 : standardErrorInCalm(strength: strength))
        }

        @_noLocks private func standardErrorInCalm(strength: Float) -> Double {
            let strength = Double(max(0.3, strength))
            guard isFound else { return max(OnsetRefinement.guess, 0.006_6 * rt_pow(strength, -2)) }
            let error =
                isSharp ? max(0.000_1, 0.002_6 * rt_pow(strength, -1.6)) : max(0.000_8, 0.006_6 * rt_pow(strength, -2))
            // The note began anywhere in what is hidden: the variance of a uniform distribution.
            return hidden == 0 ? error : rt_sqrt(error * error + hidden * hidden / 12)
        }
    }
}
