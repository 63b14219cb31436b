import Foundation
import Music
import Synthesis
import TestSignals
import Testing
import Timebase

/// The spoken count, its words and their instants.
@Suite struct SpokenCountTests {
    private let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/C/CSpokenCount/")

    private func words(_ sampleRate: Int) -> [RecordedClick.Word] {
        RecordedClick.englishCount(sampleRate: sampleRate.hertz).words.compactMap { $0 }
    }

    @Test func `The words are those of the sound file in the repository, to the bit`() throws {
        let file = try Data(contentsOf: source.appending(path: "english.wav"))
        #expect(file.prefix(4) == Data("RIFF".utf8) && file[36..<40] == Data("data".utf8))
        let samples = stride(from: 44, to: file.count, by: 2).map {
            Float(Int16(truncatingIfNeeded: Int(file[$0]) | Int(file[$0 + 1]) << 8)) / 32_768
        }
        let words = words(16_000)
        #expect(words.count == CountWord.names.count && words.count == 21)
        // The bytes count in the library and in the commands.
        #expect(file.count < 300_000)
        var first = 0
        for word in words {
            #expect(word.samples == Array(samples[first..<(first + word.samples.count)]))
            #expect(word.samples.contains { abs($0) > 0.3 })
            first += word.samples.count
        }
        #expect(first == samples.count)
    }

    /// The level between 300 and 3000 Hz, and where it first comes within 6 dB of its maximum: what packaging/spoken-count.py
    /// measures at 16 kHz, by a sum of sines instead of its filters.
    private func vowelOnset(of samples: [Float], sampleRate: Int) -> Int {
        let width = sampleRate / 100
        // A band-pass of 6.7 ms: the difference of two windowed sincs.
        let half = sampleRate / 300
        let kernel = (-half...half).map { n -> Double in
            let window = 0.5 + 0.5 * cos(.pi * Double(n) / Double(half + 1))
            func low(_ frequency: Double) -> Double {
                let share = 2 * frequency / Double(sampleRate)
                return n == 0 ? share : sin(.pi * share * Double(n)) / (.pi * Double(n))
            }
            return window * (low(3_000) - low(300))
        }
        let padded = [Float](repeating: 0, count: half) + samples + [Float](repeating: 0, count: half)
        let band = samples.indices.map { n in
            kernel.indices.reduce(0.0) { $0 + kernel[$1] * Double(padded[n + $1]) }
        }
        let energy = band.indices.map { n in
            (-width / 2...width / 2).reduce(0.0) { sum, k in
                guard band.indices.contains(n + k) else { return sum }
                return sum + (0.5 + 0.5 * cos(2 * .pi * Double(k) / Double(width + 2))) * band[n + k] * band[n + k]
            }
        }
        let loudest = energy.max() ?? 0
        return energy.firstIndex { $0 >= loudest / 4 } ?? 0
    }

    @Test func `The instant of each word is its vowel onset, measured with another filter`() {
        for (name, word) in zip(CountWord.names, words(16_000)) {
            let found = vowelOnset(of: word.samples, sampleRate: 16_000)
            let error = 1_000 * Double(found - word.instant) / 16_000
            let before = 1_000 * Double(word.instant) / 16_000
            let length = 1_000 * Double(word.samples.count) / 16_000
            print("\(name): \(before) ms before its instant, \(length) ms, measured again \(error) ms later")
            // The slopes of the filters differ at 300 Hz, where voices have much of their energy.
            #expect(abs(error) <= 8)
            // What comes before is a consonant, and a word is over within three tenths of a second.
            #expect(before >= 10 && before <= 70 && length >= 130 && length <= 305)
        }
    }

    @Test(arguments: [44_100, 48_000, 88_200, 96_000, 192_000, 22_050, 32_000])
    func `The instant lies on a whole sample at every rate`(rate: Int) {
        // Wherever samples of both rates coincide, they are compared, and with their neighbours.
        let divisor = [44_100: 100, 88_200: 200, 22_050: 50][rate] ?? 16_000
        let (from, to) = (16_000 / divisor, rate / divisor)
        var errors = [0.0, 0, 0]
        var power = 0.0
        for (word, other) in zip(words(16_000), words(rate)) {
            for step in -20...40 where word.samples.indices.contains(word.instant + step * from) {
                let own = Double(word.samples[word.instant + step * from])
                power += own * own
                for shift in -1...1 {
                    let place = other.instant + step * to + shift
                    let found = other.samples.indices.contains(place) ? Double(other.samples[place]) : 0
                    errors[shift + 1] += (found - own) * (found - own)
                }
            }
        }
        #expect(power > 1)
        // The converter cuts the band 4 % below half of the lower rate; the words have 30 dB less there.
        #expect(errors[1] < 0.003 * power, "\(errors) of \(power)")
        #expect(errors[1] < 0.2 * errors[0] && errors[1] < 0.2 * errors[2], "\(errors) of \(power)")
    }

    @Test func `Words are as loud as each other, and as clicks are high`() {
        let rate = 48_000
        let bank = ClickBank(sounds: [.recorded(.englishCount(sampleRate: rate.hertz))], sampleRate: rate.hertz)
        var track = ClickTrack(bank: bank, sampleRate: rate.hertz)
        var (loudest, softest, peak) = (0.0, 1.0, Float(0))
        for name in CountWord.names {
            var samples = [Float](repeating: 0, count: 20_000)
            var frames = samples.mutableSpan
            track.reset()
            track.strike(
                layer: 0, level: .accent, gain: 1, fraction: 0, ahead: 4_800, word: CountWord(named: name))
            track.render(into: &frames, from: 0, to: 20_000)
            peak = max(peak, samples.reduce(0) { max($0, abs($1)) })
            let squares = stride(from: 0, to: 17_600, by: 240).map { first in
                samples[first..<(first + 2_400)].reduce(0.0) { $0 + Double($1) * Double($1) } / 2_400
            }
            let level = (squares.max() ?? 0).squareRoot()
            (loudest, softest) = (max(loudest, level), min(softest, level))
        }
        print("peak \(peak), loudest tenths of a second \(softest) to \(loudest)")
        // -5 dBFS, and 1.5 dB between the words.
        #expect(peak > 0.52 && peak <= 0.5625)
        #expect(softest > 0.2 && 20 * log10(loudest / softest) < 1.5, "\(softest) to \(loudest)")
    }

    @Test func `A word whose beginning is missing fades in, and one that is followed by another fades out`() throws {
        let rate = 48_000
        let bank = ClickBank(sounds: [.recorded(.englishCount(sampleRate: rate.hertz))], sampleRate: rate.hertz)
        var track = ClickTrack(bank: bank, sampleRate: rate.hertz)
        let lead = track.leadFrames
        #expect(lead > rate / 50 && lead < rate / 10)
        var samples = [Float](repeating: 0, count: 24_000)
        var frames = samples.mutableSpan
        // "one" at 0 without its w, "two" at 7,200, which begins some 2,000 frames before.
        track.strike(layer: 0, level: .accent, gain: 1, fraction: 0, ahead: 0, word: CountWord(named: "1"))
        track.render(into: &frames, from: 0, to: 7_200 - lead)
        track.strike(layer: 0, level: .accent, gain: 1, fraction: 0, ahead: lead, word: CountWord(named: "2"))
        track.render(into: &frames, from: 7_200 - lead, to: 24_000)
        func steepest(_ samples: some Sequence<Float>) -> Float {
            zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
        }
        let words = words(rate)
        let own = max(steepest(words[0].samples), steepest(words[1].samples))
        #expect(abs(samples[0]) < 0.01)
        // The words themselves have steeper samples than the places where they are cut. They are played 0.8 times as loud.
        #expect(steepest(samples) <= own)
        #expect(samples[1_000..<4_000].contains { abs($0) > 0.3 } && samples[7_200..<10_000].contains { abs($0) > 0.3 })
        // Where "two" begins, nothing of "one" is left: the first sample of the t at 16 kHz is softer than 0.01.
        let begin = 7_200 - words[1].instant
        #expect(samples[(begin - 60)..<(begin - 40)].allSatisfy { abs($0) < 0.02 })
        #expect(samples[(begin - 1_000)..<(begin - 500)].contains { abs($0) > 0.01 })
    }
}
