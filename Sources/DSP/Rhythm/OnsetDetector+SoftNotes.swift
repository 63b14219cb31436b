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

    /// Tells a note that begins under others by its partials alone, both reports at once.
    @_noLocks mutating func hearPartials() {
        guard let note = emerging?.advance(streams, floor: floor, decimation: sizes.decimation) else { return }
        let frame = max(0, Double(slicer.sampleCount) - note.age)
        let hop = Int(frame) / sizes.hop
        guard !isTold, hop - lastNote >= settledPartials, !isGliding(from: Int(note.age) / sizes.decimation) else {
            return
        }
        (candidate, lastNote, lowHop) = (-1, hop, -1)
        tell(.first, at: frame, note.strength, error: note.standardError)
        tell(.refined, at: frame, note.strength, error: note.standardError)
        number += 1
    }

    /// Whether one tone sounds, and is the one before it, moved, through the first 15 ms after so many samples of the low band ago.
    @_noLocks private mutating func isGliding(from age: Int) -> Bool {
        let (first, second) = (age - MovedTone.length, age - MovedTone.length * 3 / 2)
        guard second >= 0 else { return false }
        return goesOn(until: first, within: constants.followed) && goesOn(until: second, within: constants.followed)
    }
}
