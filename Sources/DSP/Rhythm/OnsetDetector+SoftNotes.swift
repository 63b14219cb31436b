internal import Music
internal import Realtime
internal import Spectral

extension OnsetDetector {
    /// Tells a note that only the forecast has heard, both reports at once. One that may still be told by its attack waits, as that
    /// is placed more exactly.
    @_noLocks mutating func hearLow() {
        if let note = forecast.advance(streams, floor: floor, decimation: sizes.decimation) {
            let end = Double(slicer.sampleCount)
            (lowFrame, lowStrength) = (max(0, end - note.age), LowForecast.share * note.strength)
            lowHop = max(0, Int(end - note.heardAge) / sizes.hop)
        }
        guard lowHop >= 0, candidate < 0 || hops - lowHop > longest else { return }
        defer { lowHop = -1 }
        guard !isTold, lowHop - lastNote >= apart else { return }
        if pitch?.isAtEdge == true { return }
        if isOfMovingTone() { return }
        (candidate, lastNote) = (-1, lowHop)
        tell(.first, at: lowFrame, lowStrength, error: LowForecast.standardError)
        tell(.refined, at: lowFrame, lowStrength, error: LowForecast.standardError)
        number += 1
    }

    /// Tells a note that begins by a change of pitch alone, both reports at once.
    @_noLocks mutating func hearPitch() {
        let input = slicer.latest(pitch?.reach ?? 0)
        guard let note = pitch?.advance(streams.plain.latest(OnsetSizes.hopLow), of: input, floor: floor)
        else { return }
        let frame = max(0, Double(slicer.sampleCount) - note.age)
        let hop = Int(frame) / sizes.hop
        guard !isTold, hop - lastNote >= settledPitch else { return }
        (candidate, lastNote, lowHop) = (-1, hop, -1)
        tell(.first, at: frame, note.strength, error: note.standardError)
        tell(.refined, at: frame, note.strength, error: note.standardError)
        number += 1
    }
}
