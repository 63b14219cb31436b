internal import CRealtime
internal import Music
internal import Realtime
public import Timebase

/// Where the clicks go.
extension BeatFollower {
    /// Where the next click goes, and the length of the beat that begins there; `nil`: nothing is to be played.
    ///
    /// It is a whole frame: a click that is to be taken out of what a microphone hears has the same samples every time.
    public var steering: BeatSteering? {
        @_noLocks get {
            guard isFollowing else { return nil }
            let rate = sampleRate.value
            let aim = courses.mean(at: Double(next))
            guard lastInterval > 0 else {
                return BeatSteering(
                    frame: rt_round(aim.seconds * rate), period: aim.period * rate, most: constants.most)
            }
            let interval = lastInterval + change(to: aim)
            return BeatSteering(
                frame: rt_round((lastClick + interval) * rate), period: interval * rate, most: constants.most)
        }
    }

    /// By how much the next interval differs from the last one.
    @_noLocks private func change(to aim: BeatCourse) -> Double {
        let before = courses.mean(at: Double(next - 1))
        let approach = ClickApproach(
            distance: lastClick - before.seconds, difference: lastInterval - before.period, bend: before.bend,
            limit: constants.most * lastInterval)
        // Where the click would be off by if nothing changed.
        return approach.change(off: lastClick + lastInterval - aim.seconds, constants)
    }
}
