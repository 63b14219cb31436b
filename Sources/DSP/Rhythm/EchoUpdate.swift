internal import CRealtime
internal import Realtime

// What is done in each cell of a row.
extension EchoLearning {
    /// How fast a new residual replaces the old ones in the coherence.
    private static var renewal: Float { @_noLocks get { 0.4 } }
    /// The largest share of an echo's power that its variance is raised to by coherence.
    private static var cap: Float { @_noLocks get { 0.1 } }

    /// Keeps a variance above zero, far below that of any rounding.
    private static var least: Float { @_noLocks get { 1e-30 } }

    /// Whether the way to the microphone is another one: the prediction has failed, as it did last time, and left the same.
    ///
    /// What one sound has found out holds for the others: the next failure of each is enough.
    @_noLocks mutating func hasChanged(_ echoes: borrowing ClickEchoes) -> Bool {
        if click.isKnown, isAmongNotes, likeness.isWithoutNotes { return true }
        guard click.isKnown, likeness.hasFailed else { return false }
        if let lastChange, echoes.sounds.unsafeElements[click.sound].last < lastChange { return true }
        guard likeness.isMissing || likeness.isRepeated else { return false }
        lastChange = click.frame
        return true
    }

    /// The variance before the click, that of the room when the path is new and otherwise a little more than it was; and the
    /// variance of other clicks that sound at the same time.
    @_noLocks func explain(
        _ frame: Int, _ neighbours: UnsafeMutableBufferPointer<ExpectedClick>, _ echoes: inout ClickEchoes
    ) {
        let (sound, first) = (click.sound, frame * sizes.bins)
        let (variance, others) = (scratch.variance + first, scratch.others + first)
        if isNew {
            let peak = max(echoes.sounds.unsafeElements[sound].peak, likeness.peak)
            echoes.sounds.unsafeElements[sound].peak = peak
            let (prior, spectrum) = (echoes.prior(frame: frame, peak: peak), echoes.spectrum(sound))
            for bin in 0..<sizes.bins { variance[bin] = prior * spectrum[bin] }
        } else {
            let growth = echoes.growth(sound, at: click.frame)
            let (old, power) = (echoes.variance(sound) + first, echoes.power(sound) + first)
            // Of a click that was heard once, among notes, all may have been notes: the second counts as much as the first.
            let isDoubtful = isAmongNotes && echoes.sounds.unsafeElements[sound].count == 1
            for bin in 0..<sizes.bins {
                variance[bin] = isDoubtful ? max(old[bin], power[bin]) : old[bin] + growth * power[bin]
            }
        }
        for bin in 0..<sizes.bins { others[bin] = 0 }
        for index in 0..<neighbours.count {
            let other = neighbours[index]
            let distance = other.frame - click.frame
            guard other.isUnderWay, distance != 0 || other.sound != sound, abs(distance) < sizes.length else {
                continue
            }
            // The frame before and the one after.
            let shift = Int(rt_floor(Double(distance) / Double(sizes.hop)))
            blame(other.sound, frame: frame - shift, echoes, others)
            blame(other.sound, frame: frame - shift - 1, echoes, others)
        }
    }

    /// Raises a row of the others' variance to that of a frame of another sound.
    @_noLocks private func blame(
        _ sound: Int, frame: Int, _ echoes: borrowing ClickEchoes, _ others: UnsafeMutablePointer<Float>
    ) {
        guard frame >= 0, frame < sizes.frames else { return }
        if echoes.sounds.unsafeElements[sound].count > 0 {
            let variance = echoes.variance(sound) + frame * sizes.bins
            for bin in 0..<sizes.bins { others[bin] = max(others[bin], variance[bin]) }
        } else {
            let prior = echoes.prior(frame: frame, peak: echoes.sounds.unsafeElements[click.sound].peak)
            let spectrum = echoes.spectrum(sound)
            for bin in 0..<sizes.bins { others[bin] = max(others[bin], prior * spectrum[bin]) }
        }
    }

    /// Multiplies a row of this residual by the last one, over five frequencies weighted 1, 2, 3, 2, 1.
    @_noLocks func compare(_ frame: Int, _ echoes: borrowing ClickEchoes) {
        let (bins, first) = (sizes.bins, frame * sizes.bins)
        let (cell, last) = (scratch.cells + first, echoes.residual(click.sound) + first)
        for k in 0..<bins { scratch.first[k] = cell[k].x * last[k].x + cell[k].y * last[k].y }
        sumOfThree(scratch.first, bins, into: scratch.second)
        sumOfThree(scratch.second, bins, into: scratch.crossSums + first)
        for k in 0..<bins {
            let power = cell[k].x * cell[k].x + cell[k].y * cell[k].y
            let before = last[k].x * last[k].x + last[k].y * last[k].y
            scratch.first[k] = Float(rt_sqrt(Double(power * before)))
        }
        sumOfThree(scratch.first, bins, into: scratch.second)
        sumOfThree(scratch.second, bins, into: scratch.productSums + first)
    }

    /// Raises the variance where this residual repeats the last one.
    ///
    /// Among notes, what is faint and the same as a whole is what was learnt of them: it goes at once.
    @_noLocks func raise(_ frame: Int, _ echoes: borrowing ClickEchoes) {
        let (sound, bins, first) = (click.sound, sizes.bins, frame * sizes.bins)
        let (cross, product) = (echoes.crossPower(sound) + first, echoes.product(sound) + first)
        let keep = 1 - Self.renewal
        scratch.smooth(scratch.cross, row: frame, into: scratch.first)
        for k in 0..<bins { cross[k] = keep * cross[k] + Self.renewal * scratch.first[k] }
        scratch.smooth(scratch.product, row: frame, into: scratch.first)
        for k in 0..<bins { product[k] = keep * product[k] + Self.renewal * scratch.first[k] }
        scratch.smoothPower(row: frame)
        let (power, variance) = (echoes.power(sound) + first, scratch.variance + first)
        let (prior, spectrum) = (
            echoes.prior(frame: frame, peak: echoes.sounds.unsafeElements[sound].peak), echoes.spectrum(sound)
        )
        let isLearntNote = isAmongNotes && likeness.isFaint && likeness.isRepeated
        for k in 0..<bins {
            let limit = prior * spectrum[k]
            let coherent = min(ClickEchoes.coherent(cross[k], product[k]), Self.cap * power[k])
            variance[k] = max(variance[k], min(isLearntNote ? limit : coherent, min(scratch.first[k], limit)))
        }
    }

    /// Corrects a frame of the echo by what its variance explains of the residual.
    @_noLocks mutating func correct(_ frame: Int, _ echoes: borrowing ClickEchoes) {
        let first = frame * sizes.bins
        let (cell, last) = (scratch.cells + first, echoes.residual(click.sound) + first)
        let (variance, others) = (scratch.variance + first, scratch.others + first)
        scratch.smoothPower(row: frame)
        for k in 0..<sizes.bins {
            last[k] = cell[k]
            let (p, o) = (variance[k], others[k])
            let gain = p / (p + o + max(noise, scratch.first[k] - p - o))
            scratch.second[k] = gain
            variance[k] = (1 - gain) * p + Self.least
        }
        transform.add(cell, times: scratch.second, frame: frame, to: scratch.echo)
    }
}
