public import Synchronization

/// Passes the newest value from one writing to one reading thread.
///
/// One slot is written, one is read, and one is in between. Publishing and fetching each exchange a slot with the one in
/// between in one atomic step. A value that is not fetched in time is replaced; use `SPSCRing` where every value counts.
///
/// Progress: wait-free on both sides.
@frozen @usableFromInline
package struct TripleBuffer<Value: BitwiseCopyable>: ~Copyable {
    package var writer: Writer
    package var reader: Reader

    /// Allocates the three slots, each holding `value`.
    package init(_ value: Value) {
        let slots = UnsafeMutablePointer<Value>.allocate(capacity: 3)
        slots.initialize(repeating: value, count: 3)
        let control = UnsafeMutablePointer<TripleBufferControl>.allocate(capacity: 1)
        control.initialize(to: TripleBufferControl())
        writer = Writer(slots: slots, control: control)
        reader = Reader(slots: slots, control: control)
    }
}

/// Slot 0 starts with the writer, 1 in between, 2 with the reader.
@usableFromInline
internal struct TripleBufferControl: ~Copyable {
    /// Bits 0 and 1: the slot in between; bit 2: the reader has not fetched its value yet.
    @usableFromInline internal let between = Atomic<UInt8>(1)
    @usableFromInline internal let ends = SharedEnds()
    @usableFromInline internal init() {}
}

extension TripleBuffer {
    /// The end that publishes.
    @frozen @usableFromInline
    package struct Writer: ~Copyable {
        @usableFromInline internal let slots: UnsafeMutablePointer<Value>
        @usableFromInline internal let control: UnsafeMutablePointer<TripleBufferControl>
        @usableFromInline internal var mine: UInt8 = 0

        deinit { if control.pointee.ends.leave() { free(slots, control) } }

        @inlinable package mutating func publish(_ value: Value) {
            slots[Int(mine)] = value
            mine = control.pointee.between.exchange(mine | 4, ordering: .acquiringAndReleasing) & 3
        }
    }

    /// The end that fetches.
    @frozen @usableFromInline
    package struct Reader: ~Copyable {
        @usableFromInline internal let slots: UnsafeMutablePointer<Value>
        @usableFromInline internal let control: UnsafeMutablePointer<TripleBufferControl>
        @usableFromInline internal var mine: UInt8 = 2

        deinit { if control.pointee.ends.leave() { free(slots, control) } }

        @inlinable package var value: Value { slots[Int(mine)] }

        /// Fetches the newest value; `nil` when nothing was published since the last fetch.
        @inlinable package mutating func fetch() -> Value? {
            if control.pointee.between.load(ordering: .relaxed) & 4 == 0 { return nil }
            mine = control.pointee.between.exchange(mine, ordering: .acquiringAndReleasing) & 3
            return slots[Int(mine)]
        }
    }
}

extension TripleBuffer: @unchecked Sendable where Value: Sendable {}
extension TripleBuffer.Writer: @unchecked Sendable where Value: Sendable {}
extension TripleBuffer.Reader: @unchecked Sendable where Value: Sendable {}
