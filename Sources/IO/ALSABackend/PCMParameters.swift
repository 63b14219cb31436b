internal import AudioIO
internal import CALSA
internal import Glibc

/// Negotiates rate, channels, sample format, period and buffer with a device; returns what it granted.
internal func configure(
    _ pcm: OpaquePointer, _ request: StreamRequest, _ direction: StreamDirection
) throws(AudioError) -> StreamFormat {
    let space = try HardwareParameters(of: pcm, device: request.device)
    guard snd_pcm_hw_params_set_access(pcm, space.raw, SND_PCM_ACCESS_RW_INTERLEAVED) == 0 else {
        throw .unsupported(.access, device: request.device)
    }
    guard
        let sampleFormat = SampleFormat.playable.first(where: {
            snd_pcm_hw_params_set_format(pcm, space.raw, $0.pcmFormat) == 0
        })
    else { throw .unsupported(.sampleFormat, device: request.device) }
    let channels = try settleChannels(pcm, space, request)
    let rate = try settleRate(pcm, space, request)
    let (period, buffer) = try settleSizes(pcm, space, request)
    return StreamFormat(
        device: request.device, framesPerSecond: rate, channelCount: channels, sampleFormat: sampleFormat,
        periodFrames: period, bufferFrames: buffer)
}

/// Sets when a stream starts by itself, and how many frames make `poll` return.
internal func setThresholds(
    _ pcm: OpaquePointer, _ format: StreamFormat, _ direction: StreamDirection
) throws(AudioError) {
    var allocated: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&allocated) == 0, let software = allocated else { throw .outOfResources("memory") }
    defer { snd_pcm_sw_params_free(software) }
    snd_pcm_sw_params_current(pcm, software)
    snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(format.periodFrames))
    // Playback starts once the buffer is full of whole periods; capture when told to.
    let full = format.bufferFrames / format.periodFrames * format.periodFrames
    let threshold = direction == .playback ? snd_pcm_uframes_t(full) : snd_pcm_uframes_t(Int32.max)
    snd_pcm_sw_params_set_start_threshold(pcm, software, threshold)
    snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    let error = snd_pcm_sw_params(pcm, software)
    guard error == 0 else { throw .deviceFailed(device: format.device, reason: alsaReason(error)) }
}

/// What a device still supports, narrowed by each choice.
internal struct HardwareParameters: ~Copyable {
    let raw: OpaquePointer

    init(of pcm: OpaquePointer, device: String) throws(AudioError) {
        let made = try Self.allocate()
        let error = snd_pcm_hw_params_any(pcm, made)
        guard error >= 0 else {
            snd_pcm_hw_params_free(made)
            throw .deviceFailed(device: device, reason: alsaReason(error))
        }
        raw = made
    }

    init(copying other: borrowing HardwareParameters) throws(AudioError) {
        raw = try Self.allocate()
        snd_pcm_hw_params_copy(raw, other.raw)
    }

    private static func allocate() throws(AudioError) -> OpaquePointer {
        var allocated: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&allocated) == 0, let allocated else { throw .outOfResources("memory") }
        return allocated
    }

    deinit { snd_pcm_hw_params_free(raw) }
}

private func settleChannels(
    _ pcm: OpaquePointer, _ space: borrowing HardwareParameters, _ request: StreamRequest
) throws(AudioError) -> Int {
    if let count = request.channelCount {
        if let exact = UInt32(exactly: count), exact > 0, snd_pcm_hw_params_set_channels(pcm, space.raw, exact) == 0 {
            return count
        }
        var nearest = UInt32(clamping: max(1, count))
        let found = snd_pcm_hw_params_set_channels_near(pcm, space.raw, &nearest) == 0
        throw .unsupported(.channelCount(count, nearest: found ? Int(nearest) : nil), device: request.device)
    }
    // Enough channels for the one that was chosen.
    var wanted: UInt32 = 2
    if case .number(let number) = request.channel { wanted = UInt32(clamping: max(2, number)) }
    let error = snd_pcm_hw_params_set_channels_near(pcm, space.raw, &wanted)
    guard error == 0, wanted > 0 else {
        throw .unsupported(.channelCount(Int(wanted), nearest: nil), device: request.device)
    }
    return Int(wanted)
}

private func settleRate(
    _ pcm: OpaquePointer, _ space: borrowing HardwareParameters, _ request: StreamRequest
) throws(AudioError) -> Int {
    if let rate = request.sampleRate {
        if let exact = rate.framesPerSecond, snd_pcm_hw_params_set_rate(pcm, space.raw, UInt32(exact), 0) == 0 {
            return exact
        }
        // The rate may be no number at all.
        var nearest = UInt32(max(1, min(1e9, rate.value)))
        let found = snd_pcm_hw_params_set_rate_near(pcm, space.raw, &nearest, nil) == 0
        throw .unsupported(.sampleRate(rate, nearest: found ? Int(nearest).hertz : nil), device: request.device)
    }
    var rate: UInt32 = 48_000
    guard snd_pcm_hw_params_set_rate_near(pcm, space.raw, &rate, nil) == 0, rate > 0 else {
        throw .unsupported(.sampleRate(48.kilohertz, nearest: nil), device: request.device)
    }
    return Int(rate)
}

/// Negotiates period and buffer. Devices differ in which of the two has to be set first, and some do not accept both: from the
/// most to the least exact request, until one is accepted.
private func settleSizes(
    _ pcm: OpaquePointer, _ space: borrowing HardwareParameters, _ request: StreamRequest
) throws(AudioError) -> (period: Int, buffer: Int) {
    var period = 16
    while period < min(request.periodFrames, 1 << 20) { period *= 2 }
    let buffer = max(2 * period, min(request.bufferFrames, 1 << 24))
    var error: Int32 = 0
    for wishes: [SizeWish] in [[.period, .buffer], [.buffer, .period], [.period], [.buffer], []] {
        let attempt = try HardwareParameters(copying: space)
        for wish in wishes {
            var (frames, direction) = (snd_pcm_uframes_t(wish == .period ? period : buffer), Int32(0))
            switch wish {
            case .period: snd_pcm_hw_params_set_period_size_near(pcm, attempt.raw, &frames, &direction)
            case .buffer: snd_pcm_hw_params_set_buffer_size_near(pcm, attempt.raw, &frames)
            }
        }
        error = snd_pcm_hw_params(pcm, attempt.raw)
        guard error == 0 else { continue }
        var (grantedPeriod, grantedBuffer) = (snd_pcm_uframes_t(0), snd_pcm_uframes_t(0))
        guard snd_pcm_get_params(pcm, &grantedBuffer, &grantedPeriod) == 0, grantedBuffer >= 2, grantedPeriod >= 1
        else { continue }
        // A device may report a period as large as its buffer, of which half can be transferred at a time.
        return (Int(min(grantedPeriod, grantedBuffer / 2)), Int(grantedBuffer))
    }
    if error == -EBUSY || error == -ENODEV || error == -EPIPE { throw openError(-error, device: request.device) }
    throw .unsupported(.bufferSize(period: period, buffer: buffer), device: request.device)
}

private enum SizeWish { case period, buffer }

extension SampleFormat {
    /// ALSA's constant for a format that a device is opened with.
    internal var pcmFormat: snd_pcm_format_t {
        switch self {
        case .floatLE: SND_PCM_FORMAT_FLOAT_LE
        case .s32LE: SND_PCM_FORMAT_S32_LE
        case .s24LE: SND_PCM_FORMAT_S24_LE
        case .s24Packed: SND_PCM_FORMAT_S24_3LE
        case .s16LE: SND_PCM_FORMAT_S16_LE
        default: SND_PCM_FORMAT_UNKNOWN
        }
    }
}
