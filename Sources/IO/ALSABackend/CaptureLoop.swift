internal import AudioIO
internal import CALSA
internal import Realtime

/// The thread that listens: reads the whole periods that the device has, mixes them down and delivers them.
internal struct CaptureLoop: StreamLoop, ~Copyable {
    internal static var direction: StreamDirection { .capture }
    internal let request: StreamRequest
    private var output: CaptureOutput
    private var watch: PositionWatch
    /// The clock from before a break, until the number of lost frames is known.
    private var clockBeforeBreak: StreamClock?
    /// Whether the reader was told of a gap that is not certain yet.
    private var gapIsSuspected = false
    private var format: StreamFormat
    private var buffers: Buffers

    /// One period: as the device delivers it, as numbers, and mixed down.
    private struct Buffers: ~Copyable {
        var bytes: SampleBuffer<UInt8>
        var interleaved: SampleBuffer<Float>
        var mono: SampleBuffer<Float>

        init(_ format: StreamFormat) {
            bytes = SampleBuffer(count: format.periodFrames * format.bytesPerFrame)
            interleaved = SampleBuffer(count: format.periodFrames * format.channelCount)
            mono = SampleBuffer(count: format.periodFrames)
        }
    }

    internal init(_ request: StreamRequest, _ format: StreamFormat, output: consuming CaptureOutput) {
        self.format = format
        // After a loss the device has to run at the rate that the reader was made for.
        var request = request
        request.sampleRate = format.sampleRate
        self.request = request
        watch = PositionWatch(sampleRate: format.framesPerSecond, periodFrames: format.periodFrames)
        buffers = Buffers(format)
        self.output = output
    }

    internal mutating func begin(on pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) -> StreamTrouble? {
        if output.position > 0 { markBreak() }
        if pcm.format != format {
            format = pcm.format
            buffers = Buffers(format)
        }
        let started = snd_pcm_start(pcm.handle)
        return started == 0 ? nil : .error(-started)
    }

    internal mutating func resume(_ supervisor: inout StreamSupervisor) -> LossReason? {
        markBreak()
        return nil
    }

    /// Marks a gap, whose length is known when the stream has settled.
    private mutating func markBreak() {
        output.markGap()
        if clockBeforeBreak == nil, watch.isSettled { clockBeforeBreak = watch.clock }
        watch.restart()
    }

    internal mutating func passTime(_ supervisor: inout StreamSupervisor) {}

    /// A device with another number of channels is not the one that was lost.
    internal func accepts(_ new: StreamFormat) -> Bool { new.channelCount == format.channelCount }

    internal mutating func transfer(_ pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) -> StreamTrouble? {
        var (moved, trouble) = (0, StreamTrouble?.none)
        // Bounded, so that a device that always has samples does not hold up commands.
        for _ in 0...(format.bufferFrames / format.periodFrames) {
            var count = snd_pcm_avail_update(pcm.handle)
            if count >= 0, count < format.periodFrames || isAhead(supervisor) { break }
            if count >= 0 {
                count = snd_pcm_readi(
                    pcm.handle, buffers.bytes.unsafeElements.baseAddress, snd_pcm_uframes_t(format.periodFrames))
            }
            if count < 0 { trouble = .error(Int32(-count)) }
            guard count > 0 else { break }
            handOn(min(Int(count), format.periodFrames), &supervisor)
            moved += Int(count)
        }
        guard moved > 0 else { return trouble }
        if supervisor.hasNoClock(moved: moved, position: output.position, bufferFrames: format.bufferFrames) {
            watch.restart()
        }
        supervisor.progress(frames: moved, proven: true)
        if trouble == nil { observe(pcm, &supervisor) }
        supervisor.publish(watch)
        return trouble
    }

    /// Whether a device without a clock is ahead of the system's clock.
    private func isAhead(_ supervisor: borrowing StreamSupervisor) -> Bool {
        supervisor.freePosition(at: .now()).map { output.position >= $0 } ?? false
    }

    private mutating func handOn(_ frames: Int, _ supervisor: inout StreamSupervisor) {
        let values = UnsafeMutableBufferPointer(
            rebasing: buffers.interleaved.unsafeElements[..<(frames * format.channelCount)])
        let samples = UnsafeMutableBufferPointer(rebasing: buffers.mono.unsafeElements[..<frames])
        guard let source = UnsafePointer(values.baseAddress) else { return }
        format.sampleFormat.decode(UnsafeRawBufferPointer(buffers.bytes.unsafeElements), into: values)
        request.channel.mixDown(source, channelCount: format.channelCount, into: samples)
        let dropped = output.write(UnsafeBufferPointer(samples).span)
        guard dropped > 0 else { return }
        supervisor.statistics.droppedFrames += Int64(dropped)
        watch.restart()
    }

    /// Tells the clock which frame reaches the microphone now, and the reader of missing frames.
    private mutating func observe(_ pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) {
        let now = MonotonicTime.now()
        if let frame = supervisor.freePosition(at: now) {
            _ = watch.observe(frame: frame, at: now)
            return
        }
        guard let delay = pcm.measureDelay() else { return }
        let frame = output.position + Int64(delay.frames)
        switch watch.observe(frame: frame, at: delay.at) {
        case .settling: break
        case .stray(let missing):
            // Mark the gap at once, although it is not certain yet. A program that was stopped, or starved for longer than
            // a buffer, misses 50 ms or more. A smaller or negative count may be a disturbed measurement.
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
