internal import CRealtime
internal import Realtime

/// The newest samples of a stream, contiguous in memory.
///
/// The buffer has twice the length. When its end is reached the newest samples move to the front, so each sample is moved
/// once on average.
package struct SampleHistory: ~Copyable, Sendable {
    /// How many of the newest samples are kept.
    package let length: Int
    private let buffer: SampleBuffer<Float>
    private var end: Int

    /// A history of `length` samples of silence.
    package init(length: Int) {
        precondition(length > 0, "a history holds at least one sample")
        self.length = length
        buffer = SampleBuffer(count: 2 * length)
        end = length
    }

    /// Makes room for the newest `count` samples, at most `length`, to be written in order of time.
    @_noLocks package mutating func extend(by count: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(count >= 0 && count <= length, "more samples than the history keeps")
        if end + count > buffer.count { moveToFront() }
        end += count
        return UnsafeMutableBufferPointer(rebasing: buffer.unsafeElements[(end - count)..<end])
    }

    /// The newest `count` samples, oldest first; `count` is at most `length`. Valid until the next change.
    @_noLocks package func latest(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(count >= 0 && count <= length, "more samples than the history keeps")
        return UnsafeMutableBufferPointer(rebasing: buffer.unsafeElements[(end - count)..<end])
    }

    /// Replaces everything by silence.
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
