internal import CRealtime
internal import Music

/// The tempo of the beats that were told.
extension TempoTracker {
    var frameSeconds: Double { @_noLocks get { frameLength / sampleRate.value } }

    /// The tempo by the last beats, or by the states. Mutating, since the compiler follows every field of a borrowed tracker: half of
    /// the time that this module took to build.
    var tempo: TempoEstimate {
        @_noLocks mutating get {
            var estimate = TempoEstimate()
            let period = Double(states.shortest + state.index) * frameLength / sampleRate.value
            estimate.beatsPerMinute = 60 / period
            estimate.confidence = states.share(of: neighbours(of: state.index, within: 0.04))
            estimate.standardError = estimate.beatsPerMinute * (estimate.confidence > 0.5 ? 0.02 : 0.25)
            if line.count >= 3 {
                estimate.beatsPerMinute = 60 / line.period
                estimate.standardError = 60 / (line.period * line.period) * line.standardError
            }
            estimate.beatCount = line.count
            return estimate
        }
    }

    @_noLocks mutating func fit(_ beat: TrackedBeat, period: Double) {
        let passed = rt_round((beat.frame - lastTold) / period)
        // Another tempo, or a gap that no counting bridges, begins a new line.
        let isNew =
            passed < 1 || passed > 8 || abs((beat.frame - lastTold) / period - passed) > 0.2
            || line.count > 0 && abs(line.period * sampleRate.value / period - 1) > 0.15
        if isNew { line.reset() }
        line.add(beat.frame / sampleRate.value, after: isNew ? 0 : passed, error: beat.standardError)
    }

    /// The periods near one.
    @_noLocks func neighbours(of index: Int, within share: Double) -> Range<Int> {
        let width = Int(rt_ceil(share * Double(states.shortest + index)))
        return (index - width)..<(index + width + 1)
    }
}
