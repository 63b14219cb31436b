// Runs in a package of its own (see importer.sh). `import WellTempered` and nothing else: what is named here must come
// through that one door.
import WellTempered

/// A sawtooth of 110 Hz by its first ten partials, without a library for the sine: a rotating complex number.
func tone(_ frequency: Double, sampleRate: Double, count: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: count)
    for partial in 1...10 {
        // e^{iφ} by its series: φ is small, and twenty terms are exact to the last digit.
        let angle = 2 * Double.pi * frequency * Double(partial) / sampleRate
        var (step, term) = (SIMD2(0.0, 0.0), SIMD2(1.0, 0.0))
        for k in 1...20 {
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

/// The tuner: what it makes of an A.
func tuned() throws -> (Note, Cents) {
    var tuner = try TunerEngine(sampleRate: 48.0.kilohertz)
    tuner.process(tone(110, sampleRate: 48_000, count: 48_000).span)
    var last: PitchReading?
    while let reading = tuner.nextReading() { if reading.state == .voiced { last = reading } }
    guard let last, let (note, deviation) = ReferencePitch.standard.nearestNote(to: last.frequency) else {
        fail("no pitch")
    }
    guard note.description == "A2", abs(deviation.value) < 0.5 else { fail("\(note) \(deviation.value), not A2 0") }
    return (note, deviation)
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

/// The parts below: the spectrum of an impulse is white, at a size that is not a power of two.
func transformed() throws {
    var transform = try RealFFT(size: 480)
    let impulse: [Float] = [1] + [Float](repeating: 0, count: 479)
    var spectrum = [SIMD2<Float>](repeating: .zero, count: transform.binCount)
    var bins = spectrum.mutableSpan
    transform.forward(impulse.span, into: &bins)
    guard spectrum.allSatisfy({ abs($0.x - 1) < 1e-6 && abs($0.y) < 1e-6 }) else { fail("not white") }
}

let (note, deviation) = try tuned()
try transformed()
print("\(note) \((deviation.value * 100).rounded() / 100) cents, beats at \(try beats())")
