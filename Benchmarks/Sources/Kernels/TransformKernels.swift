@_spi(Measurement) import Spectral
import Figures
import WellTempered

extension Kernel {
    /// Where RealFFT is FFTW's, its own transform stands beside it.
    public static let transformSizes = [1_024, 4_096, 16_384]

    static var transforms: [Kernel] {
        let pairs = transformSizes.flatMap { size in
            [
                Kernel("FFT \(size), FFTW", per: "transform", units: 65_536 / size) {
                    let fft = Box(try RealFFT(size: size))
                    transformNoise(by: &fft.value)
                    return { for _ in 0..<$0 { fft.value.forwardAgain() } }
                },
                Kernel("FFT \(size), own", per: "transform", units: 65_536 / size) {
                    let fft = Box(try RealFFT(withoutLibrary: size))
                    transformNoise(by: &fft.value)
                    return { for _ in 0..<$0 { fft.value.forwardAgain() } }
                },
            ]
        }
        return pairs + [
            Kernel("normalised difference, 4096 samples", per: "window", units: 8) {
                let difference = Box(
                    try DifferenceMeasurement(TestTone(frequency: 82).block(4_096), longestLag: 2_000))
                return { for _ in 0..<$0 { difference.value.measure() } }
            }
        ]
    }
}

private func transformNoise(by fft: inout RealFFT) {
    var source = SeededNumbers(seed: 3)
    let noise = (0..<fft.size).map { _ in Float(source.uniform(-1, 1)) }
    var bins = [SIMD2<Float>](repeating: .zero, count: fft.binCount)
    var span = bins.mutableSpan
    fft.forward(noise.span, into: &span)
}
