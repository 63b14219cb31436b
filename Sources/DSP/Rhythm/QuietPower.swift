internal import Realtime

/// The power of the noise that is heard between notes and clicks, full scale 1.
internal struct QuietPower: ~Copyable, Sendable {
    private let hop: Int
    private var statistics: MinimumStatistics
    private let newest = SampleBuffer<Float>(count: 1)
    private var sum: Float = 0, count = 0

    init(sizes: OnsetSizes) {
        hop = sizes.hop
        statistics = MinimumStatistics(count: 1, blockLength: sizes.hops(0.25), least: 1e-12)
    }

    var level: Float { @_noLocks get { statistics.level.unsafeElements[0] } }

    @_noLocks mutating func add(_ sample: Float) {
        sum += sample * sample
        count += 1
        guard count == hop else { return }
        newest.unsafeElements[0] = sum / Float(hop)
        statistics.add(newest.unsafeElements)
        (sum, count) = (0, 0)
    }

    @_noLocks mutating func reset() {
        statistics.reset()
        (sum, count) = (0, 0)
    }
}
