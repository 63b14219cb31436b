@_spi(Measurement) import Pitch
import WellTempered

extension Kernel {
    /// By itself, with as many partials as a low note has.
    static var fit: Kernel {
        Kernel("one step of the harmonic fit", per: "20 partials", units: 1_000) {
            let step = Box(
                FitStep(fundamental: 2 * .pi * 110 / 48_000, timesAsHigh: 1.0001, partials: 20, length: 4_096))
            return { for _ in 0..<$0 { blackHole(step.value.solve()) } }
        }
    }

    /// Whole tracker, per hop of 256 samples at 48 kHz: what the live tuner runs.
    static var tuner: [Kernel] {
        [
            tracking("tracker: silence, waiting for an onset") { [Float](repeating: 0, count: 48_000) },
            // Two seconds are whole periods and 375 whole hops: they go round without a seam.
            tracking("tracker: a held A2") { TestTone(frequency: 110).block(96_000) },
            tracking("tracker: a new note every 0.1 s") {
                [82, 110, 147, 196, 247, 330, 440, 587, 784, 988].flatMap { note in
                    TestTone(frequency: Double(note)).block(4_320, after: 480)
                }
            },
            tracking("tracker: a new note every 0.5 s") {
                [41, 82, 147, 247, 440, 880].flatMap { note in
                    TestTone(frequency: Double(note)).block(23_520, after: 480)
                }
            },
        ]
    }

    private static func tracking(_ name: String, _ sound: @escaping @Sendable () -> [Float]) -> Kernel {
        Kernel(name, per: "hop of 256", units: 600) {
            let engine = Box(try TunerEngine(sampleRate: 48.0.kilohertz))
            let samples = sound()
            let blocks = samples.count / 256
            let position = Box(0)
            return { count in
                for _ in 0..<count {
                    let start = 256 * (position.value % blocks)
                    engine.value.process(samples.span.extracting(start..<(start + 256)))
                    while let reading = engine.value.nextReading() { blackHole(reading.frequency.value) }
                    position.value += 1
                }
            }
        }
    }
}

/// Takes a value that the optimizer has to make.
@inline(never) @_optimize(none) public func blackHole(_ value: Double) {}
