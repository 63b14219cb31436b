/// What a playback stream plays: one block after another, on the audio thread.
///
/// An implementation must not lock, allocate, wait or make system calls: the device would underrun meanwhile.
public protocol FrameRenderer: ~Copyable {
    /// Overwrites all of `frames` with the next samples, mono, full scale ±1.
    mutating func render(into frames: inout MutableSpan<Float>)

    /// Moves on by `count` frames that are not heard, because the device was away or underran meanwhile.
    ///
    /// The default implementation renders and discards them.
    mutating func skip(frames count: Int)
}

extension FrameRenderer where Self: ~Copyable {
    /// Renders `count` frames and discards them.
    public mutating func skip(frames count: Int) {
        var scratch = InlineArray<256, Float>(repeating: 0)
        var left = count
        while left > 0 {
            let block = min(left, 256)
            var span = scratch.mutableSpan
            var part = span._mutatingExtracting(first: block)
            render(into: &part)
            left -= block
        }
    }
}
