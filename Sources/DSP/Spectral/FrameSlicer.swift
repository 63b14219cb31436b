/// Cuts blocks of any size into hops of one size, and keeps the samples before them.
///
/// ```swift
/// var slicer = FrameSlicer(hop: 256, window: 4_096)
/// let block = [Float](repeating: 0, count: 480)
/// var next = 0
/// while slicer.fill(from: block.span, at: &next) { print(slicer.latest(4_096).count) }
/// ```
///
/// Samples are made safe: those that are not finite become zero, those beyond ±`ceiling` are limited to it, and those whose
/// squares would be denormal become zero.
@usableFromInline package struct FrameSlicer: ~Copyable, Sendable {
    /// The largest magnitude: 36 dB above full scale, far beyond the headroom of any file.
    package static var ceiling: Float { @_noLocks get { 64 } }
    /// The smallest magnitude other than zero: 300 dB below full scale; its square is still a normal number.
    package static var floor: Float { @_noLocks get { 1e-15 } }

    /// The number of samples between two frames.
    package let hop: Int
    /// How many samples have come in.
    @usableFromInline package private(set) var sampleCount: Int64 = 0

    private var history: SampleHistory
    private var filled = 0

    /// Hops of `hop` samples, with at least `window` samples to look back on.
    @usableFromInline package init(hop: Int, window: Int) {
        precondition(hop > 0, "a hop is at least one sample")
        self.hop = hop
        history = SampleHistory(length: max(hop, window))
    }

    /// Takes samples from `index` on until a hop is full. Returns true when it is; then `latest` ends with it.
    ///
    /// - Parameter index: moved past the samples taken; start at 0 and call again until the result is false.
    @usableFromInline @_noLocks package mutating func fill(from samples: borrowing Span<Float>, at index: inout Int)
        -> Bool
    {
        if filled == hop { filled = 0 }
        let count = min(hop - filled, samples.count - index)
        precondition(index >= 0 && count >= 0, "index outside the samples")
        let room = history.extend(by: count)
        for n in 0..<count { room[n] = safe(samples[unchecked: index &+ n]) }
        index += count
        filled += count
        sampleCount += Int64(count)
        return filled == hop
    }

    /// The newest `count` samples, oldest first. Valid until the next call of `fill`.
    @usableFromInline @_noLocks package func latest(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
        history.latest(count)
    }

    /// Starts again from silence at sample 0.
    @usableFromInline @_noLocks package mutating func reset() {
        history.clear()
        (filled, sampleCount) = (0, 0)
    }
}

@inline(__always) @_noLocks private func safe(_ sample: Float) -> Float {
    let (magnitude, ceiling) = (abs(sample), FrameSlicer.ceiling)
    let limited = max(-ceiling, min(ceiling, sample))
    let finite = magnitude < .infinity ? limited : 0
    // False for a sample that is not a number.
    return magnitude >= FrameSlicer.floor ? finite : 0
}
