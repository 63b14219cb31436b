internal import AudioIO
internal import CALSA
internal import Realtime

/// One period on its way to the device: rendered, converted to the device's format, and written as the device takes it.
internal struct PeriodBuffer: ~Copyable {
    private let format: StreamFormat
    private let channel: Int?
    private var mono: SampleBuffer<Float>
    private var frames: SampleBuffer<UInt8>
    /// The frames that are not written yet.
    internal private(set) var pending: Range<Int> = 0..<0

    internal init(format: StreamFormat, channel: ChannelChoice) {
        (self.format, self.channel) = (format, channel.number)
        mono = SampleBuffer(count: format.periodFrames)
        frames = SampleBuffer(count: format.periodFrames * format.bytesPerFrame)
    }

    /// Drops the frames that are not written yet.
    internal mutating func clear() { pending = 0..<0 }

    /// Fills the period: `silence` frames of silence, then what is rendered.
    internal mutating func fill(from renderer: inout some FrameRenderer & ~Copyable, after silence: Int) {
        for i in 0..<silence { mono[i] = 0 }
        if silence < format.periodFrames {
            let rest = UnsafeMutableBufferPointer(rebasing: mono.unsafeElements[silence...])
            var block = rest.mutableSpan
            renderer.render(into: &block)
        }
        format.sampleFormat.encode(
            mono: UnsafeBufferPointer(mono.unsafeElements), channelCount: format.channelCount, only: channel,
            into: UnsafeMutableRawBufferPointer(frames.unsafeElements))
        pending = 0..<format.periodFrames
    }

    /// Writes pending frames until the device takes no more.
    internal mutating func write(to pcm: borrowing PCM) -> StreamTrouble? {
        guard let start = UnsafeRawPointer(frames.unsafeElements.baseAddress) else { return nil }
        while !pending.isEmpty {
            let written = snd_pcm_writei(
                pcm.handle, start + pending.lowerBound * format.bytesPerFrame, snd_pcm_uframes_t(pending.count))
            guard written > 0 else { return written == 0 ? nil : .error(Int32(-written)) }
            pending = (pending.lowerBound + Int(written))..<pending.upperBound
        }
        return nil
    }
}
