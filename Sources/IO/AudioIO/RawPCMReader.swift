internal import Glibc
internal import Platform
package import Music
internal import Realtime

/// Raw PCM from a descriptor: a pipe from `arecord -t raw`, a socket, a file without a header.
///
/// Samples are delivered as they arrive, without waiting for a full block. An incomplete last frame is dropped.
package struct RawPCMReader: ~Copyable, SampleSource {
    /// The format of the stream.
    package let format: RawPCMFormat
    private let descriptor: Int32
    private let channel: ChannelChoice
    private var bytes: SampleBuffer<UInt8>
    private var interleaved: SampleBuffer<Float>
    /// Bytes of an incomplete frame, kept at the front of `bytes`.
    private var held = 0

    /// Frames read at once: more than 20 ms at 48 kHz, so that the 64 KiB of a pipe take few calls.
    private static let blockFrames = 1_024

    /// Reads from `fileDescriptor`, which the caller closes. Throws `AudioError.noSuchChannel`.
    package init(fileDescriptor: Int32, format: RawPCMFormat, channel: ChannelChoice = .mean) throws(AudioError) {
        try channel.check(channelCount: format.channelCount)
        (descriptor, self.format, self.channel) = (fileDescriptor, format, channel)
        bytes = SampleBuffer(count: RawPCMReader.blockFrames * format.bytesPerFrame)
        interleaved = SampleBuffer(count: RawPCMReader.blockFrames * format.channelCount)
    }

    /// Frames per second.
    package var sampleRate: Hertz { format.framesPerSecond.hertz }

    /// Reads what has arrived; waits until there is at least one frame. Throws `AudioError.cannotRead`.
    package mutating func read(into samples: inout MutableSpan<Float>) throws(AudioError) -> SampleRead {
        let wanted = min(samples.count, RawPCMReader.blockFrames) * format.bytesPerFrame
        guard wanted > 0 else { return SampleRead(count: 0) }
        while held < format.bytesPerFrame {
            let place = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(bytes.unsafeElements)[held..<wanted])
            let got = Glibc.read(descriptor, place.baseAddress, place.count)
            if got == 0 { return SampleRead(count: 0) }
            if got < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    waitForInput(descriptor)
                    continue
                }
                throw .cannotRead(path: descriptor == 0 ? "standard input" : "the pipe", reason: systemReason(errno))
            }
            held += got
        }
        return SampleRead(count: deliver(into: &samples))
    }

    /// Converts the whole frames that are there to samples; the rest moves to the front.
    private mutating func deliver(into samples: inout MutableSpan<Float>) -> Int {
        let frames = held / format.bytesPerFrame
        let used = frames * format.bytesPerFrame
        let values = UnsafeMutableBufferPointer(rebasing: interleaved.unsafeElements[..<(frames * format.channelCount)])
        format.sampleFormat.decode(UnsafeRawBufferPointer(bytes.unsafeElements), into: values)
        samples.withUnsafeMutableBufferPointer { all in
            channel.mixDown(
                UnsafePointer(interleaved.unsafeElements.baseAddress!), channelCount: format.channelCount,
                into: UnsafeMutableBufferPointer(rebasing: all[..<frames]))
        }
        for i in 0..<(held - used) { bytes[i] = bytes[used + i] }
        held -= used
        return frames
    }
}
