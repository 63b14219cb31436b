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
        var least = window.spread
        for index in 0..<Self.lengths {
            let length = length(index)
            fillRamps(length, window)
            var (most, best) = (0.0, 0)
            for begin in 0..<max(0, window.count - 1) {
                let explained = ramps.unsafeElements[begin].explained(window.whole)
                if explained > most { (most, best) = (explained, begin) }
            }
            least = min(least, refinedRest(Double(best), nil, length, window))
        }
        return max(0, least)
    }

    /// The squares that the best two steps leave.
    @_noLocks func restOfTwo(_ window: borrowing SwayWindow) -> Double {
        var least = window.spread
        for index in 0..<Self.lengths {
            let length = length(index)
            fillRamps(length, window)
            let apart = Int(length + 0.999)
            var (most, best, bestNext) = (0.0, 0, apart)
            for begin in 0..<max(0, window.count - 1) {
                var next = begin + apart
                while next < window.count - 1 {
                    let (first, second) = (ramps.unsafeElements[begin], ramps.unsafeElements[next])
                    let explained = first.explained(with: second, window.whole)
                    if explained > most { (most, best, bestNext) = (explained, begin, next) }
                    next += 1
                }
            }
            least = min(least, refinedRest(Double(best), Double(bestNext), length, window))
        }
        return max(0, least)
    }

    /// The squares that a step, or two of them, leave, with their places and their length moved by fractions of a hop for as long as
    /// that leaves less.
    @_noLocks private func refinedRest(
        _ begin: Double, _ next: Double?, _ length: Double, _ window: borrowing SwayWindow
    ) -> Double {
        // The middles stay where they are when the length changes.
        var (first, second, width) = (begin + length / 2, next.map { $0 + length / 2 }, length)
        var least = rest(first, second, width, window)
        var (move, moves) = (SwayWindow.firstMove, 0)
        while move > SwayWindow.lastMove, moves < SwayWindow.mostMoves {
            moves += 1
            var isBetter = false
            for trial in 0..<6 {
                let side = trial % 2 == 0 ? move : -move
                var (one, two, wide) = (first, second, width)
                switch trial / 2 {
                case 0: one += side
                case 1: wide = min(max(1, wide + 2 * side), Self.slowest / hopSeconds)
                default:
                    guard let place = second else { continue }
                    two = place + side
                }
                if let two, two - one < wide { continue }
                let left = rest(one, two, wide, window)
                if left < least { (least, first, second, width, isBetter) = (left, one, two, wide, true) }
            }
            if !isBetter { move /= 2 }
        }
        return least
    }

    /// The squares that are left beside steps with these middles.
    @_noLocks private func rest(
        _ first: Double, _ second: Double?, _ width: Double, _ window: borrowing SwayWindow
    ) -> Double {
        let one = ramp(first - width / 2, width, window)
        guard let second else { return window.spread - one.explained(window.whole) }
        // Where the second has begun the first is over.
        let two = ramp(second - width / 2, width, window)
        return window.spread - one.explained(with: two, window.whole)
    }

    @_noLocks private func ramp(_ begin: Double, _ length: Double, _ window: borrowing SwayWindow) -> ShapeSums {
        var sums = ShapeSums()
        let start = max(0, Int(begin))
        for n in start..<max(start, window.count) {
            window.add(n, min(1, max(0, (Double(n) - begin) / length)), to: &sums)
        }
        return sums
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
