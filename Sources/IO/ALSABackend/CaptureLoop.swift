internal import AudioIO
internal import CALSA
internal import Glibc
internal import Realtime

/// The thread that listens: takes whatever whole periods the device has, mixes them down and hands them on.
internal struct CaptureLoop: ~Copyable {
    private var device: PCM?
    private let request: StreamRequest
    private let format: StreamFormat
    private var supervisor: StreamSupervisor
    private var output: CaptureOutput
    private var bytes: SampleBuffer<UInt8>
    private var interleaved: SampleBuffer<Float>
    private var mono: SampleBuffer<Float>

    internal init(
        pcm: consuming PCM, request: StreamRequest, supervisor: consuming StreamSupervisor,
        output: consuming CaptureOutput
    ) {
        (format, self.request) = (pcm.format, request)
        let frames = format.periodFrames
        bytes = SampleBuffer(count: frames * format.channelCount * format.sampleFormat.bytesPerSample)
        interleaved = SampleBuffer(count: frames * format.channelCount)
        mono = SampleBuffer(count: frames)
        self.supervisor = supervisor
        self.output = output
        device = consume pcm
    }

    /// Listens until told to stop or the device is lost.
    internal mutating func run() {
        supervisor.enterThread()
        var loss: LossReason?
        if let pcm = device.take() { loss = listen(to: pcm) }
        supervisor.control.finish(because: loss)
        supervisor.change(to: .ended)
        output.finish()
    }

    /// Listens on one handle; returns why it is of no more use, or `nil` when told to stop.
    private mutating func listen(to pcm: borrowing PCM) -> LossReason? {
        let started = snd_pcm_start(pcm.handle)
        guard started == 0 else { return .error(-started) }
        while true {
            if supervisor.control.command != .run { return nil }
            let trouble = transfer(pcm) ?? supervisor.sleep(pcm)
            guard let trouble else { continue }
            switch supervisor.recover(pcm, from: trouble) {
            case .carryOn: break
            case .restarted:
                output.markGap()
                supervisor.clock.reanchor()
            case .lost(let reason): return reason
            }
        }
    }

    /// Takes the whole periods that the device has.
    private mutating func transfer(_ pcm: borrowing PCM) -> StreamTrouble? {
        var moved = 0
        // Bounded, so that a device that is always full cannot keep commands waiting.
        for _ in 0...(format.bufferFrames / format.periodFrames) {
            let available = snd_pcm_avail_update(pcm.handle)
            if available < 0 { return .error(Int32(-available)) }
            if available < format.periodFrames { break }
            let read = snd_pcm_readi(
                pcm.handle, bytes.unsafeElements.baseAddress, snd_pcm_uframes_t(format.periodFrames))
            if read == -snd_pcm_sframes_t(EAGAIN) || read == 0 { break }
            if read < 0 { return .error(Int32(-read)) }
            handOn(min(Int(read), format.periodFrames))
            moved += Int(read)
        }
        guard moved > 0 else { return nil }
        supervisor.progress(frames: moved, proven: true)
        if let delay = pcm.measureDelay() {
            supervisor.clock.observe(frame: output.position + Int64(delay.frames), at: delay.at)
        }
        supervisor.publish()
        return nil
    }

    private mutating func handOn(_ frames: Int) {
        let values = UnsafeMutableBufferPointer(rebasing: interleaved.unsafeElements[..<(frames * format.channelCount)])
        let samples = UnsafeMutableBufferPointer(rebasing: mono.unsafeElements[..<frames])
        guard let source = UnsafePointer(values.baseAddress) else { return }
        format.sampleFormat.decode(UnsafeRawBufferPointer(bytes.unsafeElements), into: values)
        request.channel.mixDown(source, channelCount: format.channelCount, into: samples)
        let dropped = output.write(UnsafeBufferPointer(samples).span)
        guard dropped > 0 else { return }
        supervisor.statistics.droppedFrames += Int64(dropped)
        supervisor.clock.reanchor()
    }
}
