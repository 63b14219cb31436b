// Built in a package of its own by importer.sh. It imports WellTempered and nothing else, so every name used here must be
// part of that product.
import WellTempered

/// A sawtooth by its first ten partials below the Nyquist frequency. A rotating complex number replaces the sine of a
/// library.
func tone(_ frequency: Double, sampleRate: Double, count: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: count)
    for partial in 1...10 where frequency * Double(partial) < 0.45 * sampleRate {
        // e^{iφ} by its series: φ is below 2.9, where forty terms are exact to the last digit.
        let angle = 2 * Double.pi * frequency * Double(partial) / sampleRate
        var (step, term) = (SIMD2(0.0, 0.0), SIMD2(1.0, 0.0))
        for k in 1...40 {
            step += term
            term = SIMD2(-term.y, term.x) * (angle / Double(k))
        }
        var rotor = SIMD2(0.0, 1.0)
        for n in samples.indices {
            samples[n] += Float(0.2 * rotor.x / Double(partial))
            rotor = SIMD2(rotor.x * step.x - rotor.y * step.y, rotor.x * step.y + rotor.y * step.x)
        }
    }
    return samples
}

func fail(_ what: String) -> Never { fatalError("importer: \(what)") }

/// The tuner: what it makes of an A in every octave of the piano. Whichever transform is behind it, the tone is exact, so
/// that a hundredth of a cent is far more than rounding.
func tuned() throws -> (Note, Cents) {
    var result: (Note, Cents)?
    for (octave, frequency) in [27.5, 55, 110, 220, 440, 880, 1_760, 3_520].enumerated() {
        var tuner = try TunerEngine(sampleRate: 48.0.kilohertz)
        tuner.process(tone(frequency, sampleRate: 48_000, count: 48_000).span)
        var last: PitchReading?
        while let reading = tuner.nextReading() { if reading.state == .voiced { last = reading } }
        guard let last, let (note, deviation) = ReferencePitch.standard.nearestNote(to: last.frequency) else {
            fail("no pitch at \(frequency) Hz")
        }
        guard note.description == "A\(octave)", abs(deviation.value) < 0.01 else {
            fail("\(note) \(deviation.value), not A\(octave) 0")
        }
        if octave == 2 { result = (note, deviation) }
    }
    guard let result else { fail("no A2") }
    return result
}

/// The metronome: where its beats lie.
func beats() throws -> [Int64] {
    let plan = try PracticePlan(tempo: try Tempo(120), accents: .every(4))
    var metronome = try Metronome(plan, sampleRate: 48.0.kilohertz)
    var sound = [Float](repeating: 0, count: 96_000)
    var frames = sound.mutableSpan
    metronome.engine.render(into: &frames)
    var at: [Int64] = []
    while let event = metronome.events.pop() { at.append(event.frame) }
    guard at == [0, 24_000, 48_000, 72_000], sound.contains(where: { abs($0) > 0.1 }) else { fail("beats at \(at)") }
    return at
}

/// The parts below: a shifted impulse has the spectrum e^{-2πikm/N}, whose bins are each the one before, turned; and comes
/// back times N. At sizes of every kind: powers of two, with factors 3 and 5, and the smallest.
func transformed() throws {
    for size in [4, 8, 480, 1_000, 1_024, 6_000, 65_536] {
        var transform = try RealFFT(size: size)
        var impulse = [Float](repeating: 0, count: size)
        impulse[1] = 1
        var spectrum = [SIMD2<Float>](repeating: .zero, count: transform.binCount)
        var bins = spectrum.mutableSpan
        transform.forward(impulse.span, into: &bins)
        // Quarter points are exact: 1, -i, -1.
        let (first, quarter, last) = (spectrum[0], spectrum[size / 4], spectrum[size / 2])
        guard abs(first.x - 1) < 1e-6, abs(quarter.y + 1) < 1e-6, abs(last.x + 1) < 1e-6,
            spectrum.allSatisfy({ abs($0.x * $0.x + $0.y * $0.y - 1) < 1e-5 })
        else { fail("the spectrum of an impulse, size \(size)") }
        var back = [Float](repeating: 0, count: size)
        var samples = back.mutableSpan
        transform.inverse(spectrum.span, into: &samples)
        guard back.indices.allSatisfy({ abs(back[$0] / Float(size) - impulse[$0]) < 1e-6 }) else {
            fail("there and back, size \(size)")
        }
    }
}

let (note, deviation) = try tuned()
try transformed()
print("\(note) \((deviation.value * 100).rounded() / 100) cents, beats at \(try beats())")
