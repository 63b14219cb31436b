public import Music
public import Realtime
public import Spectral

/// A pitch detector fed with blocks of any size.
///
///     var tracker = PitchTracker(detector: try McLeodDetector(sampleRate: 48.0.kilohertz))
///     tracker.process(block.span)
///     while let reading = tracker.nextReading() { show(reading) }
///
/// One reading comes out per hop of the detector, and the readings do not depend on how the stream was cut into blocks.
/// - Complexity: one call of the detector per hop. Nothing allocates after `init`.
public struct PitchTracker<Detector: PitchDetector & ~Copyable>: ~Copyable {
    /// The detector that reads the pitch.
    public var detector: Detector
    /// How many readings were lost because nobody pulled them in time.
    @inlinable public var droppedReadings: Int { dropped }

    @usableFromInline internal var slicer: FrameSlicer
    @usableFromInline internal let queue: SampleBuffer<PitchReading>
    @usableFromInline internal var first: Int
    @usableFromInline internal var queued: Int
    @usableFromInline internal var dropped: Int

    /// Takes over a detector.
    ///
    /// - Parameter capacity: how many readings wait at most before the oldest is dropped.
    @inlinable public init(detector: consuming Detector, capacity: Int = 1_024) {
        let idle = PitchReading(frame: 0, state: .silence, level: Decibels(-.infinity))
        slicer = FrameSlicer(hop: detector.hop, window: detector.windowLength)
        queue = SampleBuffer(count: max(1, capacity), repeating: idle)
        first = 0
        queued = 0
        dropped = 0
        self.detector = detector
    }

    /// Takes in mono samples, full scale ±1, as many as there are.
    @inlinable public mutating func process(_ samples: borrowing Span<Float>) {
        var index = 0
        while slicer.fill(from: samples, at: &index) {
            let window = slicer.latest(detector.windowLength)
            enqueue(detector.reading(of: UnsafeBufferPointer(window).span, endingAt: slicer.sampleCount))
        }
    }

    /// The oldest reading that was not pulled yet, or `nil`.
    @inlinable public mutating func nextReading() -> PitchReading? {
        if queued == 0 { return nil }
        let reading = queue.unsafeElements[first]
        first = (first + 1) % queue.count
        queued -= 1
        return reading
    }

    /// Calls `body` with each reading that waits, oldest first.
    @inlinable public mutating func drain(_ body: (PitchReading) -> Void) {
        while let reading = nextReading() { body(reading) }
    }

    /// Starts again as if no sample had come yet.
    @inlinable public mutating func reset() {
        slicer.reset()
        detector.reset()
        (first, queued) = (0, 0)
    }

    @inlinable internal mutating func enqueue(_ reading: PitchReading) {
        if queued == queue.count {
            first = (first + 1) % queue.count
            queued -= 1
            dropped += 1
        }
        queue.unsafeElements[(first + queued) % queue.count] = reading
        queued += 1
    }
}
