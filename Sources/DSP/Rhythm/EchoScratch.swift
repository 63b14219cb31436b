internal import Realtime

/// What is learnt of a click until all of it is, row by row: the echo, its variances and its powers.
///
/// The pointers lead into its own buffers, which have one user at a time.
internal struct EchoScratch: ~Copyable, @unchecked Sendable {
    /// What remains of the click, as samples: where it was heard, and where its sound has it.
    let residual: UnsafeMutablePointer<Float>, aligned: UnsafeMutablePointer<Float>
    /// The new echo, variances and powers.
    let echo: UnsafeMutablePointer<Float>
    let variance: UnsafeMutablePointer<Float>, power: UnsafeMutablePointer<Float>
    /// The residual in cells, and its power summed over three frequencies.
    let cells: UnsafeMutablePointer<SIMD2<Float>>
    let powerSums: UnsafeMutablePointer<Float>
    /// The variance of other clicks.
    let others: UnsafeMutablePointer<Float>
    /// The product of this residual and the last, and the largest that it could be; each before and after its sum over time.
    let crossSums: UnsafeMutablePointer<Float>, productSums: UnsafeMutablePointer<Float>
    let cross: UnsafeMutablePointer<Float>, product: UnsafeMutablePointer<Float>
    /// Rows for a moment.
    let first: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>

    private let sizes: EchoSizes
    private let samples: SampleBuffer<Float>, features: SampleBuffer<Float>, spectra: SampleBuffer<SIMD2<Float>>

    init(sizes: EchoSizes) {
        self.sizes = sizes
        samples = SampleBuffer(count: 3 * sizes.length)
        features = SampleBuffer(count: 8 * sizes.cells + 2 * sizes.bins)
        spectra = SampleBuffer(count: sizes.cells, repeating: .zero)
        guard let sample = samples.unsafeElements.baseAddress, let feature = features.unsafeElements.baseAddress,
            let spectrum = spectra.unsafeElements.baseAddress
        else { fatalError("no memory") }
        (residual, aligned, echo) = (sample, sample + sizes.length, sample + 2 * sizes.length)
        (variance, power) = (feature, feature + sizes.cells)
        (powerSums, others) = (feature + 2 * sizes.cells, feature + 3 * sizes.cells)
        (crossSums, productSums) = (feature + 4 * sizes.cells, feature + 5 * sizes.cells)
        (cross, product) = (feature + 6 * sizes.cells, feature + 7 * sizes.cells)
        (first, second) = (feature + 8 * sizes.cells, feature + 8 * sizes.cells + sizes.bins)
        cells = spectrum
    }

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
