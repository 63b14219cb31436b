public import Synchronization

/// Values that own memory, lent to the audio thread and freed by the thread that made them.
///
/// The audio thread may not free anything, so it never owns anything either. The sender moves a value into one of a fixed
/// number of places and gets a `Ticket`, which travels to the audio thread in an `SPSCRing`. The receiver reads the value
/// through the ticket and retires it after the last use. The sender frees retired values; what is left is freed when both
/// ends are gone, whichever goes first and wherever the tickets are.
///
/// ```swift
/// let handover = Handover<[Int]>(capacity: 4)
/// var sender = handover.sender
/// var receiver = handover.receiver
/// guard let ticket = sender.send([1, 2, 3]) else { return }  // all places are taken
/// print(receiver.pointer(to: ticket).pointee.count)  // on the audio thread
/// receiver.retire(ticket)
/// sender.freeRetired()
/// ```
///
/// Progress: the receiver's calls are wait-free.
@frozen @usableFromInline
package struct Handover<Value: ~Copyable>: ~Copyable {
    /// The end of the thread that allocates and frees.
    package var sender: Sender
    /// The end of the audio thread.
    package var receiver: Receiver

    /// Allocates `capacity` places.
    package init(capacity: Int) {
        precondition(capacity > 0, "a handover has at least one place")
        let places = HandoverPlaces<Value>(capacity: capacity)
        sender = Sender(places: places)
        receiver = Receiver(places: places)
    }
}

/// Names a value that was handed over.
@frozen @usableFromInline
package struct Ticket: BitwiseCopyable, Sendable {
    @usableFromInline internal let place: Int

    @usableFromInline internal init(place: Int) { self.place = place }
}

extension Handover where Value: ~Copyable {
    /// The end that sends values and frees them.
    @frozen @usableFromInline
    package struct Sender: ~Copyable {
        @usableFromInline internal let places: HandoverPlaces<Value>

        deinit { places.release() }

        /// Moves a value to where the receiver can read it. Returns `nil`, and frees the value, when every place is taken.
        package mutating func send(_ value: consuming Value) -> Ticket? {
            freeRetired()
            for place in 0..<places.capacity where places.states[place].load() == .free {
                (places.values + place).initialize(to: value)
                // The ring that carries the ticket orders this write before the receiver's reads.
                places.states[place].store(.lent)
                return Ticket(place: place)
            }
            return nil
        }

        /// Frees a value whose ticket did not reach the receiver.
        package mutating func takeBack(_ ticket: Ticket) { places.free(ticket.place) }

        /// Frees what the receiver has retired.
        package mutating func freeRetired() {
            for place in 0..<places.capacity where places.states[place].load() == .retired { places.free(place) }
        }
    }

    /// The end that reads values and retires them.
    @frozen @usableFromInline
    package struct Receiver: ~Copyable {
        @usableFromInline internal let places: HandoverPlaces<Value>

        deinit { places.release() }

        /// Where the value of a ticket lies until it is retired.
        @inlinable package func pointer(to ticket: Ticket) -> UnsafePointer<Value> {
            UnsafePointer(places.values + ticket.place)
        }

        /// Gives a value back. Its pointer must not be used any more.
        @inlinable package mutating func retire(_ ticket: Ticket) { places.states[ticket.place].store(.retired) }
    }
}

// Each end belongs to one thread; the states order what they share.
extension Handover: @unchecked Sendable where Value: Sendable & ~Copyable {}
extension Handover.Sender: @unchecked Sendable where Value: Sendable & ~Copyable {}
extension Handover.Receiver: @unchecked Sendable where Value: Sendable & ~Copyable {}

/// Who may touch a place.
@frozen @usableFromInline
internal enum PlaceState: UInt8 {
    /// The sender: nothing is in it.
    case free
    /// The receiver.
    case lent
    /// The sender: the value is to be freed.
    case retired
}

@frozen @usableFromInline
internal struct AtomicPlaceState: ~Copyable {
    @usableFromInline internal let raw = Atomic<UInt8>(0)
    @usableFromInline internal init() {}

    internal borrowing func load() -> PlaceState { PlaceState(rawValue: raw.load(ordering: .acquiring)) ?? .free }
    @inlinable internal borrowing func store(_ state: PlaceState) { raw.store(state.rawValue, ordering: .releasing) }
}

/// The memory that both ends share.
@frozen @usableFromInline
internal struct HandoverPlaces<Value: ~Copyable> {
    @usableFromInline internal let values: UnsafeMutablePointer<Value>
    @usableFromInline internal let states: UnsafeMutablePointer<AtomicPlaceState>
    @usableFromInline internal let capacity: Int
    @usableFromInline internal let ends: UnsafeMutablePointer<SharedEnds>

    internal init(capacity: Int) {
        self.capacity = capacity
        values = .allocate(capacity: capacity)
        states = .allocate(capacity: capacity)
        for place in 0..<capacity { (states + place).initialize(to: AtomicPlaceState()) }
        ends = .allocate(capacity: 1)
        ends.initialize(to: SharedEnds())
    }

    internal func free(_ place: Int) {
        (values + place).deinitialize(count: 1)
        states[place].store(.free)
    }

    /// Frees everything when the second of two ends goes. Not for the audio thread.
    internal func release() {
        guard ends.pointee.leave() else { return }
        for place in 0..<capacity where states[place].load() != .free { free(place) }
        values.deallocate()
        states.deinitialize(count: capacity)
        states.deallocate()
        ends.deinitialize(count: 1)
        ends.deallocate()
    }
}
