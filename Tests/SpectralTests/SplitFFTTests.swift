import CAllocationProbe
@_spi(Measurement) import Spectral
import Testing
import TestSignals

private func isSupported(_ size: Int) -> Bool {
    do {
        _ = try RealFFT(withoutLibrary: size)
        return true
    } catch { return false }
}

@Suite struct SplitFFTTests {
    /// Every size with a transform, shortest first: all that fit into a second of a debug build, and one of each kind.
    private static let sizes: [Int] =
        (1...200).map { 4 * $0 }.filter(isSupported) + [1_000, 1_024, 1_536, 2_000]

    // Rounding: each of log2 N passes adds an independent relative error near 6e-8 / √3 to the rms, hence about
    // 1.2e-7 at 1,024 and 2e-7 at 65,536; one wrong factor or sign anywhere gives 1e-3 or more.
    private let tolerance = 4e-7

    @Test func `Every size agrees with the definition and comes back`() throws {
        #expect(Self.sizes.count == 39)
        for size in Self.sizes {
            var generator = SeededGenerator(seed: UInt64(size))
            let noise = whiteNoise(count: size, rms: 1, using: &generator)
            var fft = try RealFFT(withoutLibrary: size)
            for n in noise.indices { fft.samples[n] = noise[n] }
            fft.forward()
            #expect(relativeError(of: fft.spectrum, to: directTransform(noise)) < tolerance, "forward, size \(size)")
            #expect(fft.spectrum[0].y == 0 && fft.spectrum[size / 2].y == 0, "real ends, size \(size)")
            #expect(noise.indices.allSatisfy { fft.samples[$0] == noise[$0] }, "input untouched, size \(size)")
            fft.inverse()
            #expect(relativeError(of: fft.samples, to: noise, scale: Double(size)) < tolerance, "back, size \(size)")
        }
    }

    @Test(arguments: [1_024, 2_048, 4_096, 4_800, 8_192, 16_384, 65_536])
    func `It agrees with the transform behind RealFFT`(size: Int) throws {
        // With the trait FFTW that is FFTW; without it the comparison is with itself and proves the wiring.
        var generator = SeededGenerator(seed: UInt64(size))
        var own = try RealFFT(withoutLibrary: size)
        var other = try RealFFT(size: size)
        let noise = whiteNoise(count: size, rms: 0.3, using: &generator)
        for n in noise.indices { (own.samples[n], other.samples[n]) = (noise[n], noise[n]) }
        own.forward()
        other.forward()
        let truth = other.spectrum.map { SIMD2<Double>($0) }
        #expect(truth.contains { abs($0.x) > 1 })
        #expect(relativeError(of: own.spectrum, to: truth) < 1e-6)
        own.inverse()
        other.inverse()
        #expect(relativeError(of: own.samples, to: Array(other.samples), scale: 1) < 1e-6)
    }

    @Test func `A spectrum made by hand, with ends that are not real, comes back as the inverse says`() throws {
        var fft = try RealFFT(withoutLibrary: 64)
        fft.spectrum[0] = SIMD2(3, 5)
        fft.spectrum[32] = SIMD2(-2, 7)
        fft.inverse()
        #expect((0..<64).allSatisfy { fft.samples[$0] == ($0 % 2 == 0 ? 1 : 5) })
    }

    @Test func `Only multiples of eight without large primes are supported, and four`() {
        let supported = (0...100).filter(isSupported)
        #expect(supported == [4, 8, 16, 24, 32, 40, 48, 64, 72, 80, 96])
        #expect(isSupported(1 << 24) && !isSupported(1 << 25) && !isSupported(-8))
    }

    @Test func `Transforming makes no heap call`() throws {
        var fft = try RealFFT(withoutLibrary: 960)
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
