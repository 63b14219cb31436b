internal import AudioIO
internal import CALSA
internal import Glibc
internal import Music
internal import Platform
internal import Realtime

/// The thread that plays: has a period rendered whenever the device has room for one.
internal struct PlaybackLoop<Renderer: FrameRenderer & ~Copyable>: ThreadWork, ~Copyable {
    private var renderer: Renderer
    private var supervisor: StreamSupervisor
    private var timeline: TimelineLock
    private var first: PCM?
    private var request: StreamRequest
    private var patience = XrunPatience()
    private var format: StreamFormat
    private var mono: SampleBuffer<Float>
    private var frames: SampleBuffer<UInt8>
    private var bytesPerFrame: Int
    /// Frames that were rendered or skipped: the time of the stream.
    private var rendered: Int64 = 0
    /// Frames of silence to play before the next rendered frame.
    private var hold: Int64 = 0
    /// The part of `frames` that is not written to the device yet, in frames.
    private var pending: Range<Int> = 0..<0
    /// Frames written to the device since it was last prepared.
    private var writtenSincePreparing = 0
    /// Frames between the device's buffer and the converter, as measured last.
    private var latency = 0
    private var freeRunner = FreeRunner()

    internal init(
        device: consuming PlaybackDevice, renderer: consuming Renderer, control: StreamControl,
        reports: consuming TripleBuffer<StreamReport>.Writer
    ) {
        format = device.format
        // After a loss the device has to run at the same rate, which the renderer was made for.
        var request = device.request
        request.sampleRate = format.sampleRate
        self.request = request
        timeline = TimelineLock(sampleRate: format.framesPerSecond, periodFrames: format.periodFrames)
        bytesPerFrame = format.bytesPerFrame
        mono = SampleBuffer(count: format.periodFrames)
        frames = SampleBuffer(count: format.periodFrames * format.bytesPerFrame)
        supervisor = StreamSupervisor(control: control, format: format, reports: reports)
        self.renderer = renderer
        let pcm = device.pcm
        first = consume pcm
    }

    /// Plays until told to stop, or the device is lost for good.
    internal mutating func run(at priority: WorkerThread.Priority) {
        supervisor.enterThread(at: priority)
        var loss: LossReason?
        if let pcm = first.take() { loss = play(on: pcm) }
        while let reason = loss, reason == .tooSmall || request.whenLost == .reopen {
            // The device is there and only gets larger sizes: no back-off, and no news for the user.
            if reason == .tooSmall, let pcm = try? PCM(request, .playback) {
                loss = play(on: pcm)
                continue
            }
            guard request.whenLost == .reopen else { break }
            supervisor.lose(because: reason)
            guard let pcm = waitForDevice() else {
                loss = nil
                break
            }
            loss = play(on: pcm)
        }
        supervisor.control.finish(because: loss)
        supervisor.change(to: .ended)
    }

    /// Plays on one handle; returns why that was lost, or `nil` when told to stop.
    private mutating func play(on pcm: borrowing PCM) -> LossReason? {
        adopt(pcm.format)
        while true {
            switch supervisor.control.command {
            case .run: break
            case .stop: return nil
            case .drain:
                drain(pcm)
                return nil
            }
            let trouble = transfer(pcm) ?? (freeRunner.isFree ? supervisor.pause() : supervisor.sleep(pcm))
            guard let trouble else { continue }
            switch supervisor.recover(pcm, from: trouble) {
            case .carryOn: break
            case .restarted:
                restart()
                if shallGrow() { return .tooSmall }
            case .lost(let reason): return reason
            }
        }
    }

    /// Whether the sizes are too small for this machine. If so, the next handle gets larger ones.
    private mutating func shallGrow() -> Bool {
        guard request.growsOnXruns, format.periodFrames < XrunPatience.largestPeriod else { return false }
        guard patience.isExhausted(xruns: supervisor.separateXruns, at: .now()) else { return false }
        (request.periodFrames, request.bufferFrames) = (format.periodFrames * 2, format.bufferFrames * 2)
        supervisor.statistics.enlargements += 1
        return true
    }

    /// Adopts the format of a new handle.
    private mutating func adopt(_ new: StreamFormat) {
        supervisor.adopt(new)
        freeRunner = FreeRunner()
        if new != format {
            format = new
            bytesPerFrame = new.bytesPerFrame
            mono = SampleBuffer(count: new.periodFrames)
            frames = SampleBuffer(count: new.periodFrames * new.bytesPerFrame)
        }
        restart()
    }

    /// Begins with an empty buffer: the next frame is heard at once, so it has to be the one whose moment it is.
    private mutating func restart() {
        (pending, hold, writtenSincePreparing) = (0..<0, 0, 0)
        timeline.restart()
        catchUp()
    }

    /// Moves on to the frame that is heard if it is written now.
    private mutating func catchUp() {
        if let due = timeline.frame(at: .now()) { move(by: due + Int64(latency) - rendered) }
    }

    /// Skips frames, or inserts silence if `count` is negative.
    private mutating func move(by count: Int64) {
        // Silence replaces frames that were rendered and that the device discarded with its buffer.
        supervisor.statistics.lostFrames += abs(count)
        guard count > 0 else {
            hold -= count
            return
        }
        renderer.skip(frames: Int(count))
        rendered += count
    }

    /// Waits until the device can be opened again, while the timeline goes on; `nil` when told to stop.
    private mutating func waitForDevice() -> PCM? {
        while supervisor.control.command == .run {
            let isTime = supervisor.isTimeToReopen()
            // Ten times a second: beats keep their moments although they are not heard.
            hold = 0
            if let due = timeline.frame(at: .now()), due > rendered { move(by: due - rendered) }
            supervisor.publish(timeline.watch)
            guard isTime else { continue }
            if let pcm = try? PCM(request, .playback) { return pcm }
            supervisor.extendBackOff()
        }
        return nil
    }

    /// Fills the room that the device has, in whole periods.
    private mutating func transfer(_ pcm: borrowing PCM) -> StreamTrouble? {
        var moved = 0
        // Bounded, so that a device that always has room does not hold up commands.
        for _ in 0...(format.bufferFrames / format.periodFrames) {
            if pending.isEmpty {
                let room = snd_pcm_avail_update(pcm.handle)
                if room < 0 { return .error(Int32(-room)) }
                if room < format.periodFrames || isAhead { break }
                render()
            }
            let count = pending.count
            let trouble = write(pcm)
            moved += count - pending.count
            if let trouble { return trouble }
            if !pending.isEmpty { break }
        }
        guard moved > 0 else { return nil }
        if freeRunner.observe(moved: moved, position: rendered, bufferFrames: format.bufferFrames) {
            supervisor.statistics.isPacedBySystem = true
            timeline.restart()
        }
        supervisor.progress(frames: moved, proven: writtenSincePreparing > format.bufferFrames)
        observe(pcm)
        supervisor.publish(timeline.watch)
        return nil
    }

    /// Whether a device without a clock is ahead of the system's clock by a buffer.
    private var isAhead: Bool {
        freeRunner.position(at: .now(), sampleRate: format.framesPerSecond).map {
            rendered + hold >= $0 + Int64(format.bufferFrames)
        } ?? false
    }

    private mutating func render() {
        let silent = Int(min(hold, Int64(format.periodFrames)))
        for i in 0..<silent { mono[i] = 0 }
        if silent < format.periodFrames {
            let rest = UnsafeMutableBufferPointer(rebasing: mono.unsafeElements[silent...])
            var block = rest.mutableSpan
            renderer.render(into: &block)
        }
        format.sampleFormat.encode(
            mono: UnsafeBufferPointer(mono.unsafeElements), channelCount: format.channelCount,
            only: request.channel.number, into: UnsafeMutableRawBufferPointer(frames.unsafeElements))
        hold -= Int64(silent)
        rendered += Int64(format.periodFrames - silent)
        pending = 0..<format.periodFrames
    }

    /// Writes the pending frames until the device takes no more.
    private mutating func write(_ pcm: borrowing PCM) -> StreamTrouble? {
        guard let start = UnsafeRawPointer(frames.unsafeElements.baseAddress) else { return nil }
        while !pending.isEmpty {
            let written = snd_pcm_writei(
                pcm.handle, start + pending.lowerBound * bytesPerFrame, snd_pcm_uframes_t(pending.count))
            if written == -snd_pcm_sframes_t(EAGAIN) || written == 0 { return nil }
            if written < 0 { return .error(Int32(-written)) }
            pending = (pending.lowerBound + Int(written))..<pending.upperBound
            writtenSincePreparing += Int(written)
        }
        return nil
    }

    /// Tells the clock which frame is heard now, and corrects what is out of place.
    private mutating func observe(_ pcm: borrowing PCM) {
        let now = MonotonicTime.now()
        if let heard = freeRunner.position(at: now, sampleRate: format.framesPerSecond) {
            let error = timeline.observe(frame: heard, at: now)
            if error != 0 { move(by: error) }
            return
        }
        guard pcm.state == .running, let delay = pcm.measureDelay() else { return }
        let room = snd_pcm_avail_update(pcm.handle)
        if room >= 0 { latency = max(0, delay.frames - (format.bufferFrames - room)) }
        // Silence that is still to be played comes before the next frame.
        let heard = rendered - Int64(pending.count + delay.frames) - hold
        let error = timeline.observe(frame: heard, at: delay.at)
        if error != 0 { move(by: error) }
        supervisor.statistics.discontinuities = timeline.jumps
    }

    /// Lets the device play what it has buffered.
    private mutating func drain(_ pcm: borrowing PCM) {
        let room = Double(format.bufferFrames) / format.sampleRate.value
        // Twice the buffer, and half a second for the way from the buffer to the converter.
        let deadline = MonotonicTime.now() + .seconds(2 * room + 0.5)
        while !pending.isEmpty, MonotonicTime.now() < deadline {
            if write(pcm) != nil { return }
            if !pending.isEmpty, supervisor.sleep(pcm) != nil { return }
        }
        if pcm.state == .prepared { snd_pcm_start(pcm.handle) }
        while MonotonicTime.now() < deadline, pcm.state == .running {
            guard let delay = pcm.measureDelay(), delay.frames > 0 else { return }
            let left: Duration = .seconds(Double(delay.frames) / format.sampleRate.value)
            // The device always has room now, so polling it would not wait.
            supervisor.pause(min(left + .milliseconds(1), .milliseconds(20)))
            if supervisor.control.command == .stop { return }
        }
    }
}
