import CAllocationProbe
import Foundation
import Spectral
import Testing
import TestSignals

@Suite struct RealFFTTests {
    @Test(arguments: [4, 8, 16, 48, 64, 80, 128, 480, 512, 2_048])
    func `The transform agrees with its definition and comes back`(size: Int) throws {
        var generator = SeededGenerator(seed: UInt64(size))
        let noise = whiteNoise(count: size, rms: 1, using: &generator)
        let truth = directTransform(noise)
        #expect(truth.contains { abs($0.x) > 0.1 })
        var fft = try RealFFT(size: size)
        for n in noise.indices { fft.samples[n] = noise[n] }
        fft.forward()
        #expect(relativeError(of: fft.spectrum, to: truth) < 1e-6)
        fft.inverse()
        #expect(relativeError(of: fft.samples, to: noise, scale: Double(size)) < 1e-6)
    }

    @Test func `Spans that the caller owns give the same bins and samples`() throws {
        var generator = SeededGenerator(seed: 7)
        let noise = whiteNoise(count: 480, rms: 1, using: &generator)
        var fft = try RealFFT(size: 480)
        var spectrum = [SIMD2<Float>](repeating: .zero, count: fft.binCount)
        var bins = spectrum.mutableSpan
        fft.forward(noise.span, into: &bins)
        #expect(spectrum.elementsEqual(fft.spectrum) && spectrum.contains { abs($0.x) > 0.1 })
        var back = [Float](repeating: 0, count: 480)
        var samples = back.mutableSpan
        fft.inverse(spectrum.span, into: &samples)
        // Rounding of two transforms of nine passes.
        #expect(zip(back, noise).allSatisfy { abs($0 / 480 - $1) < 1e-5 })
    }

    @Test func `A sine at a bin's centre lands in that bin alone`() throws {
        var fft = try RealFFT(size: 256)
        for n in 0..<256 { fft.samples[n] = Float(cos(2 * .pi * 9 * Double(n) / 256)) }
        fft.forward()
        let power = (0..<fft.binCount).map { fft.spectrum[$0].x * fft.spectrum[$0].x }
        // 128² in bin 9; elsewhere the rounding of 256 additions.
        #expect(abs(power[9] - 16_384) < 0.1 && power.enumerated().allSatisfy { $0 == 9 || $1 < 1e-4 })
    }

    @Test func `A size that no transform of ours has is refused with advice, whichever library is linked`() {
        for size in [0, 2, 3, 12, 56, 100, -8, 1 << 25] {
            #expect(throws: SpectralError.unsupportedSize(size)) { _ = try RealFFT(size: size) }
        }
        #expect(SpectralError.unsupportedSize(100).remedy.contains("power of two"))
    }

    @Test func `Transforming makes no heap call`() throws {
        var fft = try RealFFT(size: 1_024)
        fft.samples[3] = 1
        allocation_probe_reset()
        for _ in 0..<1_000 {
            fft.forward()
            fft.inverse()
        }
        let calls = allocation_probe_count()
        allocation_probe_reset()
        let control = [Float](repeating: 0, count: Int.random(in: 9...10))
        let seen = allocation_probe_count()
        #expect(calls <= 0 && (seen > 0 || seen == -1) && !control.isEmpty)
    }
}
