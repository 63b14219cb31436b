internal import CRealtime
public import Synchronization

/// A lock-free queue between exactly one writing and one reading thread.
///
/// Take the ring apart after making it: `ring.producer` moves to one thread, `ring.consumer` to the other. Both ends are
/// noncopyable, so there is one writer and one reader. The memory is freed when both ends are gone.
///
/// ```swift
/// let ring = SPSCRing<Float>(minimumCapacity: 4_096, filler: 0)
/// var microphone = ring.producer
/// var analysis = ring.consumer
/// ```
///
/// Progress: wait-free. Each call takes a bounded number of steps whatever the other thread does.
/// Order: a release store of one index and an acquire load by the other side make the elements visible.
/// - SeeAlso: Lamport, "Specifying Concurrent Program Modules", ACM TOPLAS 5(2), 1983.
@frozen
public struct SPSCRing<Element: BitwiseCopyable>: ~Copyable {
    /// The writing end.
    public var producer: Producer
    /// The reading end.
    public var consumer: Consumer

    /// Allocates a ring for at least `minimumCapacity` elements (rounded up to a power of two).
    ///
    /// - Parameter filler: any value; the unused memory holds it.
    public init(minimumCapacity: Int, filler: Element) {
        precondition(minimumCapacity > 0 && minimumCapacity <= 1 << 40, "a ring holds 1 to 2^40 elements")
        var capacity = 1
        while capacity < minimumCapacity { capacity *= 2 }
        let storage = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        storage.initialize(repeating: filler, count: capacity)
        let control = UnsafeMutablePointer<RingControl>.allocate(capacity: 1)
        control.initialize(to: RingControl())
        producer = Producer(storage: storage, control: control, mask: capacity - 1)
        consumer = Consumer(storage: storage, control: control, mask: capacity - 1)
    }
}

/// The two counts, 128 bytes apart: the prefetcher fetches cache lines in pairs, and the threads must not share one.
@usableFromInline
internal struct RingControl: ~Copyable {
    @usableFromInline internal let written = Atomic<Int>(0)
    private let gap = InlineArray<15, Int>(repeating: 0)
    @usableFromInline internal let read = Atomic<Int>(0)
    private let secondGap = InlineArray<15, Int>(repeating: 0)
    @usableFromInline internal let ends = SharedEnds()
    @usableFromInline internal init() {}
}

extension SPSCRing {
    /// The end that writes.
    @frozen
    public struct Producer: ~Copyable {
        @usableFromInline internal let storage: UnsafeMutablePointer<Element>
        @usableFromInline internal let control: UnsafeMutablePointer<RingControl>
        @usableFromInline internal let mask: Int
        /// The other end's count when it was last read, so that most calls do not touch the other thread's cache line.
        @usableFromInline internal var knownRead = 0

        deinit { if control.pointee.ends.leave() { free(storage, control) } }

        /// The number of elements the ring can hold.
        @inlinable public var capacity: Int { mask + 1 }

        /// How many elements can be written at least.
        @inlinable public var freeCount: Int {
            mask + 1
                - (control.pointee.written.load(ordering: .relaxed) - control.pointee.read.load(ordering: .acquiring))
        }

        /// Writes one element. Returns false, and writes nothing, when the ring is full.
        @inlinable public mutating func push(_ element: Element) -> Bool {
            let written = control.pointee.written.load(ordering: .relaxed)
            if written - knownRead > mask {
                knownRead = control.pointee.read.load(ordering: .acquiring)
                if written - knownRead > mask { return false }
            }
            storage[written & mask] = element
            control.pointee.written.store(written + 1, ordering: .releasing)
            return true
        }

        /// Writes as many leading elements as fit and returns how many that were.
        @inlinable public mutating func write(_ elements: borrowing Span<Element>) -> Int {
            let written = control.pointee.written.load(ordering: .relaxed)
            if written + elements.count - knownRead > mask + 1 {
                knownRead = control.pointee.read.load(ordering: .acquiring)
            }
            let count = min(elements.count, mask + 1 - (written - knownRead))
            for i in 0..<count { storage[(written + i) & mask] = elements[i] }
            control.pointee.written.store(written + count, ordering: .releasing)
            return count
        }
    }

    /// The end that reads.
    @frozen
    public struct Consumer: ~Copyable {
        @usableFromInline internal let storage: UnsafeMutablePointer<Element>
        @usableFromInline internal let control: UnsafeMutablePointer<RingControl>
        @usableFromInline internal let mask: Int
        @usableFromInline internal var knownWritten = 0

        deinit { if control.pointee.ends.leave() { free(storage, control) } }

        /// The number of elements the ring can hold.
        @inlinable public var capacity: Int { mask + 1 }

        /// How many elements can be read at least.
        @inlinable public var availableCount: Int {
            control.pointee.written.load(ordering: .acquiring) - control.pointee.read.load(ordering: .relaxed)
        }

        /// Removes and returns the oldest element, or `nil` when the ring is empty.
        @inlinable public mutating func pop() -> Element? {
            guard let element = peek() else { return nil }
            control.pointee.read.store(control.pointee.read.load(ordering: .relaxed) + 1, ordering: .releasing)
            return element
        }

        /// The oldest element without removing it, or `nil` when the ring is empty.
        @inlinable public mutating func peek() -> Element? {
            let read = control.pointee.read.load(ordering: .relaxed)
            if knownWritten == read {
                knownWritten = control.pointee.written.load(ordering: .acquiring)
                if knownWritten == read { return nil }
            }
            return storage[read & mask]
        }

        /// Reads up to `elements.count` of the oldest elements into the front of `elements`; returns how many.
        @inlinable public mutating func read(into elements: inout MutableSpan<Element>) -> Int {
            let read = control.pointee.read.load(ordering: .relaxed)
            if knownWritten - read < elements.count {
                knownWritten = control.pointee.written.load(ordering: .acquiring)
            }
            let count = min(elements.count, knownWritten - read)
            for i in 0..<count { elements[i] = storage[(read + i) & mask] }
            control.pointee.read.store(read + count, ordering: .releasing)
            return count
        }
    }
}

// Each end belongs to one thread; the counts order what they share.
extension SPSCRing: @unchecked Sendable where Element: Sendable {}
extension SPSCRing.Producer: @unchecked Sendable where Element: Sendable {}
extension SPSCRing.Consumer: @unchecked Sendable where Element: Sendable {}
