import Realtime
import Synchronization
import TestSignals
import Testing

/// Memory of its own, and a count of how many of them live.
private struct Wavetable: ~Copyable, @unchecked Sendable {
    let samples: UnsafeMutableBufferPointer<Int>
    private let alive: Counter

    init(_ value: Int, _ alive: Counter) {
        samples = .allocate(capacity: 64)
        samples.initialize(repeating: value)
        self.alive = alive
        alive.add(1)
    }

    deinit {
        samples.deallocate()
        alive.add(-1)
    }

    /// 64 times its value.
    @_noLocks func sum() -> Int {
        var sum = 0
        for i in 0..<samples.count { sum += samples[i] }
        return sum
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func add(_ difference: Int) { count.add(difference, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}

/// What an audio thread does: the compiler's real-time check of this body is itself a test.
@_noLocks private func readAndRetire(_ receiver: inout Handover<Wavetable>.Receiver, _ ticket: Ticket) -> Int {
    let sum = receiver.pointer(to: ticket).pointee.sum()
    receiver.retire(ticket)
    return sum
}

@Suite struct HandoverTests {
    @Test func `A value is read through its ticket and freed by the sender after it was retired`() throws {
        let alive = Counter()
        let handover = Handover<Wavetable>(capacity: 2)
        var sender = handover.sender
        var receiver = handover.receiver
        let sent = sender.send(Wavetable(3, alive))
        let ticket = try #require(sent)
        #expect(readAndRetire(&receiver, ticket) == 192)
        #expect(alive.value == 1, "retiring frees nothing")
        sender.freeRetired()
        #expect(alive.value == 0)
    }

    @Test func `A value that finds no place is freed at once, and a retired place is used again`() throws {
        let alive = Counter()
        let handover = Handover<Wavetable>(capacity: 2)
        var sender = handover.sender
        var receiver = handover.receiver
        let (first, second) = (sender.send(Wavetable(1, alive)), sender.send(Wavetable(2, alive)))
        let third = sender.send(Wavetable(3, alive))
        #expect(first != nil && second != nil && third == nil && alive.value == 2)
        receiver.retire(try #require(first))
        let fourth = sender.send(Wavetable(4, alive))
        let (kept, added) = (try #require(second), try #require(fourth))
        #expect(alive.value == 2)
        #expect(readAndRetire(&receiver, kept) == 128 && readAndRetire(&receiver, added) == 256)
    }

    @Test func `A value whose ticket was not delivered is taken back`() throws {
        let alive = Counter()
        let handover = Handover<Wavetable>(capacity: 1)
        var sender = handover.sender
        let sent = sender.send(Wavetable(1, alive))
        sender.takeBack(try #require(sent))
        let again = sender.send(Wavetable(2, alive))
        #expect(alive.value == 1 && again != nil)
    }

    @Test(arguments: [true, false])
    func `Nothing leaks, whichever end goes first`(senderFirst: Bool) {
        let alive = Counter()
        let handover = Handover<Wavetable>(capacity: 3)
        var sender = Optional(handover.sender)
        var receiver = Optional(handover.receiver)
        let lent = sender?.send(Wavetable(1, alive))
        let retired = sender?.send(Wavetable(2, alive))
        if let retired { receiver?.retire(retired) }
        #expect(alive.value == 2)
        if senderFirst {
            sender = nil
            #expect(alive.value == 2, "the receiver may still be reading")
            let sum = lent.flatMap { receiver?.pointer(to: $0).pointee.sum() }
            #expect(sum == 64)
            receiver = nil
        } else {
            receiver = nil
            sender = nil
        }
        #expect(alive.value == 0)
    }
}

/// Run these under ThreadSanitizer as well (`make check` does).
@Suite struct HandoverThreadTests {
    @Test func `A hundred thousand values cross to another thread and all are freed by the one that made them`() {
        let alive = Counter()
        let total = 100_000
        let ring = SPSCRing<Ticket?>(minimumCapacity: 8, filler: nil)
        let handover = Handover<Wavetable>(capacity: 8)
        var tickets = ring.producer
        var sender = handover.sender
        let reader = Box(TicketReader(tickets: ring.consumer, receiver: handover.receiver))
        let thread = ThreadHandle { reader.value.read(total) }
        var next = 0
        while next < total {
            guard let ticket = sender.send(Wavetable(next, alive)) else { continue }
            if tickets.push(ticket) { next += 1 } else { sender.takeBack(ticket) }
        }
        thread.join()
        #expect(reader.value.wrong == 0)
        sender.freeRetired()
        #expect(alive.value == 0)
    }
}

private struct TicketReader: ~Copyable {
    var tickets: SPSCRing<Ticket?>.Consumer
    var receiver: Handover<Wavetable>.Receiver
    private(set) var wrong = 0

    init(tickets: consuming SPSCRing<Ticket?>.Consumer, receiver: consuming Handover<Wavetable>.Receiver) {
        self.tickets = tickets
        self.receiver = receiver
    }

    mutating func read(_ total: Int) {
        for expected in 0..<total {
            var next: Ticket?
            while next == nil { next = tickets.pop() ?? nil }
            if let next, readAndRetire(&receiver, next) != 64 * expected { wrong += 1 }
        }
    }
}
