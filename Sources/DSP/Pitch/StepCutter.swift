internal import Realtime

/// Cuts the stream into steps of 3 to 6 ms, whatever the hop between readings.
///
/// Long hops are split and short ones gathered, so that the detector looks at a note as often with a hop of 1 ms as with
/// one of 50 ms, and finds and follows it in the same way.
struct StepCutter: ~Copyable {
    /// Seconds of the longest step: a little more than the default hop at any rate from 8 kHz on.
    private static var longest: Double { 0.0061 }

    /// Samples per step, to the nearest one.
    let step: Int
    private let stepsPerHop: Int
    private let hopsPerStep: Int
    private let samples: SampleBuffer<Float>
    private var count = 0
    private var hops = 0

    /// - Parameter hop: samples between readings.
    init(hop: Int, sampleRate: Double) {
        let longest = Self.longest * sampleRate
        hopsPerStep = max(1, Int(longest / Double(hop)))
        stepsPerHop = max(1, Int((Double(hop) / longest).rounded(.up)))
        step = hop * hopsPerStep / stepsPerHop
        samples = SampleBuffer(count: hop * hopsPerStep)
    }

    /// How many steps are complete once the newest `count` samples of `window` are added.
    @_noLocks mutating func add(_ window: borrowing Span<Float>, newest added: Int) -> Int {
        if hops == hopsPerStep { (count, hops) = (0, 0) }
        let (room, first) = (samples.start + count, window.count - added)
        precondition(first >= 0 && count + added <= samples.count, "more samples than a hop")
        for n in 0..<added { room[n] = window[unchecked: first &+ n] }
        count += added
        hops += 1
        return hops == hopsPerStep ? stepsPerHop : 0
    }

    /// The samples of a complete step.
    @_noLocks func step(_ index: Int) -> UnsafeBufferPointer<Float> {
        let (first, last) = (count * index / stepsPerHop, count * (index + 1) / stepsPerHop)
        return UnsafeBufferPointer(rebasing: samples.unsafeElements[first..<last])
    }

    @_noLocks mutating func reset() { (count, hops) = (0, 0) }
}
