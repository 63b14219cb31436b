internal import AudioIO
internal import CALSA
internal import Glibc
internal import Platform
internal import Realtime

/// The thread that listens: reads the whole periods that the device has, mixes them down and delivers them.
internal struct CaptureLoop: ThreadWork, ~Copyable {
    private var supervisor: StreamSupervisor
    private var output: CaptureOutput
    private var watch: PositionWatch
    /// The clock from before a break, until the number of lost frames is known.
    private var clockBeforeBreak: StreamClock?
    /// Whether the reader was told of a gap that is not certain yet.
    private var gapIsSuspected = false
    private var first: PCM?
    private let request: StreamRequest
    private var format: StreamFormat
    private var bytes: SampleBuffer<UInt8>
    private var interleaved: SampleBuffer<Float>
    private var mono: SampleBuffer<Float>
    private var freeRunner = FreeRunner()

    internal init(
        pcm: consuming PCM, request: StreamRequest, supervisor: consuming StreamSupervisor,
        output: consuming CaptureOutput
    ) {
        format = pcm.format
        // After a loss the device has to run at the same rate, which the reader was made for.
        var request = request
        request.sampleRate = format.sampleRate
        self.request = request
        watch = PositionWatch(sampleRate: format.framesPerSecond, periodFrames: format.periodFrames)
        bytes = SampleBuffer(count: format.periodFrames * format.bytesPerFrame)
        interleaved = SampleBuffer(count: format.periodFrames * format.channelCount)
        mono = SampleBuffer(count: format.periodFrames)
        self.supervisor = supervisor
        self.output = output
        first = consume pcm
    }

    /// Listens until told to stop, or the device is lost for good.
    internal mutating func run(at priority: WorkerThread.Priority) {
        supervisor.enterThread(at: priority)
        var loss: LossReason?
        if let pcm = first.take() { loss = listen(to: pcm) }
        while let reason = loss, request.whenLost == .reopen {
            supervisor.lose(because: reason)
            guard let pcm = waitForDevice() else {
                loss = nil
                break
            }
            beginAnew()
            loss = listen(to: pcm)
        }
        supervisor.control.finish(because: loss)
        supervisor.change(to: .ended)
        output.finish()
    }

    /// Listens on one handle; returns why that was lost, or `nil` when told to stop.
    private mutating func listen(to pcm: borrowing PCM) -> LossReason? {
        adopt(pcm.format)
        let started = snd_pcm_start(pcm.handle)
        guard started == 0 else { return .error(-started) }
        while true {
            if supervisor.control.command != .run { return nil }
            let trouble = transfer(pcm) ?? (freeRunner.isFree ? supervisor.pause() : supervisor.sleep(pcm))
            guard let trouble else { continue }
            switch supervisor.recover(pcm, from: trouble) {
            case .carryOn: break
            case .restarted: beginAnew()
            case .lost(let reason): return reason
            }
        }
    }

    /// Adopts the format of a new handle.
    private mutating func adopt(_ new: StreamFormat) {
        supervisor.adopt(new)
        freeRunner = FreeRunner()
        guard new != format else { return }
        format = new
        bytes = SampleBuffer(count: new.periodFrames * new.bytesPerFrame)
        interleaved = SampleBuffer(count: new.periodFrames * new.channelCount)
        mono = SampleBuffer(count: new.periodFrames)
    }

    /// Waits until the device can be opened again; `nil` when told to stop.
    private mutating func waitForDevice() -> PCM? {
        while supervisor.control.command == .run {
            guard supervisor.isTimeToReopen() else { continue }
            // A device with another number of channels is not the one that was lost.
            if let pcm = try? PCM(request, .capture), pcm.format.channelCount == format.channelCount { return pcm }
            supervisor.extendBackOff()
        }
        return nil
    }

    /// Marks a gap, whose length is known when the stream has settled.
    private mutating func beginAnew() {
        output.markGap()
        if clockBeforeBreak == nil, watch.isSettled { clockBeforeBreak = watch.clock }
        watch.restart()
    }

    /// Reads the whole periods that the device has.
    private mutating func transfer(_ pcm: borrowing PCM) -> StreamTrouble? {
        var moved = 0
        // Bounded, so that a device that always has samples does not hold up commands.
        for _ in 0...(format.bufferFrames / format.periodFrames) {
            let available = snd_pcm_avail_update(pcm.handle)
            if available < 0 { return .error(Int32(-available)) }
            if available < format.periodFrames || isAhead { break }
            let read = snd_pcm_readi(
                pcm.handle, bytes.unsafeElements.baseAddress, snd_pcm_uframes_t(format.periodFrames))
            if read == -snd_pcm_sframes_t(EAGAIN) || read == 0 { break }
            if read < 0 { return .error(Int32(-read)) }
            handOn(min(Int(read), format.periodFrames))
            moved += Int(read)
        }
        guard moved > 0 else { return nil }
        if freeRunner.observe(moved: moved, position: output.position, bufferFrames: format.bufferFrames) {
            supervisor.statistics.isPacedBySystem = true
            watch.restart()
        }
        supervisor.progress(frames: moved, proven: true)
        observe(pcm)
        supervisor.publish(watch)
        return nil
    }

    /// Whether a device without a clock is ahead of the system's clock.
    private var isAhead: Bool {
        freeRunner.position(at: .now(), sampleRate: format.framesPerSecond).map { output.position >= $0 } ?? false
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
        watch.restart()
    }

    /// Tells the clock which frame reaches the microphone now, and the reader of missing frames.
    private mutating func observe(_ pcm: borrowing PCM) {
        let now = MonotonicTime.now()
        if let frame = freeRunner.position(at: now, sampleRate: format.framesPerSecond) {
            _ = watch.observe(frame: frame, at: now)
            return
        }
        guard let delay = pcm.measureDelay() else { return }
        let frame = output.position + Int64(delay.frames)
        switch watch.observe(frame: frame, at: delay.at) {
        case .settling: break
        case .stray(let missing):
            // The gap is here, and not where it will be certain. A program that was stopped, or starved for longer than a
            // buffer, misses 50 ms or more. Less, or too many frames, may be a disturbed measurement, for which the analysis
            // does not begin anew.
            guard !gapIsSuspected, missing > Int64(format.framesPerSecond / 20) else { return }
            output.markGap()
            gapIsSuspected = true
        case .expected:
            gapIsSuspected = false
            guard let before = clockBeforeBreak else { return }
            clockBeforeBreak = nil
            if let expected = before.frame(at: delay.at) {
                supervisor.statistics.lostFrames += max(0, expected - frame)
            }
        case .jump(let missing):
            supervisor.statistics.discontinuities += 1
            supervisor.statistics.lostFrames += max(0, missing)
            if !gapIsSuspected { output.markGap() }
            gapIsSuspected = false
            watch.accept(frame: frame, at: delay.at)
        }
    }
}
