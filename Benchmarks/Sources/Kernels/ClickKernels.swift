import WellTempered

extension Kernel {
    static var clicks: [Kernel] {
        [
            clicking("clicks: 120 per minute", 120, parts: 1),
            clicking("clicks: sixteenths at 300 per minute", 300, parts: 4),
        ]
    }

    static var rings: [Kernel] {
        [
            Kernel("ring: 256 samples in and out", per: "block", units: 1_000) {
                let ring = SPSCRing<Float>(minimumCapacity: 4_096, filler: 0)
                let (input, output) = (Box(ring.producer), Box(ring.consumer))
                let block = Box([Float](repeating: 0.5, count: 256))
                return { count in
                    for _ in 0..<count {
                        _ = input.value.write(block.value.span)
                        var span = block.value.mutableSpan
                        _ = output.value.read(into: &span)
                    }
                }
            }
        ]
    }

    private static func clicking(_ name: String, _ tempo: Int64, parts: Int) -> Kernel {
        Kernel(name, per: "256 frames", units: 2_000) {
            let plan = try PracticePlan(tempo: Tempo(tempo), subdivision: Subdivision(parts))
            let metronome = Box(try Metronome(plan, sampleRate: 48.kilohertz, eventCapacity: 1_024))
            let block = Box([Float](repeating: 0, count: 256))
            return { count in
                for _ in 0..<count {
                    var span = block.value.mutableSpan
                    metronome.value.engine.render(into: &span)
                    while let beat = metronome.value.events.pop() { blackHole(beat.tempo) }
                }
            }
        }
    }
}
