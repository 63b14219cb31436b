internal import ALSABackend
internal import AudioIO
internal import Realtime

/// A stream of either direction whose clock is measured.
internal protocol MeasuredStream: ~Copyable {
    var format: StreamFormat { get }
    var failure: AudioError? { get }
    var stateChangeDescriptor: Int32 { get }
    mutating func report() -> StreamReport
    func acknowledgeStateChange()
    mutating func end()
}

extension CaptureStream: MeasuredStream {
    mutating func end() { stop() }
}

extension PlaybackStream: MeasuredStream where Renderer: ~Copyable {
    mutating func end() { stop() }
}

/// A renderer of silence.
internal struct Silence: FrameRenderer, Sendable {
    mutating func render(into frames: inout MutableSpan<Float>) { frames.update(repeating: 0) }
    mutating func skip(frames count: Int) {}
}
