import Music
import Rhythm
import Synthesis
import TestSignals
import Testing
import Timebase

@Suite struct ClickListenerTests {
    /// What a track renders of clicks at these instants, in samples, and noise.
    private func render(
        _ places: [Double], _ sound: ClickSound, level: (Int) -> AccentLevel = { _ in .normal }, gain: Float = 1,
        noise: Float = 0, seed: UInt64 = 1
    ) -> [Float] {
        var track = ClickTrack(bank: ClickBank(sounds: [sound], sampleRate: 48.kilohertz), sampleRate: 48.kilohertz)
        var samples = [Float](repeating: 0, count: Int((places.last ?? 0) + 24_000))
        var span = samples.mutableSpan
        var at = 0
        for (index, place) in places.enumerated() {
            let frame = Int(place.rounded())
            track.render(into: &span, from: at, to: frame)
            track.strike(layer: 0, level: level(index), gain: gain, fraction: place - Double(frame))
            at = frame
        }
        track.render(into: &span, from: at, to: span.count)
        guard noise > 0 else { return samples }
        var random = SeededGenerator(seed: seed)
        return zip(samples, whiteNoise(count: samples.count, rms: Double(noise), using: &random)).map { $0 + $1 }
    }

    private func hear(
        _ samples: [Float], knowing sounds: [ClickSound], block: Int = 4_096
    ) -> [ClickListener.Click] {
        var listener = ClickListener(sampleRate: 48.0.kilohertz, knowing: sounds)
        var found: [ClickListener.Click] = []
        for start in stride(from: 0, to: samples.count, by: block) {
            found += listener.process(Array(samples[start..<min(samples.count, start + block)]).span)
        }
        return found + listener.finish()
    }

    private static let voices = ClickVoice.all.map(ClickSound.voice)
    private static let wood: [ClickSound] = [.voice(.woodBlock)]

    /// Instants 0.2 to 0.6 s apart, anywhere between the samples.
    private func places(_ count: Int, seed: UInt64) -> [Double] {
        var random = SeededGenerator(seed: seed)
        var at = 3_000.0
        return (0..<count).map { _ in
            at += Double.random(in: 9_600...28_800, using: &random)
            return at
        }
    }

    /// A click of ours is placed by its own waveform. What is left is the interpolation between samples, and the tail of
    /// the click before.
    @Test(arguments: ClickVoice.all)
    func `Our own clicks are placed at the instant that was meant, at every level`(voice: ClickVoice) throws {
        let instants = places(48, seed: 21)
        let levels: [AccentLevel] = [.accent, .normal, .medium, .normal]
        let samples = render(instants, .voice(voice), level: { levels[$0 % 4] }, gain: 0.5)
        let found = hear(samples, knowing: Self.voices)
        try #require(found.count == 48, "\(found.count) of 48 clicks")
        let worst = zip(found, instants).map { abs($0.position - $1) }.max() ?? 1
        print("\(voice.name): worst \(worst) samples, likeness from \(found.map(\.likeness).min() ?? 0)")
        #expect(found.allSatisfy { $0.isOurs && $0.peak > 0.01 })
        // 2 µs.
        #expect(worst < 0.1)
    }

    /// White noise 40 dB below the peak, as in a room: the scatter of a matched filter.
    @Test func `Noise moves our clicks by a fraction of a sample, and adds none`() throws {
        let instants = places(48, seed: 22)
        let samples = render(instants, .voice(.woodBlock), gain: 0.5, noise: 0.002)
        let found = hear(samples, knowing: [.voice(.woodBlock)])
        try #require(found.count == 48, "\(found.count) of 48 clicks")
        let worst = zip(found, instants).map { abs($0.position - $1) }.max() ?? 1
        print("noise of 0.002: worst \(worst) samples")
        #expect(worst < 0.5)
    }

    /// Nobody knows the sound: the first click is placed by its first sample that stands out, all others are laid over it.
    @Test func `Foreign clicks are as exact from one to the next`() throws {
        let instants = places(48, seed: 23)
        let samples = render(instants, .voice(.clave), gain: 0.3)
        let found = hear(samples, knowing: [])
        try #require(found.count == 48, "\(found.count) of 48 clicks")
        let errors = zip(found, instants).map { $0.position - $1 }
        let mean = errors.reduce(0, +) / 48
        let worst = errors.dropFirst().map { abs($0 - mean) }.max() ?? 1
        print("foreign: \(mean) samples late, worst \(worst) about that")
        #expect(found.allSatisfy { !$0.isOurs })
        // The template lies between samples itself, and is laid over others that do.
        #expect(worst < 0.2)
        // The blow's first sample that stands out: within a millisecond of its instant.
        #expect(mean > 0 && mean < 48)
    }

    @Test func `Clicks left out are missing, clicks put in are heard, and nothing else is`() throws {
        let due = (0..<100).map { 5_000 + 9_600 * Double($0) }
        var random = SeededGenerator(seed: 24)
        let left = due.indices.filter { ![13, 14, 60].contains($0) }.map { due[$0] }
        let put = [due[7] + 4_800, due[80] + 3_000]
        let all = (left + put).sorted().map { $0 + 10 * Double.random(in: -1...1, using: &random) }
        let found = hear(render(all, .voice(.soft)), knowing: [.voice(.soft)])
        try #require(found.count == 99)
        #expect(zip(found, all).allSatisfy { abs($0.position - $1) < 0.1 })
    }

    @Test func `Silence, a hum, a steady tone and noise hold no clicks`() {
        var random = SeededGenerator(seed: 25)
        #expect(hear([Float](repeating: 0, count: 48_000), knowing: Self.wood).isEmpty)
        #expect(hear([Float](repeating: 0.5, count: 48_000), knowing: Self.wood).isEmpty)
        #expect(hear(sine(frequency: 50, sampleRate: 48_000, count: 48_000), knowing: Self.wood).isEmpty)
        #expect(hear(sine(frequency: 997, sampleRate: 48_000, count: 48_000), knowing: Self.wood).isEmpty)
        #expect(hear(whiteNoise(count: 48_000, rms: 0.1, using: &random), knowing: Self.wood).isEmpty)
        #expect(hear([.nan, .infinity, 1], knowing: []).count <= 1)
        #expect(hear([], knowing: []).isEmpty)
    }

    @Test(arguments: [1, 61, 100_000])
    func `The size of the blocks makes no difference`(block: Int) {
        let samples = render(places(5, seed: 26), .voice(.beep))
        #expect(hear(samples, knowing: Self.wood, block: block) == hear(samples, knowing: Self.wood, block: 1_000))
    }
}
