internal import Realtime

/// The level of the noise in each of several features: the least tenth percentile of a quarter of a second among the last
/// three seconds.
///
/// Between notes, and in each band between partials, the noise is heard alone every now and then.
/// - SeeAlso: Martin, "Noise power spectral density estimation based on optimal smoothing and minimum statistics", IEEE
///   Trans. Speech Audio Processing 9(5), 2001.
internal struct MinimumStatistics: ~Copyable, Sendable {
    /// 16 ms of hops are averaged before their percentile is taken.
    private static var smoothing: Int { @_noLocks get { 8 } }
    /// 12 blocks of 0.25 s: longer than most notes.
    private static var blocks: Int { @_noLocks get { 12 } }

    /// The level of each feature.
    let level: SampleBuffer<Float>

    private let count: Int, blockLength: Int, kept: Int
    private let least: Float
    private let recent: SampleBuffer<Float>
    /// For each feature its least values in this block, in order.
    private let lowest: SampleBuffer<Float>
    private let percentiles: SampleBuffer<Float>
    private var hops = 0

    /// - Parameters:
    ///   - count: how many features.
    ///   - blockLength: hops in a quarter of a second.
    ///   - least: the lowest level told.
    init(count: Int, blockLength: Int, least: Float) {
        (self.count, self.blockLength, self.least) = (count, blockLength, least)
        kept = blockLength / 10 + 1
        level = SampleBuffer(count: count, repeating: least)
        recent = SampleBuffer(count: count * Self.smoothing)
        lowest = SampleBuffer(count: count * kept, repeating: .infinity)
        percentiles = SampleBuffer(count: count * Self.blocks, repeating: .infinity)
    }

    /// Takes in the values of a hop.
    @_noLocks mutating func add(_ values: UnsafeMutableBufferPointer<Float>) {
        let (position, inBlock) = (hops % Self.smoothing, hops % blockLength)
        let isFirstBlock = hops < blockLength
        hops += 1
        for feature in 0..<count {
            recent.unsafeElements[feature * Self.smoothing + position] = values[feature]
            var sum: Float = 0
            for n in 0..<Self.smoothing { sum += recent.unsafeElements[feature * Self.smoothing + n] }
            insert(sum / Float(Self.smoothing), of: feature)
            if isFirstBlock {
                // The fifth of what there is, as far as it is known: a recording may begin in the middle of a note.
                let rank = min(kept - 1, inBlock / 5)
                level.unsafeElements[feature] = max(least, lowest.unsafeElements[feature * kept + rank])
            }
            if inBlock == blockLength - 1 { endBlock(of: feature) }
        }
    }

    @_noLocks mutating func reset() {
        hops = 0
        for n in 0..<level.count { level.unsafeElements[n] = least }
        for n in 0..<recent.count { recent.unsafeElements[n] = 0 }
        for n in 0..<lowest.count { lowest.unsafeElements[n] = .infinity }
        for n in 0..<percentiles.count { percentiles.unsafeElements[n] = .infinity }
    }

    @_noLocks private func insert(_ value: Float, of feature: Int) {
        let first = feature * kept
        guard value < lowest.unsafeElements[first + kept - 1] else { return }
        var n = kept - 1
        while n > 0 && lowest.unsafeElements[first + n - 1] > value {
            lowest.unsafeElements[first + n] = lowest.unsafeElements[first + n - 1]
            n -= 1
        }
        lowest.unsafeElements[first + n] = value
    }

    @_noLocks private func endBlock(of feature: Int) {
        let block = (hops / blockLength - 1) % Self.blocks
        percentiles.unsafeElements[feature * Self.blocks + block] = lowest.unsafeElements[feature * kept + kept - 1]
        for n in 0..<kept { lowest.unsafeElements[feature * kept + n] = .infinity }
        var smallest = Float.infinity
        for n in 0..<Self.blocks { smallest = min(smallest, percentiles.unsafeElements[feature * Self.blocks + n]) }
        level.unsafeElements[feature] = max(least, smallest)
    }
}
