internal import AudioIO
internal import Realtime

/// The writing end of a capture stream.
internal struct CaptureOutput: ~Copyable {
    private var samples: SPSCRing<Float>.Producer
    private var gaps: SPSCRing<Int64>.Producer
    private let control: StreamControl
    private let isDelivered: Bool
    /// Samples written so far: the index of the next one.
    internal private(set) var position: Int64 = 0
    /// Whether a gap before the next sample has not been reported to the reader yet.
    private var gapIsOpen = false

    internal init(
        samples: consuming SPSCRing<Float>.Producer, gaps: consuming SPSCRing<Int64>.Producer, control: StreamControl,
        isDelivered: Bool
    ) {
        self.samples = samples
        self.gaps = gaps
        self.control = control
        self.isDelivered = isDelivered
    }

    /// Marks that samples are missing before the next one.
    internal mutating func markGap() { gapIsOpen = true }

    /// Delivers `block`; returns how many samples were dropped because the reader is behind by the whole ring.
    internal mutating func write(_ block: borrowing Span<Float>) -> Int {
        guard isDelivered else {
            position += Int64(block.count)
            return 0
        }
        if gapIsOpen, samples.freeCount > 0, gaps.push(position) { gapIsOpen = false }
        let written = samples.write(block)
        position += Int64(written)
        if written < block.count { gapIsOpen = true }
        control.arrival.ring()
        return block.count - written
    }
}
