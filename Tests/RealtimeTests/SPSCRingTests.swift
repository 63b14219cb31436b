import CAllocationProbe
import Foundation
import Realtime
import Synchronization
import TestSignals
import Testing

/// What an audio thread does with both ends: the compiler's real-time check of these two bodies is itself a test.
@_noLocks private func feed(_ producer: inout SPSCRing<Float>.Producer, _ block: borrowing Span<Float>) -> Int {
    producer.write(block)
}
@_noLocks private func drain(_ consumer: inout SPSCRing<Float>.Consumer, _ block: inout MutableSpan<Float>) -> Int {
    consumer.read(into: &block)
}

@Suite struct SPSCRingTests {
    @Test func `Elements come out in the order in which they went in`() {
        let ring = SPSCRing<Int>(minimumCapacity: 4, filler: -1)
        var producer = ring.producer
        var consumer = ring.consumer
        let before = consumer.pop()
        #expect(before == nil)
        for round in 0..<10 {
            let sent = (0..<5).map { round * 4 + $0 }
            var taken: [Bool] = []
            for value in sent { taken.append(producer.push(value)) }
            #expect(taken == [true, true, true, true, false], "a full ring takes nothing")
            let (free, available, oldest) = (producer.freeCount, consumer.availableCount, consumer.peek())
            #expect(free == 0 && available == 4 && oldest == sent[0])
            var received: [Int] = []
            while let value = consumer.pop() { received.append(value) }
            #expect(received == Array(sent.prefix(4)))
        }
    }

    @Test func `The capacity is the next power of two`() {
        for (asked, granted) in [(1, 1), (2, 2), (3, 4), (1_000, 1_024), (1_024, 1_024)] {
            let ring = SPSCRing<Float>(minimumCapacity: asked, filler: 0)
            let capacity = ring.producer.capacity
            #expect(capacity == granted)
        }
    }

    @Test func `Blocks of any size across the seam agree with a simple queue`() {
        let seed: UInt64 = 0x5EED
        print("SPSCRing property test, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let ring = SPSCRing<Int>(minimumCapacity: Int.random(in: 1...64, using: &random), filler: 0)
            var producer = ring.producer
            var consumer = ring.consumer
            var model: [Int] = []
            var next = 0
            for _ in 0..<50 {
                let block = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                    next += 1
                    return next
                }
                let written = producer.write(block.span)
                let capacity = producer.capacity
                #expect(written == min(block.count, capacity - model.count))
                model += block.prefix(written)
                var out = [Int](repeating: 0, count: Int.random(in: 0...80, using: &random))
                var span = out.mutableSpan
                let read = consumer.read(into: &span)
                #expect(read == min(out.count, model.count))
                #expect(Array(out.prefix(read)) == Array(model.prefix(read)))
                model.removeFirst(read)
            }
        }
    }

    @Test func `Passing a thousand blocks makes no heap call`() throws {
        try #require(probeSeesAnArrayBeingMade())
        let ring = SPSCRing<Float>(minimumCapacity: 1_024, filler: 0)
        var producer = ring.producer
        var consumer = ring.consumer
        let block = [Float](repeating: 0.5, count: 256)
        var out = [Float](repeating: 0, count: 256)
        var moved = 0
        allocation_probe_reset()
        for _ in 0..<1_000 {
            moved += feed(&producer, block.span)
            var span = out.mutableSpan
            moved += drain(&consumer, &span)
        }
        let calls = allocation_probe_count()
        #expect(calls == 0)
        #expect(moved == 2 * 256_000 && out[255] == 0.5)
    }
}

/// Run these under ThreadSanitizer as well (`make check` does).
@Suite struct SPSCRingThreadTests {
    @Test func `Two threads exchange two million self-verifying values and none is lost, repeated or torn`() {
        struct Stamp: BitwiseCopyable, Sendable {
            var index: Int
            var complement: Int
        }
        let ring = SPSCRing<Stamp>(minimumCapacity: 256, filler: Stamp(index: 0, complement: ~0))
        var consumer = ring.consumer
        let total = 2_000_000
        let producer = Box(ring.producer)
        // What ThreadSanitizer sees: it does not look into the runtime's copying of elements, but into this. Each place
        // is used again only after the value 512 before, a ring and more, was read.
        let ledger = Ledger(count: 512)
        let writer = ThreadHandle {
            var random = SeededGenerator(seed: 1)
            var next = 0
            var block: [Stamp] = []
            while next < total {
                block.removeAll(keepingCapacity: true)
                for i in 0..<min(Int.random(in: 1...97, using: &random), total - next) {
                    block.append(Stamp(index: next + i, complement: ~(next + i)))
                    ledger[next + i] = next + i
                }
                next += producer.value.write(block.span)
            }
        }
        var random = SeededGenerator(seed: 2)
        var expected = 0
        var wrong = 0
        var block: [Stamp] = []
        while expected < total {
            block = [Stamp](repeating: Stamp(index: 0, complement: 0), count: Int.random(in: 1...128, using: &random))
            var span = block.mutableSpan
            let count = consumer.read(into: &span)
            for stamp in block.prefix(count) {
                if stamp.index != expected || stamp.complement != ~expected { wrong += 1 }
                if ledger[expected] != expected { wrong += 1 }
                expected += 1
            }
        }
        writer.join()
        #expect(wrong == 0)
        let after = consumer.pop()
        #expect(after == nil)
    }
}

/// Plain memory that two threads write and read without any order of its own: only what passes a ring or a buffer
/// between them orders it.
final class Ledger: @unchecked Sendable {
    private let places: UnsafeMutableBufferPointer<Int>
    init(count: Int) {
        places = .allocate(capacity: count)
        places.initialize(repeating: -1)
    }
    deinit { places.deallocate() }
    subscript(index: Int) -> Int {
        get { places[index % places.count] }
        set { places[index % places.count] = newValue }
    }
}
