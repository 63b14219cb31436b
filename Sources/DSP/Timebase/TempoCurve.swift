internal import CRealtime

/// How the tempo moves from one value to another.
package enum TempoCurve: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Equal steps of tempo from beat to beat, as klick ramps: T(b) = T₀ + (T₁ - T₀) · b/N.
    case linearInBeats
    /// Equal steps of tempo from second to second: T(t) = T₀ + (T₁ - T₀) · t/D.
    case linearInTime
    /// The same factor from beat to beat: T(b) = T₀ · (T₁/T₀)^(b/N).
    case exponential
}

/// A tempo that moves from one value to another over some beats, then stays; time is a closed form of the beat.
///
/// - Note: With T linear in beats, T is exponential in time.
package struct TempoRamp: Sendable, Hashable, BitwiseCopyable {
    package let start: Double
    /// The tempo at beat `length` and after it.
    package let end: Double
    /// The beats that the change takes, above 0, not necessarily whole.
    package let length: Double
    package let curve: TempoCurve

    /// A ramp; all numbers must be above zero.
    @_noLocks package init(from start: Double, to end: Double, over length: Double, curve: TempoCurve) {
        precondition(start > 0 && end > 0 && length > 0, "a ramp's tempi and length are above zero")
        (self.start, self.end, self.length, self.curve) = (start, end, length, curve)
    }

    /// Seconds from the start of the ramp to a beat.
    ///
    /// - Parameter beat: 0 or more; beyond `length` the tempo is `end`.
    /// - Complexity: O(1): one logarithm, root or power.
    @_noLocks package func seconds(atBeat beat: Double) -> Double {
        let inside = min(beat, length)
        return rampSeconds(inside / length) + (beat - inside) * 60 / end
    }

    /// The tempo at a beat, in beats per minute.
    @_noLocks package func tempo(atBeat beat: Double) -> Double {
        let x = min(max(beat, 0), length) / length
        switch curve {
        case .linearInBeats: return start + (end - start) * x
        case .linearInTime: return rt_sqrt(start * start + (end * end - start * start) * x)
        case .exponential: return start * rt_pow(end / start, x)
        }
    }

    /// Seconds at the share `x` of the ramp's beats, 0...1.
    @_noLocks private func rampSeconds(_ x: Double) -> Double {
        let minutesPerTempo = 60 * length
        switch curve {
        case .linearInBeats:
            // 60 N / (T₁ - T₀) · ln(1 + (T₁ - T₀) x / T₀), in a form that is accurate for small changes.
            let change = (end - start) / start
            let argument = change * x
            if abs(argument) < 1e-9 { return minutesPerTempo / start * x * (1 - argument / 2) }
            return minutesPerTempo / (end - start) * rt_log1p(argument)
        case .linearInTime:
            // T² is linear in beats; t = 2 · 60 b / (T₀ + T(b)).
            let here = rt_sqrt(start * start + (end * end - start * start) * x)
            return 2 * minutesPerTempo * x / (start + here)
        case .exponential:
            // 60 N / (T₀ ln r) · (1 - r^(-x)), r = T₁/T₀.
            let logarithm = rt_log(end / start)
            if abs(logarithm * x) < 1e-9 { return minutesPerTempo / start * x * (1 - logarithm * x / 2) }
            return minutesPerTempo / (start * logarithm) * -rt_expm1(-logarithm * x)
        }
    }

    /// How many beats a ramp needs to last `seconds`.
    package static func beats(
        from start: Double, to end: Double, lasting seconds: Double, curve: TempoCurve
    ) -> Double { seconds / TempoRamp(from: start, to: end, over: 1, curve: curve).seconds(atBeat: 1) }
}
