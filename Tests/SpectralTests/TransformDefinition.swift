import Foundation

/// The definition of the transform of real samples, in double precision.
func directTransform(_ x: [Float]) -> [SIMD2<Double>] {
    let count = x.count
    let root = (0..<count).map {
        SIMD2(cos(2 * .pi * Double($0) / Double(count)), -sin(2 * .pi * Double($0) / Double(count)))
    }
    return (0...(count / 2)).map { k in
        var sum = SIMD2<Double>.zero
        for n in x.indices { sum += Double(x[n]) * root[(n * k) % count] }
        return sum
    }
}

/// The rms of what separates `bins` from `truth`, divided by the rms of `truth`.
func relativeError(of bins: UnsafeMutableBufferPointer<SIMD2<Float>>, to truth: [SIMD2<Double>]) -> Double {
    guard bins.count == truth.count else { return .infinity }
    var (difference, power) = (0.0, 0.0)
    for k in truth.indices {
        let d = SIMD2<Double>(bins[k]) - truth[k]
        difference += (d * d).sum()
        power += (truth[k] * truth[k]).sum()
    }
    return (difference / power).squareRoot()
}

/// The rms of what separates `samples / scale` from `truth`, divided by the rms of `truth`.
func relativeError(of samples: UnsafeMutableBufferPointer<Float>, to truth: [Float], scale: Double) -> Double {
    guard samples.count == truth.count else { return .infinity }
    var (difference, power) = (0.0, 0.0)
    for n in truth.indices {
        let d = Double(samples[n]) / scale - Double(truth[n])
        difference += d * d
        power += Double(truth[n]) * Double(truth[n])
    }
    return (difference / power).squareRoot()
}
