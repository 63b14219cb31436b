internal import Realtime

/// How well one step from pitch to pitch, and two of them, explain readings.
///
/// The courses are `a + b r(t - t1)` and `a + b r(t - t1) + c r(t - t2)`, where `r` rises from 0 to 1 within the time that a step
/// takes, and the second step begins when the first is over.
internal struct PitchSteps: ~Copyable, Sendable {
    /// The sums of a ramp from each reading on.
    private let ramps: SampleBuffer<ShapeSums>
    private let hopSeconds: Double

    /// Seconds that a slur may take from pitch to pitch, with the windows of the readings.
    private static var slowest: Double { @_noLocks get { 0.08 } }
    private static var lengths: Int { @_noLocks get { 4 } }

    init(count: Int, hopSeconds: Double) {
        ramps = SampleBuffer(count: count, repeating: ShapeSums())
        self.hopSeconds = hopSeconds
    }

    /// The squares that the best step leaves.
    @_noLocks func restOfOne(_ window: borrowing SwayWindow) -> Double {
        var most = 0.0
        for index in 0..<Self.lengths {
            fillRamps(length(index), window)
            for begin in 0..<max(0, window.count - 1) {
                let ramp = ramps.unsafeElements[begin]
                let (spread, product) = (ramp.spread(window.whole), ramp.covariance(window.whole))
                if spread > ShapeSums.leastSpread { most = max(most, product * product / spread) }
            }
        }
        return max(0, window.spread - most)
    }

    /// The squares that the best two steps leave.
    @_noLocks func restOfTwo(_ window: borrowing SwayWindow) -> Double {
        var most = 0.0
        for index in 0..<Self.lengths {
            fillRamps(length(index), window)
            let apart = Int(length(index) + 0.999)
            for begin in 0..<max(0, window.count - 1) {
                var next = begin + apart
                while next < window.count - 1 {
                    most = max(most, explained(begin, next, window.whole))
                    next += 1
                }
            }
        }
        return max(0, window.spread - most)
    }

    /// The squares that two steps explain, by the normal equations of both.
    @_noLocks private func explained(_ begin: Int, _ next: Int, _ whole: ShapeSums) -> Double {
        let (first, second) = (ramps.unsafeElements[begin], ramps.unsafeElements[next])
        let (a, b, c) = (first.spread(whole), first.covariance(with: second, whole), second.spread(whole))
        let (u, v) = (first.covariance(whole), second.covariance(whole))
        let determinant = a * c - b * b
        guard determinant > ShapeSums.leastSpread else { return 0 }
        return (c * u * u - 2 * b * u * v + a * v * v) / determinant
    }

    /// How many hops a step of each length takes.
    @_noLocks private func length(_ index: Int) -> Double {
        max(1, Self.slowest / hopSeconds * Double(index) / Double(Self.lengths - 1))
    }

    @_noLocks private func fillRamps(_ length: Double, _ window: borrowing SwayWindow) {
        for begin in 0..<window.count {
            var sums = ShapeSums()
            for n in begin..<window.count { window.add(n, min(1, Double(n - begin) / length), to: &sums) }
            ramps.unsafeElements[begin] = sums
        }
    }
}
