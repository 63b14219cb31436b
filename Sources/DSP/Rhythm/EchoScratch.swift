internal import Realtime

/// What is learnt of a click until all of it is, row by row: the echo, its variances and its powers.
internal struct EchoScratch: ~Copyable, Sendable {
    private let sizes: EchoSizes
    private let samples: SampleBuffer<Float>, features: SampleBuffer<Float>, spectra: SampleBuffer<SIMD2<Float>>

    init(sizes: EchoSizes) {
        self.sizes = sizes
        samples = SampleBuffer(count: 3 * sizes.length)
        features = SampleBuffer(count: 8 * sizes.cells + 2 * sizes.bins)
        spectra = SampleBuffer(count: sizes.cells, repeating: .zero)
    }

    /// What remains of the click, as samples: where it was heard, and where its sound has it.
    var residual: UnsafeMutablePointer<Float> { @_noLocks get { samples.start } }
    var aligned: UnsafeMutablePointer<Float> { @_noLocks get { samples.start + sizes.length } }
    /// The new echo, variances and powers.
    var echo: UnsafeMutablePointer<Float> { @_noLocks get { samples.start + 2 * sizes.length } }
    var variance: UnsafeMutablePointer<Float> { @_noLocks get { features.start } }
    var power: UnsafeMutablePointer<Float> { @_noLocks get { features.start + sizes.cells } }
    /// The residual in cells, and its power summed over three frequencies.
    var cells: UnsafeMutablePointer<SIMD2<Float>> { @_noLocks get { spectra.start } }
    var powerSums: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 2 * sizes.cells } }
    /// The variance of other clicks.
    var others: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 3 * sizes.cells } }
    /// The product of this residual and the last, and the largest that it could be; each before and after its sum over time.
    var crossSums: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 4 * sizes.cells } }
    var productSums: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 5 * sizes.cells } }
    var cross: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 6 * sizes.cells } }
    var product: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 7 * sizes.cells } }
    /// Rows for a moment.
    var first: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 8 * sizes.cells } }
    var second: UnsafeMutablePointer<Float> { @_noLocks get { features.start + 8 * sizes.cells + sizes.bins } }

    /// Begins a hop of the new echo as it was.
    @_noLocks func copyEcho(_ old: UnsafePointer<Float>, hop: Int) {
        for n in (hop * sizes.hop)..<((hop + 1) * sizes.hop) { echo[n] = old[n] }
    }

    /// Writes the power of a row of cells, summed over three frequencies.
    @_noLocks func square(row: Int) {
        let from = cells + row * sizes.bins
        for k in 0..<sizes.bins { first[k] = from[k].x * from[k].x + from[k].y * from[k].y }
        sumOfThree(first, sizes.bins, into: powerSums + row * sizes.bins)
    }

    /// Writes the mean power of each cell of a row and its eight neighbours into `first`.
    @_noLocks func smoothPower(row: Int) { smooth(powerSums, row: row, into: first) }

    @_noLocks func keepPower(row: Int) { smooth(powerSums, row: row, into: power + row * sizes.bins) }

    /// The products, over three frames.
    @_noLocks func spread(row: Int) {
        smooth(crossSums, row: row, into: cross + row * sizes.bins)
        smooth(productSums, row: row, into: product + row * sizes.bins)
    }

    /// Writes a ninth of the sum of a row and its two neighbours; beyond the ends there is nothing.
    @_noLocks func smooth(_ cells: UnsafePointer<Float>, row: Int, into result: UnsafeMutablePointer<Float>) {
        let (bins, own) = (sizes.bins, cells + row * sizes.bins)
        let ninth: Float = 1 / 9
        for k in 0..<bins { result[k] = own[k] * ninth }
        if row > 0 { for k in 0..<bins { result[k] += own[k - bins] * ninth } }
        if row + 1 < sizes.frames { for k in 0..<bins { result[k] += own[k + bins] * ninth } }
    }
}
