internal import AudioIO
internal import CALSA
internal import Realtime

/// The thread that plays: has a period rendered whenever the device has room for one.
internal struct PlaybackLoop<Renderer: FrameRenderer & ~Copyable>: StreamLoop, ~Copyable {
    internal static var direction: StreamDirection { .playback }
    internal private(set) var request: StreamRequest
    private var renderer: Renderer
    private var timeline: TimelineLock
    private var patience = XrunPatience()
    private var format: StreamFormat
    private var period: PeriodBuffer
    /// Frames that were rendered or skipped: the time of the stream.
    private var rendered: Int64 = 0
    /// Frames of silence to play before the next rendered frame.
    private var hold: Int64 = 0
    /// Frames written to the device since it was last prepared.
    private var writtenSincePreparing = 0
    /// Frames between the device's buffer and the converter, as measured last.
    private var latency = 0

    internal init(_ request: StreamRequest, _ format: StreamFormat, renderer: consuming Renderer) {
        self.format = format
        // After a loss the device has to run at the rate that the renderer was made for.
        self.request = request
        self.request.sampleRate = format.sampleRate
        timeline = TimelineLock(sampleRate: format.framesPerSecond, periodFrames: format.periodFrames)
        period = PeriodBuffer(format: format, channel: request.channel)
        self.renderer = renderer
    }

    internal mutating func begin(on pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) -> StreamTrouble? {
        if pcm.format != format {
            format = pcm.format
            period = PeriodBuffer(format: format, channel: request.channel)
        }
        restart(&supervisor)
        return nil
    }

    internal mutating func resume(_ supervisor: inout StreamSupervisor) -> LossReason? {
        restart(&supervisor)
        guard patience.isExhausted(xruns: supervisor.separateXruns, at: .now()) else { return nil }
        guard request.growsOnXruns, format.periodFrames < XrunPatience.largestPeriod else {
            supervisor.statistics.needsLargerPeriod = true
            supervisor.control.stateChange.ring()
            return nil
        }
        // The next handle gets larger sizes.
        (request.periodFrames, request.bufferFrames) = (format.periodFrames * 2, format.bufferFrames * 2)
        supervisor.statistics.enlargements += 1
        return .tooSmall
    }

    /// Begins with an empty buffer: what is written next is heard at once, so rendering moves on to the frame that is due.
    private mutating func restart(_ supervisor: inout StreamSupervisor) {
        period.clear()
        (hold, writtenSincePreparing) = (0, 0)
        timeline.restart()
        if let due = timeline.frame(at: .now()) { move(by: due + Int64(latency) - rendered, &supervisor) }
    }

    /// Skips frames, or inserts silence if `count` is negative.
    private mutating func move(by count: Int64, _ supervisor: inout StreamSupervisor) {
        // Silence replaces frames that were rendered and that the device discarded with its buffer.
        supervisor.statistics.lostFrames += abs(count)
        guard count > 0 else {
            hold -= count
            return
        }
        renderer.skip(frames: Int(count))
        rendered += count
    }

    internal func accepts(_ format: StreamFormat) -> Bool { true }

    internal mutating func passTime(_ supervisor: inout StreamSupervisor) {
        // The plan goes on: beats keep their moments although they are not heard.
        hold = 0
        if let due = timeline.frame(at: .now()), due > rendered { move(by: due - rendered, &supervisor) }
        supervisor.publish(timeline.watch)
    }

    internal mutating func transfer(_ pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) -> StreamTrouble? {
        var (moved, trouble) = (0, StreamTrouble?.none)
        // Bounded, so that a device that always has room does not hold up commands.
        for _ in 0...(format.bufferFrames / format.periodFrames) {
            if period.pending.isEmpty {
                let room = snd_pcm_avail_update(pcm.handle)
                if room < 0 { trouble = .error(Int32(-room)) }
                if room < format.periodFrames || isAhead(supervisor) { break }
                let silence = min(hold, Int64(format.periodFrames))
                period.fill(from: &renderer, after: Int(silence))
                hold -= silence
                rendered += Int64(format.periodFrames) - silence
            }
            let before = period.pending.count
            trouble = period.write(to: pcm)
            let written = before - period.pending.count
            (moved, writtenSincePreparing) = (moved + written, writtenSincePreparing + written)
            if !period.pending.isEmpty { break }
        }
        guard moved > 0 else { return trouble }
        if supervisor.hasNoClock(moved: moved, position: rendered, bufferFrames: format.bufferFrames) {
            timeline.restart()
        }
        supervisor.progress(frames: moved, proven: writtenSincePreparing > format.bufferFrames)
        if trouble == nil { observe(pcm, &supervisor) }
        supervisor.publish(timeline.watch)
        return trouble
    }

    /// Whether a device without a clock is ahead of the system's clock by a buffer.
    private func isAhead(_ supervisor: borrowing StreamSupervisor) -> Bool {
        guard let place = supervisor.freePosition(at: .now()) else { return false }
        return rendered + hold >= place + Int64(format.bufferFrames)
    }

    /// Tells the clock which frame is heard now, and corrects what is out of place.
    private mutating func observe(_ pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) {
        let now = MonotonicTime.now()
        if let heard = supervisor.freePosition(at: now) {
            let error = timeline.observe(frame: heard, at: now)
            if error != 0 { move(by: error, &supervisor) }
            return
        }
        guard pcm.state == .running, let delay = pcm.measureDelay() else { return }
        let room = snd_pcm_avail_update(pcm.handle)
        if room >= 0 { latency = max(0, delay.frames - (format.bufferFrames - room)) }
        // Silence that is still to be played comes before the next frame.
        let heard = rendered - Int64(period.pending.count + delay.frames) - hold
        let error = timeline.observe(frame: heard, at: delay.at)
        if error != 0 { move(by: error, &supervisor) }
        supervisor.statistics.discontinuities = timeline.jumps
    }
}
