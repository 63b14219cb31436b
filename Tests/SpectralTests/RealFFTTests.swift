import CAllocationProbe
import Foundation
import Spectral
import Testing
import TestSignals

/// The definition, in double precision.
private func directTransform(_ x: [Float]) -> [SIMD2<Double>] {
    (0...(x.count / 2)).map { k in
        var sum = SIMD2<Double>.zero
        for n in x.indices {
            // The product is reduced first: cos of a large angle would lose digits.
            let angle = -2 * Double.pi * Double((n * k) % x.count) / Double(x.count)
            sum += Double(x[n]) * SIMD2(cos(angle), sin(angle))
        }
        return sum
    }
}

private func largestDifference(_ a: [SIMD2<Double>], _ b: UnsafeMutableBufferPointer<SIMD2<Float>>) -> Double {
    zip(a, b).map { pair in
        let d = pair.0 - SIMD2(Double(pair.1.x), Double(pair.1.y))
        return max(abs(d.x), abs(d.y))
    }.max() ?? .infinity
}

@Suite struct RealFFTTests {
    // White noise of rms 1 has bins of rms √N; a float FFT rounds at about 6e-8 · log2 N of that, and 1e-6 √N · 3 is
    // a bound that a wrong twiddle or sign exceeds a thousandfold.
    private func tolerance(_ size: Int) -> Double { 3e-6 * Double(size).squareRoot() }

    @Test(arguments: [4, 8, 16, 64, 128, 512, 2_048])
    func `The library's transform and ours both agree with the definition, and come back`(size: Int) throws {
        var generator = SeededGenerator(seed: UInt64(size))
        let noise = whiteNoise(count: size, rms: 1, using: &generator)
        let truth = directTransform(noise)
        #expect(truth.contains { abs($0.x) > 0.1 })

        var fft = try RealFFT(size: size)
        for n in noise.indices { fft.samples[n] = noise[n] }
        fft.forward()
        let error = largestDifference(truth, fft.spectrum)
        fft.inverse()
        let back = noise.indices.map { abs(fft.samples[$0] / Float(size) - noise[$0]) }.max() ?? .infinity
        #expect(error < tolerance(size) && back < 3e-6)

        var own = SplitFFT(size: size)
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: size)
        let bins = UnsafeMutableBufferPointer<SIMD2<Float>>.allocate(capacity: size / 2 + 1)
        defer {
            samples.deallocate()
            bins.deallocate()
        }
        _ = samples.initialize(from: noise)
        bins.initialize(repeating: .zero)
        own.forward(samples, into: bins)
        let ownError = largestDifference(truth, bins)
        own.inverse(bins, into: samples)
        let ownBack = noise.indices.map { abs(samples[$0] / Float(size) - noise[$0]) }.max() ?? .infinity
        #expect(ownError < tolerance(size) && ownBack < 3e-6)
    }

    @Test func `A sine at a bin's centre lands in that bin alone`() throws {
        var fft = try RealFFT(size: 256)
        for n in 0..<256 { fft.samples[n] = Float(cos(2 * .pi * 9 * Double(n) / 256)) }
        fft.forward()
        let power = (0..<fft.binCount).map { fft.spectrum[$0].x * fft.spectrum[$0].x }
        // 128² in bin 9; elsewhere the rounding of 256 additions.
        #expect(abs(power[9] - 16_384) < 0.1 && power.enumerated().allSatisfy { $0 == 9 || $1 < 1e-4 })
    }

    @Test func `A size that is not a power of two is refused with advice`() {
        for size in [0, 2, 3, 100, -8, 1 << 25] {
            #expect(throws: SpectralError.unsupportedSize(size)) { _ = try RealFFT(size: size) }
        }
        #expect(SpectralError.unsupportedSize(100).message.contains("power of two"))
    }

    @Test func `Transforming makes no heap call`() throws {
        var fft = try RealFFT(size: 1_024)
        var own = SplitFFT(size: 1_024)
        fft.samples[3] = 1
        allocation_probe_reset()
        for _ in 0..<1_000 {
            fft.forward()
            fft.inverse()
        }
        own.forward(fft.samples, into: fft.spectrum)
        let calls = allocation_probe_count()
        allocation_probe_reset()
        let control = [Float](repeating: 0, count: Int.random(in: 9...10))
        let seen = allocation_probe_count()
        #expect(calls <= 0 && (seen > 0 || seen == -1) && !control.isEmpty)
    }
}
