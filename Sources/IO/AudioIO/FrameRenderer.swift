/// What a playback stream plays: it is asked for one block after the other, on the audio thread.
///
/// The audio thread calls `render` and nothing else waits for it: no locks, no allocation, no system calls in there.
public protocol FrameRenderer: ~Copyable {
    /// Overwrites all of `frames` with the next samples, mono, full scale ±1.
    mutating func render(into frames: inout MutableSpan<Float>)

    /// Moves on by `count` frames that nobody hears, because the device was away or ran dry meanwhile.
    ///
    /// Without an implementation of its own a renderer renders them and throws them away.
    mutating func skip(frames count: Int)
}

extension FrameRenderer where Self: ~Copyable {
    /// Renders `count` frames and throws them away.
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
