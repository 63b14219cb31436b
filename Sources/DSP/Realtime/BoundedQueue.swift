/// Elements in the order of their arrival, within memory of a fixed size; when it is full the oldest goes.
///
/// For one thread: between two threads use `SPSCRing`. Every access is O(1); nothing allocates after `init`.
@frozen @usableFromInline
package struct BoundedQueue<Element: BitwiseCopyable>: ~Copyable {
    /// How many elements there are.
    @usableFromInline package internal(set) var count = 0
    /// How many elements were pushed out because the memory was full.
    @usableFromInline package internal(set) var dropped = 0
    @usableFromInline internal let memory: SampleBuffer<Element>
    @usableFromInline internal var first = 0

    /// Allocates room for `capacity` elements, at least one. `filler` is any value.
    @usableFromInline package init(capacity: Int, filler: Element) {
        precondition(capacity > 0, "a queue has room for at least one element")
        memory = SampleBuffer(count: capacity, repeating: filler)
    }

    /// The element at a place, 0 for the oldest.
    @inlinable package subscript(place: Int) -> Element {
        get {
            precondition(place >= 0 && place < count, "place outside the queue")
            return memory.unsafeElements[(first + place) % memory.count]
        }
        set {
            precondition(place >= 0 && place < count, "place outside the queue")
            memory.unsafeElements[(first + place) % memory.count] = newValue
        }
    }

    /// Adds an element at the end.
    @inlinable package mutating func push(_ element: Element) {
        if count == memory.count {
            first = (first + 1) % memory.count
            count -= 1
            dropped += 1
        }
        memory.unsafeElements[(first + count) % memory.count] = element
        count += 1
    }

    /// Takes the oldest element, if there is one.
    @inlinable package mutating func pop() -> Element? {
        guard count > 0 else { return nil }
        let element = memory.unsafeElements[first]
        first = (first + 1) % memory.count
        count -= 1
        return element
    }

    /// Removes all elements.
    @inlinable package mutating func removeAll() { (first, count) = (0, 0) }

    /// Removes all elements, and forgets how many were pushed out.
    @inlinable package mutating func reset() { (first, count, dropped) = (0, 0, 0) }
}

extension BoundedQueue: Sendable where Element: Sendable {}
