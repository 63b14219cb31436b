public import AudioIO
internal import Realtime

/// The reading end of a capture stream, mono, for the thread that analyses.
public struct CapturedSamples: ~Copyable, Sendable, SampleSource {
    /// Samples per second, a whole number.
    public let sampleRate: Hertz
    private let device: String
    private var samples: SPSCRing<Float>.Consumer
    private var gaps: SPSCRing<Int64>.Consumer
    private let control: StreamControl
    /// Samples read so far: the index of the next one.
    private var position: Int64 = 0

    internal init(
        samples: consuming SPSCRing<Float>.Consumer, gaps: consuming SPSCRing<Int64>.Consumer,
        control: StreamControl, format: StreamFormat
    ) {
        (sampleRate, device) = (format.sampleRate, format.device)
        self.samples = samples
        self.gaps = gaps
        self.control = control
    }

    /// A descriptor to poll, readable when there are samples, or their end.
    public var fileDescriptor: Int32 { control.arrival.descriptor }

    /// Waits until there are samples, or their end; false when the time is over first.
    public func wait(timeout: Duration) -> Bool {
        if samples.availableCount > 0 || control.isOver { return true }
        return control.arrival.wait(until: .now() + timeout)
    }

    /// Whether the stream has ended: what can be read now is all there will be.
    package var isOver: Bool { control.isOver }

    /// Reads samples; waits until there is at least one. The end comes when the stream is stopped. Throws
    /// `AudioError.lost` if the device is gone and the stream does not wait for it.
    public mutating func read(into block: inout MutableSpan<Float>) throws(AudioError) -> SampleRead {
        guard !block.isEmpty else { return SampleRead(count: 0) }
        while true {
            // In this order: samples written before the end are read after it is seen.
            let isOver = control.isOver
            if let result = readAvailable(into: &block) { return result }
            if isOver {
                if let loss = control.loss { throw .lost(device: device, reason: loss.words) }
                return SampleRead(count: 0)
            }
            _ = control.arrival.wait()
        }
    }

    /// Reads without waiting; `nil` when there are no samples, or no more.
    public mutating func readAvailable(into block: inout MutableSpan<Float>) -> SampleRead? {
        control.arrival.clear()
        let available = samples.availableCount
        guard available > 0, !block.isEmpty else {
            // `wait` has to see the end, too.
            if control.isOver { control.arrival.ring() }
            return nil
        }
        var followsGap = false
        var limit = min(available, block.count)
        // A read never spans a gap. Gaps are written before the samples behind them, so all that matter are here.
        while let gap = gaps.peek() {
            guard gap <= position else {
                limit = min(limit, Int(gap - position))
                break
            }
            followsGap = true
            _ = gaps.pop()
        }
        var part = block._mutatingExtracting(first: limit)
        let count = samples.read(into: &part)
        position += Int64(count)
        if samples.availableCount > 0 { control.arrival.ring() }
        return SampleRead(count: count, followsGap: followsGap)
    }
}
