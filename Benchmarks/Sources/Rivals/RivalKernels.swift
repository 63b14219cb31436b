import Kernels

extension Kernel {
    /// Kernels of the installed rivals, on the same input as ours.
    public static var rivals: [Kernel] { aubio + lingot }

    private static var lingot: [Kernel] {
        guard Lingot.isInstalled else { return [] }
        return Lingot.transforms.map { transform in
            Kernel(Lingot.name(transform) + ", 14400 samples", per: "hop of 256", units: 100) {
                let lingot = Lingot(hop: 256, rate: 48_000, transform: transform)
                let samples = TestTone(frequency: 110).block(48_000)
                let position = Box(0)
                return { count in
                    samples.withUnsafeBufferPointer { samples in
                        for _ in 0..<count {
                            let start = 256 * (position.value % (samples.count / 256))
                            let block = UnsafeBufferPointer(rebasing: samples[start..<(start + 256)])
                            blackHole(lingot?.process(block) ?? 0)
                            position.value += 1
                        }
                    }
                }
            }
        }
    }

    private static var aubio: [Kernel] {
        Aubio.settings(Aubio.windows).map { method, window in
            Kernel("aubio \(method), \(window) samples", per: "hop of 256", units: 100) {
                let aubio = Aubio(method, window: window, hop: 256, rate: 48_000)
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
