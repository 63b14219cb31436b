import Foundation
import Music
@_spi(Engine) import Pitch
import Testing
import TestSignals

/// The readings of a whole signal.
func readings(_ method: PitchMethod, of signal: [Float], sampleRate: Double, hop: Int? = nil) throws -> [PitchReading] {
    let detector = try MethodDetector(method, sampleRate: sampleRate.hertz, hop: hop)
    var tracker = PitchTracker(detector: detector, capacity: 10_000)
    tracker.process(signal.span)
    var result: [PitchReading] = []
    tracker.drain { result.append($0) }
    return result
}

@Suite struct DetectorTests {
    @Test(arguments: [PitchMethod.mcleod, .yin], [8_000.0, 44_100, 48_000, 96_000, 192_000])
    func `Plain methods find a tone within five cents from A0 up`(method: PitchMethod, rate: Double) throws {
        var generator = SeededGenerator(seed: 3)
        for frequency in [27.5, 41.2, 110, 440, 1_000] {
            let tone = harmonicTone(
                frequency: frequency, sampleRate: rate, count: Int(rate * 0.4), slope: 1.5, using: &generator)
            let last = try #require(try readings(method, of: tone, sampleRate: rate).last)
            #expect(last.state == .voiced)
            // A parabola through the top of the peak is off by up to a few cents when a period is few samples
            // (McLeod & Wyvill 2005, section 6); at 8 kHz a period of 1 kHz is only 8.
            let tolerance = rate < 10_000 ? 25.0 : 5
            let error = Cents(from: frequency.hertz, to: last.frequency).value
            #expect(abs(error) < tolerance, "\(frequency) Hz at \(rate): \(error) cents")
        }
    }

    @Test(arguments: [PitchMethod.mcleod, .yin])
    func `Silence and noise have no pitch`(method: PitchMethod) throws {
        var generator = SeededGenerator(seed: 4)
        let silence = try readings(method, of: [Float](repeating: 0, count: 24_000), sampleRate: 48_000)
        #expect(silence.count == 93 && silence.allSatisfy { $0.state == .silence && $0.frequency.value == 0 })
        let noise = whiteNoise(count: 48_000, rms: 0.1, using: &generator)
        let heard = try readings(method, of: noise, sampleRate: 48_000)
        #expect(heard.count == 187 && heard.allSatisfy { $0.state == .unvoiced })
    }

    @Test func `Impossible rates and hops are refused with advice`() {
        for rate in [0.0, -1, 7_999, 192_001, .nan, .infinity] {
            do throws(PitchError) {
                _ = try MethodDetector(.mcleod, sampleRate: rate.hertz)
                Issue.record("accepted \(rate)")
            } catch { #expect(error.message.contains("8000")) }
        }
        for hop in [0, -5, 10, 100_000] {
            #expect(throws: PitchError.unsupportedHop(hop)) {
                _ = try YINDetector(sampleRate: 48.0.kilohertz, hop: hop)
            }
        }
    }
}

/// A detector of an app developer's own: the zero crossings of the window.
private struct ZeroCrossings: PitchDetector, ~Copyable {
    var hop: Int { @_noLocks get { 480 } }
    var windowLength: Int { @_noLocks get { 4_800 } }
    @_noLocks mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        var rises = 0
        for n in 1..<window.count where window[n - 1] < 0 && window[n] >= 0 { rises += 1 }
        var reading = PitchReading(frame: frame, state: .voiced, level: Decibels(0))
        reading.frequency = Hertz(Double(rises) * 10)
        return reading
    }
    @_noLocks mutating func reset() {}
}

@Suite struct PitchTrackerTests {
    @Test func `A detector of one's own runs in the tracker`() {
        var tracker = PitchTracker(detector: ZeroCrossings())
        tracker.process(sine(frequency: 500, sampleRate: 48_000, count: 9_600, phase: 0.5).span)
        var heard: [PitchReading] = []
        tracker.drain { heard.append($0) }
        #expect(heard.count == 20 && heard[19].frequency == 500.0.hertz && heard[19].frame == 9_600)
    }

    @Test func `Readings nobody pulls are dropped oldest first, and counted`() {
        var tracker = PitchTracker(detector: ZeroCrossings(), capacity: 3)
        tracker.process([Float](repeating: 0, count: 4_800).span)
        #expect(tracker.droppedReadings == 7 && tracker.nextReading()?.frame == 8 * 480)
        tracker.reset()
        #expect(tracker.nextReading() == nil)
    }
}
