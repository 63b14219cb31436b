internal import CRealtime
internal import Realtime

/// Which places of a period belong to its beat, and how much: a bell whose width is a share of the period.
internal struct BeatShapes: ~Copyable, Sendable {
    /// Half the width of a beat, by period, in frames: the beat itself is so long after the period's first place.
    let halves: SampleBuffer<Int>
    /// One frame's share of a beat, by period.
    let perFrame: SampleBuffer<Float>
    /// The height of each place, 0 to `levelCount`.
    private let heights: SampleBuffer<UInt8>
    private let starts: SampleBuffer<Int>

    /// Heights are rounded to sixteenths, so that a frame needs few powers.
    static var levelCount: Int { @_noLocks get { 16 } }

    /// - Parameters:
    ///   - periods: in frames.
    ///   - width: half the width of a beat as a share of the period.
    init(periods: ClosedRange<Int>, width: Double) {
        let halves = periods.map { max(2, Int(rt_round(Double($0) * width))) }
        var (heights, starts, shares) = ([UInt8](), [Int](), [Float]())
        for half in halves {
            starts.append(heights.count)
            var sum = 0.0
            for place in 0...(2 * half) {
                // 2.2 standard deviations lie within half the width.
                let x = Double(place - half) / (0.45 * Double(half))
                let height = rt_round(rt_exp(-x * x / 2) * Double(Self.levelCount))
                heights.append(UInt8(height))
                sum += height / Double(Self.levelCount)
            }
            shares.append(Float(1 / sum))
        }
        self.halves = SampleBuffer(copying: halves)
        self.heights = SampleBuffer(copying: heights)
        self.starts = SampleBuffer(copying: starts)
        perFrame = SampleBuffer(copying: shares)
    }

    /// The heights of the first places of a period, up to twice its half.
    @_noLocks func levels(of index: Int) -> UnsafeMutablePointer<UInt8> {
        heights.start + starts.unsafeElements[index]
    }
}
