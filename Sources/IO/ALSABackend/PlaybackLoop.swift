internal import AudioIO
internal import CALSA
internal import Glibc
internal import Realtime

/// The thread that plays: asks the renderer for a period whenever the device has room for one.
internal struct PlaybackLoop<Renderer: FrameRenderer & ~Copyable>: ~Copyable {
    private var renderer: Renderer
    private var device: PlaybackDevice?
    private let format: StreamFormat
    private var supervisor: StreamSupervisor
    private var mono: SampleBuffer<Float>
    private var frames: SampleBuffer<UInt8>
    private let bytesPerFrame: Int
    /// Frames the renderer has rendered: the stream's own time.
    private var rendered: Int64 = 0
    /// The part of `frames` that the device has not taken yet, in frames.
    private var pending: Range<Int> = 0..<0
    /// Frames given to the device since it was last prepared.
    private var writtenSincePreparing = 0

    internal init(
        device: consuming PlaybackDevice, renderer: consuming Renderer, control: StreamControl,
        reports: consuming TripleBuffer<StreamReport>.Writer
    ) {
        format = device.format
        bytesPerFrame = format.sampleFormat.bytesPerSample * format.channelCount
        mono = SampleBuffer(count: format.periodFrames)
        frames = SampleBuffer(count: format.periodFrames * bytesPerFrame)
        supervisor = StreamSupervisor(control: control, format: format, reports: reports)
        self.renderer = renderer
        self.device = consume device
    }

    /// Plays until told to stop or the device is lost.
    internal mutating func run() {
        supervisor.enterThread()
        var loss: LossReason?
        if let first = device.take() { loss = play(on: first.pcm) }
        supervisor.control.finish(because: loss)
        supervisor.change(to: .ended)
    }

    /// Plays on one handle; returns why it is of no more use, or `nil` when told to stop.
    private mutating func play(on pcm: borrowing PCM) -> LossReason? {
        (pending, writtenSincePreparing) = (0..<0, 0)
        while true {
            switch supervisor.control.command {
            case .run: break
            case .stop: return nil
            case .drain:
                drain(pcm)
                return nil
            }
            let trouble = transfer(pcm) ?? supervisor.sleep(pcm)
            guard let trouble else { continue }
            switch supervisor.recover(pcm, from: trouble) {
            case .carryOn: break
            case .restarted:
                writtenSincePreparing = 0
                supervisor.clock.reanchor()
            case .lost(let reason): return reason
            }
        }
    }

    /// Fills the room that the device has, in whole periods.
    private mutating func transfer(_ pcm: borrowing PCM) -> StreamTrouble? {
        var moved = 0
        // Bounded, so that a device that plays without end cannot keep commands waiting.
        for _ in 0...(format.bufferFrames / format.periodFrames) {
            if pending.isEmpty {
                let room = snd_pcm_avail_update(pcm.handle)
                if room < 0 { return .error(Int32(-room)) }
                if room < format.periodFrames { break }
                render()
            }
            let count = pending.count
            let trouble = write(pcm)
            moved += count - pending.count
            if let trouble { return trouble }
            if !pending.isEmpty { break }
        }
        guard moved > 0 else { return nil }
        supervisor.progress(frames: moved, proven: writtenSincePreparing > format.bufferFrames)
        observe(pcm)
        supervisor.publish()
        return nil
    }

    private mutating func render() {
        var block = mono.unsafeElements.mutableSpan
        renderer.render(into: &block)
        format.sampleFormat.encode(
            mono: UnsafeBufferPointer(mono.unsafeElements), channelCount: format.channelCount,
            into: UnsafeMutableRawBufferPointer(frames.unsafeElements))
        rendered += Int64(format.periodFrames)
        pending = 0..<format.periodFrames
    }

    /// Writes what is pending, in as many calls as it takes, until the device takes no more.
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

    /// Tells the clock which frame is heard right now.
    private mutating func observe(_ pcm: borrowing PCM) {
        guard pcm.state == .running, let delay = pcm.measureDelay() else { return }
        supervisor.clock.observe(frame: rendered - Int64(pending.count + delay.frames), at: delay.at)
    }

    /// Lets the device play to the end of what it has.
    private mutating func drain(_ pcm: borrowing PCM) {
        let room = Double(format.bufferFrames) / Double(format.sampleRate)
        // Twice the buffer, and half a second for what lies between the buffer and the ear.
        let deadline = MonotonicTime.now() + .seconds(2 * room + 0.5)
        while !pending.isEmpty, MonotonicTime.now() < deadline {
            if write(pcm) != nil { return }
            if !pending.isEmpty, supervisor.sleep(pcm) != nil { return }
        }
        if pcm.state == .prepared { snd_pcm_start(pcm.handle) }
        while MonotonicTime.now() < deadline, pcm.state == .running {
            guard let delay = pcm.measureDelay(), delay.frames > 0 else { return }
            let milliseconds = delay.frames * 1_000 / format.sampleRate + 1
            // Without `poll` on the device: it has room all the time now.
            _ = supervisor.control.wakeUp.wait(milliseconds: Int32(clamping: min(milliseconds, 20)))
            supervisor.control.wakeUp.clear()
            if supervisor.control.command == .stop { return }
        }
    }
}
