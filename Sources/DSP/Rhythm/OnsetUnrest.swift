internal import Realtime

/// The mean evidence of the last 200 ms, up to 20 ms ago: what has to be exceeded to be a note.
internal struct OnsetUnrest: ~Copyable, Sendable {
    /// In seconds: longer than a cymbal's beating, shorter than a phrase.
    private static var span: Double { 0.2 }
    /// In seconds: the note that begins now does not count.
    private static var gap: Double { 0.02 }
    /// The evidence of a note counts as this much; it would hide the next one otherwise.
    private static var most: Float { @_noLocks get { 0.5 } }

    private let values: SampleBuffer<Float>
    private let count: Int, gap: Int
    private var sum = 0.0
    private var hops = 0

    init(sizes: OnsetSizes) {
        (count, gap) = (sizes.hops(Self.span), sizes.hops(Self.gap))
        values = SampleBuffer(count: sizes.hops(Self.span) + sizes.hops(Self.gap))
    }

    var mean: Float { @_noLocks get { Float(max(0, sum)) / Float(count) } }

    @_noLocks mutating func add(_ evidence: Float) {
        // The oldest value falls out; the one that is `gap` old comes in.
        sum -= Double(values.unsafeElements[hops % values.count])
        sum += Double(values.unsafeElements[(hops + values.count - gap) % values.count])
        values.unsafeElements[hops % values.count] = min(evidence, Self.most)
        hops += 1
    }

    @_noLocks mutating func reset() {
        for n in 0..<values.count { values.unsafeElements[n] = 0 }
        (sum, hops) = (0, 0)
    }
}
