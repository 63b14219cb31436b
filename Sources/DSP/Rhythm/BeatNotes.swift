internal import CRealtime
internal import Realtime

/// The notes that begin near a beat: the beat's time is that of the one most likely played on it.
internal struct BeatNotes: ~Copyable, Sendable {
    private var onsets = BoundedQueue<Onset>(capacity: 64, filler: Onset())

    /// When the newest note began of which the detector has told at all, in samples.
    private(set) var newest: Double?

    /// Takes in what the detector has told.
    @_noLocks mutating func take(from detector: inout OnsetDetector) {
        while let onset = detector.nextOnset() {
            switch onset.stage {
            case .refined: onsets.push(onset)
            case .first: newest = onset.frame
            }
        }
    }

    @_noLocks mutating func reset() {
        onsets.removeAll()
        newest = nil
    }

    /// The note on a beat.
    ///
    /// - Parameters:
    ///   - frame: where the beat has to be, in samples.
    ///   - width: the standard deviation of notes about that, in samples.
    @_noLocks func nearest(to frame: Double, width: Double) -> Onset? {
        var best: Onset?
        var most = 0.0
        for n in 0..<onsets.count {
            let onset = onsets[n]
            let distance = (onset.frame - frame) / width
            guard abs(distance) < 2.5 else { continue }
            let weight = rt_exp(-distance * distance / 2) * onset.strength
            if weight > most { (best, most) = (onset, weight) }
        }
        return best
    }
}
