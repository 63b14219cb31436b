internal import CRealtime

/// Memory of a fixed size with one owner, safe to use on the audio thread.
///
/// A Swift `Array` must not be written there: a write may copy shared storage. This buffer is allocated once, zeroed, aligned
/// for the widest vector unit, and freed with its owner.
///
/// Complexity: every access is O(1) and checked; nothing allocates after `init`.
@frozen @usableFromInline
package struct SampleBuffer<Sample: BitwiseCopyable>: ~Copyable {
    /// The number of samples.
    @usableFromInline package let count: Int
    @usableFromInline internal let storage: UnsafeMutablePointer<Sample>

    /// Allocates memory for `count` samples, 0 or more, which is not initialized yet.
    ///
    /// The initializers are inlinable so that each is compiled for its type of sample: generic code looks up the metadata
    /// of the type for every sample, which took longer than all else before the metronome's first beat.
    @inlinable internal init(uninitialized count: Int) {
        precondition(count >= 0, "a buffer cannot hold \(count) samples")
        self.count = count
        let bytes = max(1, count) * MemoryLayout<Sample>.stride
        // 64 bytes: a cache line, and the widest vector register.
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        storage = raw.bindMemory(to: Sample.self, capacity: max(1, count))
    }

    /// Allocates `count` samples, 0 or more, each `zero`.
    @inlinable package init(count: Int, repeating zero: Sample) {
        self.init(uninitialized: count)
        storage.initialize(repeating: zero, count: count)
    }

    /// Copies elements into memory that the audio thread may read.
    @inlinable package init(copying elements: [Sample]) {
        self.init(uninitialized: elements.count)
        elements.withUnsafeBufferPointer { source in
            if let first = source.baseAddress { storage.initialize(from: first, count: source.count) }
        }
    }

    deinit { UnsafeMutableRawPointer(storage).deallocate() }

    /// One sample.
    @inlinable package subscript(index: Int) -> Sample {
        get {
            precondition(index >= 0 && index < count, "index outside the buffer")
            return storage[index]
        }
        set {
            precondition(index >= 0 && index < count, "index outside the buffer")
            storage[index] = newValue
        }
    }

    /// The valid indices, `0..<count`.
    @inlinable package var indices: Range<Int> { 0..<count }

    /// The memory itself, for kernels and C calls; valid while the buffer lives.
    @inlinable package var unsafeElements: UnsafeMutableBufferPointer<Sample> {
        UnsafeMutableBufferPointer(start: storage, count: count)
    }

    /// Where the first sample is; valid while the buffer lives. There is memory for one sample at least.
    @inlinable package var start: UnsafeMutablePointer<Sample> { storage }

    /// The samples, for reading.
    @inlinable package var span: Span<Sample> {
        @_lifetime(borrow self)
        get {
            let span = UnsafeBufferPointer(start: storage, count: count).span
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The samples, for writing.
    @inlinable package var mutableSpan: MutableSpan<Sample> {
        @_lifetime(&self)
        mutating get {
            let span = UnsafeMutableBufferPointer(start: storage, count: count).mutableSpan
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }
}

// One owner at a time, of plain bits.
extension SampleBuffer: @unchecked Sendable where Sample: Sendable {}

extension SampleBuffer where Sample: Numeric {
    /// Allocates `count` samples of silence.
    @inlinable package init(count: Int) { self.init(count: count, repeating: .zero) }
}
