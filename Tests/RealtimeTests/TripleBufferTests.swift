import Realtime
import TestSignals
import Testing

@_noLocks private func hand(_ value: Int, _ writer: inout TripleBuffer<Int>.Writer) { writer.publish(value) }

@Suite struct TripleBufferTests {
    @Test func `The reader gets the newest value, once`() {
        let buffer = TripleBuffer<Int>(7)
        var writer = buffer.writer
        var reader = buffer.reader
        let untouched = (reader.fetch(), reader.value)
        #expect(untouched == (nil, 7))
        hand(8, &writer)
        hand(9, &writer)
        let fetched = (reader.fetch(), reader.fetch(), reader.value)
        #expect(fetched == (9, nil, 9))
    }
}

/// Run these under ThreadSanitizer as well (`make check` does).
@Suite struct TripleBufferThreadTests {
    @Test func `A million values published while being read are never torn and never go back`() {
        struct Stamp: BitwiseCopyable, Sendable {
            var words = InlineArray<8, Int>(repeating: 0)
        }
        let buffer = TripleBuffer<Stamp>(Stamp())
        var reader = buffer.reader
        let total = 1_000_000
        let boxed = Box(buffer.writer)
        // For ThreadSanitizer, which does not look into the runtime's copying: a place for every value.
        let ledger = Ledger(count: total + 1)
        let writer = ThreadHandle {
            for i in 1...total {
                ledger[i] = i
                boxed.value.publish(Stamp(words: InlineArray(repeating: i)))
            }
        }
        var last = 0
        var torn = 0
        var backwards = 0
        while last < total {
            guard let stamp = reader.fetch() else { continue }
            for word in stamp.words.indices where stamp.words[word] != stamp.words[0] { torn += 1 }
            if stamp.words[0] <= last || ledger[stamp.words[0]] != stamp.words[0] { backwards += 1 }
            last = stamp.words[0]
        }
        writer.join()
        #expect(torn == 0 && backwards == 0)
        #expect(last == total)
    }
}
