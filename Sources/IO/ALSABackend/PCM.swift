internal import AudioIO
internal import CALSA
internal import Glibc

/// An open PCM device, set up and prepared; dropped and closed when its owner goes away.
///
/// It is always non-blocking: a blocking transfer on a device whose server died never returns.
internal struct PCM: ~Copyable, @unchecked Sendable {
    internal let handle: OpaquePointer
    internal let direction: StreamDirection
    internal let format: StreamFormat
    private let descriptors: UnsafeMutableBufferPointer<pollfd>

    /// Opens and sets up the requested device.
    internal init(_ request: StreamRequest, _ direction: StreamDirection) throws(AudioError) {
        let opened = try openHandle(request.device, direction)
        let granted: StreamFormat
        do throws(AudioError) {
            granted = try configure(opened, request, direction)
            try setThresholds(opened, granted, direction)
        } catch {
            snd_pcm_close(opened)
            throw error
        }
        let count = max(0, Int(snd_pcm_poll_descriptors_count(opened)))
        descriptors = .allocate(capacity: count + 1)
        descriptors.initialize(repeating: pollfd())
        (handle, self.direction, format) = (opened, direction, granted)
    }

    deinit {
        snd_pcm_drop(handle)
        snd_pcm_close(handle)
        descriptors.deallocate()
    }

    internal var state: PCMState { PCMState(rawValue: snd_pcm_state(handle).rawValue) ?? .open }

    /// Waits until the device is ready, `wakeUp` rings, or the timeout (minutes at most) expires.
    internal borrowing func wait(or wakeUp: borrowing WakeUp, for time: Duration) -> PCMEvent {
        let capacity = descriptors.count - 1
        let count = max(0, Int(snd_pcm_poll_descriptors(handle, descriptors.baseAddress, UInt32(capacity))))
        descriptors[count] = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(descriptors.baseAddress, nfds_t(count + 1), Int32((time.inSeconds * 1_000).rounded(.up)))
        if ready < 0 { return .error(errno) }
        if ready == 0 { return .timedOut }
        if descriptors[count].revents != 0 {
            wakeUp.clear()
            return .woken
        }
        // A dead server shows only in the return value.
        var events: UInt16 = 0
        let error = snd_pcm_poll_descriptors_revents(handle, descriptors.baseAddress, UInt32(count), &events)
        if error < 0 { return .error(-error) }
        if Int32(events) & (POLLHUP | POLLNVAL) != 0 { return .hungUp }
        if Int32(events) & POLLERR != 0 { return .failing }
        return Int32(events) & (POLLIN | POLLOUT) != 0 ? .ready : .nothing
    }

    /// How many frames lie between the program and the converter, and at which moment; `nil` if the device does not tell, or
    /// the measurement was interrupted for too long.
    internal borrowing func measureDelay() -> (frames: Int, at: MonotonicTime)? {
        for _ in 0..<3 {
            let before = MonotonicTime.now()
            var delay: snd_pcm_sframes_t = 0
            guard snd_pcm_delay(handle, &delay) == 0 else { return nil }
            let spread = MonotonicTime.now().nanoseconds - before.nanoseconds
            // 100 µs is five frames at 48 kHz; an undisturbed call takes 1 to 10 µs.
            if spread < 100_000 { return (delay, MonotonicTime(nanoseconds: before.nanoseconds + spread / 2)) }
        }
        return nil
    }
}

/// What ended the wait of a stream.
internal enum PCMEvent: Equatable {
    case ready, timedOut, woken, nothing, hungUp
    /// The device reports an error, which its state tells.
    case failing
    case error(Int32)
}

/// `snd_pcm_state_t`, with its numbers.
internal enum PCMState: UInt32, Sendable, CaseIterable {
    case open, setup, prepared, running, xrun, draining, paused, suspended, disconnected
}

/// Opens a device without setting it up. The caller closes it.
internal func openHandle(_ device: String, _ direction: StreamDirection) throws(AudioError) -> OpaquePointer {
    _ = silencedLibraries
    var opened: OpaquePointer?
    // The plug-ins of sound servers start threads of their own while opening: those take no signals either.
    let error = withoutSignals { snd_pcm_open(&opened, device, direction.stream, Int32(SND_PCM_NONBLOCK)) }
    guard error == 0, let opened else { throw openError(-error, device: device) }
    return opened
}

extension StreamDirection {
    internal var stream: snd_pcm_stream_t {
        self == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
    }
}

/// alsa-lib and PipeWire's library print on standard error, which would spoil a terminal display.
private let silencedLibraries: Void = {
    _ = calsa_silence_errors()
    setenv("PIPEWIRE_DEBUG", "0", 0)
}()
