public import Music
public import Realtime
public import Spectral

/// A pitch detector fed with blocks of any size.
///
/// ```swift
/// func readings(of block: [Float], by detector: some PitchDetector) -> [PitchReading] {
///     var tracker = PitchTracker(detector: detector)
///     tracker.process(block.span)
///     var readings: [PitchReading] = []
///     while let reading = tracker.nextReading() { readings.append(reading) }
///     return readings
/// }
/// ```
///
/// One reading comes out per hop of the detector, and the readings do not depend on how the stream was cut into blocks as
/// long as none is lost: `capacity` of them wait, by default 1,024 (5.5 s of the usual hop); of more the oldest go, and
/// `droppedReadings` counts them. Feed longer blocks in parts, and pull readings in between.
///
/// A frequency is in hertz; its distance from another one in cents is 1200 log2(f / f'). What the detectors measure it by:
///
/// | detector | the pitch is where | source |
/// |---|---|---|
/// | `HarmonicDetector` | Σ (x(t) - Σ_k e^(-γt) (a_k cos kω√(1 + Bk²) t + b_k sin …))² is least | Nielsen et al., "Fast fundamental frequency estimation", Signal Processing 135, 2017; Fletcher, JASA 36(1), 1964, for B |
/// | `McLeodDetector` | n(τ) = 2 Σ x(t) x(t+τ) / Σ (x²(t) + x²(t+τ)) has its first key maximum | McLeod & Wyvill, "A smarter way to find pitch", ICMC 2005 |
/// | `YINDetector` | Σ (x(t) - x(t+τ))², over its mean up to τ, first dips below a threshold | de Cheveigné & Kawahara, "YIN", JASA 111(4), 2002 |
///
/// None can be better than the bound of Cramér and Rao, which for one partial of amplitude A in noise of variance σ² is
/// var ω = 24 σ² / (A² N³) over N samples (Kay, "Fundamentals of Statistical Signal Processing", 1993, 3.11).
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
        (first, queued, dropped) = (0, 0, 0)
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

extension PitchTracker: Sendable where Detector: Sendable & ~Copyable {}
