internal import CRealtime
internal import Realtime

/// The newest samples of a stream, side by side in memory however they arrived.
///
/// Twice the asked length is kept, and moved to the front when the end is reached: each sample is moved once per
/// `length` samples on average.
package struct SampleHistory: ~Copyable, Sendable {
    /// How many of the newest samples can be looked at.
    package let length: Int
    private let buffer: SampleBuffer<Float>
    private var end: Int

    /// A history of `length` samples, at first all silence.
    package init(length: Int) {
        precondition(length > 0, "a history holds at least one sample")
        self.length = length
        buffer = SampleBuffer(count: 2 * length)
        end = length
    }

    /// The newest sample becomes `sample`.
    @_noLocks package mutating func append(_ sample: Float) {
        if end == buffer.count { moveToFront() }
        buffer.unsafeElements[end] = sample
        end += 1
    }

    /// The newest `count` samples, oldest first; `count` is at most `length`. Valid until the next change.
    @_noLocks package func latest(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(count >= 0 && count <= length, "more samples than the history keeps")
        return UnsafeMutableBufferPointer(rebasing: buffer.unsafeElements[(end - count)..<end])
    }

    /// Forgets everything: silence again.
    @_noLocks package mutating func clear() {
        for n in 0..<buffer.count { buffer.unsafeElements[n] = 0 }
        end = length
    }

    @_noLocks private mutating func moveToFront() {
        let memory = buffer.unsafeElements
        guard let base = memory.baseAddress else { return }
        rt_move(base, base + (end - length), length * MemoryLayout<Float>.stride)
        end = length
    }
}
