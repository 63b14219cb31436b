import WellTempered

extension Kernel {
    /// Where RealFFT is FFTW's, its own transform stands beside it.
    public static let transformSizes = [1_024, 4_096, 16_384]

    static var transforms: [Kernel] {
        let pairs = transformSizes.flatMap { size in
            [
                Kernel("FFT \(size), FFTW", per: "transform", units: 65_536 / size) {
                    let fft = Box(try RealFFT(size: size))
                    fill(fft.value.samples)
                    return { for _ in 0..<$0 { fft.value.forward() } }
                },
                Kernel("FFT \(size), own", per: "transform", units: 65_536 / size) {
                    let fft = Box(SplitFFT(size: size))
                    fill(fft.value.samples)
                    return { for _ in 0..<$0 { fft.value.forward() } }
                },
            ]
        }
        return pairs + [
            Kernel("normalised difference, 4096 samples", per: "window", units: 8) {
                let difference = Box(try NormalizedDifference(longestWindow: 4_096, longestLag: 2_000))
                let window = Box(TestTone(frequency: 82).block(4_096))
                return { count in
                    for _ in 0..<count {
                        window.value.withUnsafeMutableBufferPointer { difference.value.measure($0, lags: 2_000) }
                    }
                }
            }
        ]
    }
}

private func fill(_ samples: UnsafeMutableBufferPointer<Float>) {
    var source = SeededNumbers(seed: 3)
    for n in samples.indices { samples[n] = Float(source.uniform(-1, 1)) }
}
