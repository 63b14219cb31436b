internal import CRealtime
internal import Realtime

/// The moments of a tone's partials, block by block: a long window costs no more than its newest block.
///
/// Each block holds Y0, Y1 and Y2 about its own middle at reference frequencies ω. A window of any number of blocks at
/// frequencies ω + δ close by is put together from them: with τ the distance between a block's middle and the window's,
///
///     U = Y0 - iδ Y1 - δ²/2 Y2,   V = Y1 - iδ Y2
///     Y0_window = Σ e^{-i(ω+δ)τ} U,   Y1_window = Σ e^{-i(ω+δ)τ} (τ U + V)
///
/// which is exact to (δ · block / 2)³ / 6.
struct PartialBlocks: ~Copyable {
    /// Samples per block, even.
    private(set) var length = 0
    /// How many of the newest blocks are there.
    private(set) var count = 0

    private let capacity: Int
    private var newest = 0
    private var partials = 0
    private var measure: PartialMoments
    private let rows: SampleBuffer<Float>
    private let energies: SampleBuffer<Double>
    private let reference = SampleBuffer<Double>(count: HarmonicGram.stride)
    private let shift = SampleBuffer<Float>(count: HarmonicGram.stride)

    init(capacity: Int, longestBlock: Int) {
        self.capacity = capacity
        measure = PartialMoments(longest: longestBlock)
        rows = SampleBuffer(count: capacity * 6 * PartialMoments.stride)
        energies = SampleBuffer(count: capacity)
    }

    /// The reference frequency of a partial; infinity where it was not measured.
    @_noLocks func frequency(of partial: Int) -> Double {
        partial <= partials ? reference.unsafeElements[partial] : .infinity
    }

    /// Forgets all blocks and takes new reference frequencies.
    @_noLocks mutating func start(_ frequencies: UnsafeMutableBufferPointer<Double>, partials: Int, length: Int) {
        (self.partials, self.length, count) = (partials, length, 0)
        for k in 0...partials { reference.unsafeElements[k] = frequencies[k] }
        measure.prepare(reference.unsafeElements, count: partials + 1, oddLength: false)
    }

    /// Adds the newest block.
    @_noLocks mutating func append(_ samples: UnsafeMutableBufferPointer<Float>) {
        newest = newest + 1 == capacity ? 0 : newest + 1
        count = min(count + 1, capacity)
        let at = rows.start + newest * 6 * PartialMoments.stride
        energies.unsafeElements[newest] = measure.measure(samples, into: at, withSecond: true)
    }

    /// Measures no more than this many partials from now on.
    @_noLocks mutating func limit(partials count: Int) {
        partials = min(partials, count)
        measure.limit(entries: partials + 1)
    }

    /// Keeps only the newest `blocks`.
    @_noLocks mutating func shorten(to blocks: Int) { count = min(count, blocks) }

    /// Leaves the moments of the newest `blocks` in `fit`, at the frequencies of its `gram`; returns their energy.
    @_noLocks mutating func gather(_ blocks: Int, into fit: UnsafeMutablePointer<HarmonicFit>) -> Double {
        let span = Double(length)
        let first = -span * Double(blocks - 1) / 2
        let omega = fit.pointee.gram.frequency.unsafeElements
        let partials = fit.pointee.gram.partialCount
        for k in 0...partials { shift.unsafeElements[k] = Float(omega[k] - reference.unsafeElements[k]) }
        fit.pointee.turn(first: first, span: span)
        var oldest = newest - blocks + 1
        if oldest < 0 { oldest += capacity }
        var k = 0
        while k <= partials {
            gather(four: k, blocks: blocks, from: oldest, first: Float(first), into: fit)
            k += 4
        }
        var energy = 0.0
        for b in 0..<blocks { energy += energies.unsafeElements[(oldest + b) % capacity] }
        return energy
    }

    /// Entries `k` … `k + 3`: their sums fit the 16 registers of the default target, those of eight entries do not.
    @_noLocks private func gather(
        four k: Int, blocks: Int, from oldest: Int, first: Float,
        into fit: UnsafeMutablePointer<HarmonicFit>
    ) {
        let stride = PartialMoments.stride
        let turn = fit.pointee.turns.start
        let delta = four(shift.start, k)
        let half = delta * delta * 0.5
        var (c, s) = (four(turn, k), four(turn, stride + k))
        let (stepC, stepS) = (four(turn, 2 * stride + k), four(turn, 3 * stride + k))
        var (x0, y0) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        var (x1, y1) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        var tau = first
        var slot = oldest
        for _ in 0..<blocks {
            let row = rows.start + slot * 6 * stride + k
            let (c1, s1) = (four(row, 2 * stride), four(row, 3 * stride))
            let (c2, s2) = (four(row, 4 * stride), four(row, 5 * stride))
            let ux = four(row, 0) - delta * s1 - half * c2
            let uy = four(row, stride) + delta * c1 - half * s2
            let vx = c1 - delta * s2 + ux * tau
            let vy = s1 + delta * c2 + uy * tau
            x0 += ux * c - uy * s
            y0 += uy * c + ux * s
            x1 += vx * c - vy * s
            y1 += vy * c + vx * s
            let turned = c * stepC - s * stepS
            s = c * stepS + s * stepC
            c = turned
            tau += Float(length)
            slot = slot + 1 == capacity ? 0 : slot + 1
        }
        for lane in 0..<min(4, fit.pointee.gram.partialCount + 1 - k) {
            fit.pointee.cosineMoment.start[k + lane] = Double(x0[lane])
            fit.pointee.sineMoment.start[k + lane] = Double(y0[lane])
            fit.pointee.cosineSlopeMoment.start[k + lane] = Double(x1[lane])
            fit.pointee.sineSlopeMoment.start[k + lane] = Double(y1[lane])
        }
    }
}
