internal import Realtime
internal import Synthesis
internal import Timebase

/// How the engine makes sound from its schedule.
extension MetronomeEngine {
    /// What `render` does once the commands are taken.
    @_noLocks internal mutating func play(into frames: inout MutableSpan<Float>) {
        let flush = DenormalGuard()
        let end = position + Int64(frames.count)
        var rendered = 0
        while isRunning && !hasToldEnd {
            let lead = Int64(lead)
            var stroke = scheduler.next
            stroke.isMuted = stroke.isMuted || isMuted
            let begin = stroke.frame
            // What still rings on this layer makes room, so that the layer is never louder than one click. A stroke that is
            // struck earlier than that makes room itself.
            let fades = !hasFaded && begin < timeLimit && stroke.sounds && lead <= Int64(track.fadeFrames)
            if fades && begin - Int64(track.fadeFrames) < end {
                let offset = max(rendered, Int(begin - position) - track.fadeFrames)
                track.render(into: &frames, from: rendered, to: offset)
                rendered = offset
                track.fade(layer: Int(stroke.layer))
                hasFaded = true
            }
            if min(begin, timeLimit) - lead >= end { break }
            if stroke.isEnd && begin < timeLimit && applyPending(onBar: true) { continue }
            if begin >= timeLimit || stroke.isEnd {
                reportEnd(at: min(begin, timeLimit))
                break
            }
            // Never before this block, nor before the last stroke: a grid that was moved back plays at once.
            let offset = max(rendered, Int(begin - lead - position))
            track.render(into: &frames, from: rendered, to: offset)
            rendered = offset
            // The plan may go on elsewhere, or not at all; then look again.
            if stroke.isBeat && applyPending(onBar: stroke.beat == 1) { continue }
            if isDouble(stroke) {
                scheduler.advance()
                continue
            }
            strike(stroke, ahead: max(0, Int(begin - position) - offset))
            if stroke.frame >= firstHeard && !events.push(stroke) { lostEventCount += 1 }
            if stroke.isBeat {
                interval = 0
                if beat.beat > 0 {
                    interval = Double(stroke.floorFrame - beat.floorFrame) + stroke.fraction - beat.fraction
                }
                (beat, closest) = (stroke, 0)
            }
            scheduler.advance()
            hasFaded = false
        }
        track.render(into: &frames, from: rendered, to: frames.count)
        position = end
        _ = flush
    }

    @_noLocks private mutating func strike(_ stroke: BeatEvent, ahead: Int) {
        if !stroke.sounds { return }
        let gain = levelGains[stroke.level] * stroke.volume * volume * headroom * (stroke.part == 0 ? 1 : partGain)
        track.strike(
            layer: Int(stroke.layer), level: stroke.level, gain: gain,
            fraction: isExact ? stroke.fractionOfNearest : nil, ahead: ahead,
            word: track.isCounting ? CountWord(stroke) : nil)
        if Int(stroke.layer) < lastStruck.count { lastStruck[Int(stroke.layer)] = stroke.frame }
    }

    /// Whether a stroke repeats one that a change in the middle of a beat has just left behind.
    @_noLocks private func isDouble(_ stroke: BeatEvent) -> Bool {
        let layer = Int(stroke.layer)
        return closest > 0 && !stroke.isBeat && layer < lastStruck.count && stroke.frame - lastStruck[layer] < closest
    }

    @_noLocks private mutating func reportEnd(at frame: Int64) {
        hasToldEnd = true
        var last = scheduler.next
        (last.frame, last.floorFrame, last.fraction, last.isEnd) = (frame, frame, 0, true)
        if !events.push(last) { lostEventCount += 1 }
    }

    /// The first frame that is not settled yet.
    internal var present: Int64 { @_noLocks get { position + Int64(lead) } }
}
