import Kernels

extension Kernel {
    /// aubio's detectors at work on what ours are given, or none without the library.
    public static var rivals: [Kernel] {
        guard Aubio.isInstalled else { return [] }
        return Aubio.methods.map { method in
            Kernel("aubio \(method), 4,096 samples", per: "hop of 256", units: 600) {
                let aubio = Aubio(method, window: 4_096, hop: 256, rate: 48_000)
                let samples = TestTone(frequency: 110).block(48_000)
                let position = Box(0)
                return { count in
                    samples.withUnsafeBufferPointer { samples in
                        for _ in 0..<count {
                            let start = 256 * (position.value % (samples.count / 256))
                            let block = UnsafeBufferPointer(rebasing: samples[start..<(start + 256)])
                            blackHole(aubio?.process(block) ?? 0)
                            position.value += 1
                        }
                    }
                }
            }
        }
    }
}
