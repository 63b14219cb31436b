/// A waveform to look for in recorded sound, by its correlation with every place.
///
/// - SeeAlso: Turin, "An introduction to matched filters", IRE Trans. Information Theory 6(3), 1960.
internal struct MatchedFilter: Sendable {
    private let waveform: [Float]
    internal let energy: Double

    /// A filter for `waveform`; `nil` when that is silence.
    internal init?(_ waveform: [Float]) {
        energy = waveform.reduce(0.0) { $0 + Double($1) * Double($1) }
        guard energy > 0 else { return nil }
        self.waveform = waveform
    }

    /// A filter that is like nothing.
    internal init(silentFor count: Int) { (waveform, energy) = ([Float](repeating: 0, count: count), 1) }

    internal var count: Int { waveform.count }

    /// Σ waveform[k] · values[place + k].
    internal func correlation(_ values: UnsafeBufferPointer<Float>, at place: Int) -> Double {
        sums(values, place).products
    }

    /// The normalized correlation: 1 is the same waveform at any loudness, -1 the same upside down.
    internal func likeness(_ values: UnsafeBufferPointer<Float>, at place: Int) -> Double {
        let (products, power) = sums(values, place)
        return power > 0 ? products / (energy * power).squareRoot() : 0
    }

    /// How alike the waveform is, either side up, to what is at each place from `reach` before one to as many after it.
    internal func likenesses(_ values: UnsafeBufferPointer<Float>, around place: Int, reach: Int) -> [Double] {
        (-reach...reach).map { abs(likeness(values, at: place + $0)) }
    }

    /// How loud the waveform is at a place, relative to itself.
    internal func gain(in samples: [Float], at place: Int) -> Double {
        samples.withUnsafeBufferPointer { correlation($0, at: place) } / energy
    }

    @inline(__always)
    private func sums(_ values: UnsafeBufferPointer<Float>, _ place: Int) -> (products: Double, power: Double) {
        let window = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: values[place..<(place + waveform.count)]))
        return waveform.withUnsafeBytes { bytes in
            var (products, squares) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var at = 0
            while at + MemoryLayout<SIMD8<Float>>.stride <= bytes.count {
                let value = window.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
                products += bytes.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self) * value
                squares += value * value
                at += MemoryLayout<SIMD8<Float>>.stride
            }
            var (product, power) = (Double(products.sum()), Double(squares.sum()))
            while at < bytes.count {
                let value = Double(window.loadUnaligned(fromByteOffset: at, as: Float.self))
                product += Double(bytes.loadUnaligned(fromByteOffset: at, as: Float.self)) * value
                power += value * value
                at += MemoryLayout<Float>.stride
            }
            return (product, power)
        }
    }
}
