import Realtime
import Testing

@_noLocks private func scale(_ buffer: inout SampleBuffer<Float>, by gain: Float) {
    for i in buffer.indices { buffer[i] = buffer[i] * gain }
}

@Suite struct SampleBufferTests {
    @Test func `A new buffer is silent and aligned for the widest vector`() {
        for count in [0, 1, 7, 4_096] {
            let buffer = SampleBuffer<Float>(count: count)
            var loudest: Float = 0
            for i in buffer.indices { loudest = max(loudest, abs(buffer[i])) }
            let (size, address) = (buffer.count, UInt(bitPattern: buffer.unsafeElements.baseAddress))
            #expect(size == count && loudest == 0 && address.isMultiple(of: 64))
        }
    }

    @Test func `What is written through one face is read through every other`() {
        var buffer = SampleBuffer<Float>(count: 4, repeating: 2)
        buffer[1] = 3
        var writable = buffer.mutableSpan
        writable[2] = 5
        buffer.unsafeElements[3] = 7
        scale(&buffer, by: 2)
        let span = buffer.span
        let read = [span[0], span[1], span[2], span[3]]
        #expect(read == [4, 6, 10, 14])
    }
}
