import Music
import Rhythm
import Synthesis
import TestSignals
import Testing
import Timebase

@Suite struct SpokenWordsTests {
    private let rate = 44_100

    /// Words at given instants between two samples, as `ClickTrack` plays them, over white noise.
    private func recording(_ instants: [Double], noise: Float, seed: UInt64) -> [Float] {
        let count = ClickSound.recorded(.englishCount(sampleRate: rate.hertz))
        var track = ClickTrack(bank: ClickBank(sounds: [count], sampleRate: rate.hertz), sampleRate: rate.hertz)
        var samples = [Float](repeating: 0, count: Int(instants.last ?? 0) + rate)
        var frames = samples.mutableSpan
        var position = 0
        for (number, instant) in instants.enumerated() {
            let frame = Int(instant.rounded())
            let begin = max(position, frame - track.leadFrames)
            track.render(into: &frames, from: position, to: begin)
            track.strike(
                layer: 0, level: number % 4 == 0 ? .accent : .normal, gain: 1, fraction: instant - Double(frame),
                ahead: frame - begin, word: CountWord(named: "\(number % 16 + 1)"))
            position = begin
        }
        track.render(into: &frames, from: position, to: frames.count)
        var random = SeededGenerator(seed: seed)
        return samples.map { $0 + noise * Float.random(in: -1...1, using: &random) }
    }

    private func found(in samples: [Float]) throws -> [RecordedClicks.Click] {
        var words = try SpokenWords(of: .englishCount(sampleRate: rate.hertz), sampleRate: rate.hertz)
        var first = 0
        while first < samples.count {
            let block = Array(samples[first..<min(first + 10_000, samples.count)])
            words.process(block.span)
            first += block.count
        }
        words.finish()
        return words.found
    }

    @Test(arguments: [(0.6, Float(0), 0.1), (0.25, 0, 0.1), (0.6, 0.02, 2), (0.25, 0.02, 2)])
    func `Each word is found at its instant, at slow and fast tempi and in hiss`(
        interval: Double, noise: Float, tolerance: Double
    ) throws {
        let instants = (0..<40).map { 20_000.37 + Double($0) * interval * Double(rate) * 1.000_1 }
        let words = try found(in: recording(instants, noise: noise, seed: 3))
        #expect(words.count == instants.count)
        let errors = zip(words, instants).map { $0.position - $1 }
        let worst = errors.map(abs).max() ?? .infinity
        print("\(interval) s, noise \(noise): \(words.count) words, at most \(worst) samples off")
        // Samples: 0.1 is 2 µs, and 2 is 45 µs in hiss 30 dB below the words.
        #expect(worst < tolerance)
        let told = words.map(\.standardError).max() ?? 0
        #expect(told < max(tolerance, 1))
    }

    @Test func `The first word is found where the recording begins at its instant, and is compared with none`() throws {
        let instants = (0..<12).map { Double($0) * 0.5 * Double(rate) }
        let words = try found(in: recording(instants, noise: 0, seed: 5))
        #expect(words.count == 12 && words.map(\.kind) == [nil] + [Int?](repeating: 0, count: 11), "\(words)")
        // A millisecond: the vowel swells without its consonant.
        #expect(abs(words[0].position) < 0.001 * Double(rate), "\(words[0])")
    }

    @Test func `Clicks and noise are no words`() throws {
        var random = SeededGenerator(seed: 4)
        let noise = (0..<200_000).map { _ in Float.random(in: -0.3...0.3, using: &random) }
        #expect(try found(in: noise).isEmpty)
        for voice in [ClickVoice.woodBlock, .tom, .triangle, .soft] {
            var track = ClickTrack(sounds: [.voice(voice)], sampleRate: rate.hertz)
            var samples = [Float](repeating: 0, count: 200_000)
            var frames = samples.mutableSpan
            for start in stride(from: 0, to: 200_000, by: 20_000) {
                track.strike(layer: 0, level: .accent, gain: 1, fraction: 0)
                track.render(into: &frames, from: start, to: start + 20_000)
            }
            #expect(samples.contains { abs($0) > 0.5 })
            #expect(try found(in: samples).isEmpty, "\(voice.name)")
        }
    }
}
