internal import CRealtime
internal import Realtime

/// The probabilities of all places within each period of a beat.
///
/// They stay where they are in memory, and the beginning of each period's ring moves instead.
internal struct BeatRings: ~Copyable, Sendable {
    /// The shortest period in frames, and how many there are.
    let shortest: Int, count: Int
    let probabilities: SampleBuffer<Float>
    /// Where the ring of each period begins in memory, a multiple of 8, and within it the state of place 0.
    let starts: SampleBuffer<Int>
    private let heads: SampleBuffer<Int>
    /// The largest probability of each period, and the sum of all.
    private let largest: SampleBuffer<Float>, sums: SampleBuffer<Float>
    /// The sum of all probabilities, between 1e-3 and 1e3.
    private var total: Float = 0

    /// Less is nothing: far above the numbers that processors are slow with.
    private static var least: Float { @_noLocks get { 1e-25 } }

    /// - Parameter periods: in frames.
    init(periods: ClosedRange<Int>) {
        let all = Array(periods)
        (shortest, count) = (periods.lowerBound, all.count)
        var (start, places) = (0, [Int]())
        for period in all {
            places.append(start)
            start += (period + 7) / 8 * 8
        }
        starts = SampleBuffer(copying: places)
        probabilities = SampleBuffer(count: start)
        heads = SampleBuffer(count: all.count)
        largest = SampleBuffer(count: all.count)
        sums = SampleBuffer(count: all.count)
    }

    @_noLocks mutating func clear() {
        total = 0
        for n in 0..<probabilities.count { probabilities.unsafeElements[n] = 0 }
        for n in 0..<count {
            (largest.unsafeElements[n], sums.unsafeElements[n], heads.unsafeElements[n]) = (0, 0, 0)
        }
    }

    /// Where in memory a place is that is less than a period.
    @_noLocks func slot(of place: Int, in index: Int) -> Int {
        starts.unsafeElements[index] + offset(of: place, in: index)
    }

    /// The same from the beginning of the ring.
    @_noLocks func offset(of place: Int, in index: Int) -> Int {
        let offset = heads.unsafeElements[index] - place
        return offset < 0 ? offset + shortest + index : offset
    }

    /// All places of a period move on by a frame.
    @_noLocks mutating func turn(_ index: Int) {
        let head = heads.unsafeElements[index] + 1
        heads.unsafeElements[index] = head == shortest + index ? 0 : head
    }

    /// The likeliest of all states.
    @_noLocks func best() -> BeatStates.State {
        var state = BeatStates.State()
        for index in 0..<count where largest.unsafeElements[index] > state.probability {
            (state.index, state.probability) = (index, largest.unsafeElements[index])
        }
        let start = starts.unsafeElements[state.index]
        for n in 0..<shortest + state.index where probabilities.unsafeElements[start + n] == state.probability {
            // The place of a slot is how many frames ago it was the head.
            state.place = offset(of: n, in: state.index)
            break
        }
        return state
    }

    /// The probability of these periods, 0 to 1.
    @_noLocks func share(of indices: Range<Int>) -> Double {
        var sum: Float = 0
        for index in max(0, indices.lowerBound)..<max(0, min(count, indices.upperBound)) {
            sum += sums.unsafeElements[index]
        }
        return Double(min(1, sum / max(Self.least, total)))
    }

    /// Makes the sum of all probabilities 1, and finds the largest of each period.
    @_noLocks mutating func normalize() {
        let ring = probabilities.unsafeElements
        guard let base = ring.baseAddress else { return }
        var total: Float = 0
        for index in 0..<count {
            let start = starts.unsafeElements[index]
            let end = index + 1 < count ? starts.unsafeElements[index + 1] : ring.count
            var (sum, most) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var slot = start
            while slot < end {
                var values = eight(base, slot)
                values.replace(with: 0, where: values .< Self.least)
                UnsafeMutableRawPointer(base + slot).storeBytes(of: values, as: SIMD8<Float>.self)
                sum += values
                most.replace(with: values, where: values .> most)
                slot += 8
            }
            sums.unsafeElements[index] = sum.sum()
            total += sums.unsafeElements[index]
            largest.unsafeElements[index] = most.max()
        }
        self.total = total
        guard total < 1e-3 || total > 1e3 else { return }
        let scale = 1 / max(Self.least, total)
        for slot in 0..<ring.count { ring[slot] *= scale }
        for index in 0..<count {
            largest.unsafeElements[index] *= scale
            sums.unsafeElements[index] *= scale
        }
        self.total *= scale
    }
}
