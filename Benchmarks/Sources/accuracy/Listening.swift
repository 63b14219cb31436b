import Foundation
@_spi(Engine) import Pitch
import RealNotes
import WellTempered

/// Which detector is measured.
struct Listener {
    var method = PitchMethod.harmonic
    var rate = 48_000.0
    /// Seconds of the longest window: 4,096 samples at 48 kHz, unless asked for.
    var window = 4_096.0 / 48_000
    /// The times and limits of the harmonic detector.
    var constants = PitchConstants()
    /// Samples between readings, by default 5.33 ms.
    var hop: Int?

    func callAsFunction(_ samples: [Float]) throws -> [PitchReading] {
        if method == .harmonic {
            let detector = try HarmonicDetector(
                sampleRate: Hertz(rate), hop: hop, longestWindow: window, constants: constants)
            return run(PitchTracker(detector: detector, capacity: 65_536), samples)
        }
        let detector = try MethodDetector(method, sampleRate: Hertz(rate), hop: hop)
        return run(PitchTracker(detector: detector, capacity: 65_536), samples)
    }

    func with(window: Double) -> Listener {
        var copy = self
        copy.window = window
        return copy
    }

    private func run<D: PitchDetector & ~Copyable>(
        _ tracker: consuming PitchTracker<D>, _ samples: [Float]
    ) -> [PitchReading] {
        var readings: [PitchReading] = []
        var start = 0
        while start < samples.count {
            let end = min(start + 65_536, samples.count)
            tracker.process(Array(samples[start..<end]).span)
            tracker.drain { readings.append($0) }
            start = end
        }
        return readings
    }
}

/// Errors of many readings against the truth, in cents.
struct ErrorTally {
    var (readings, missed, gross) = (0, 0, 0)
    var good: [Double] = []

    mutating func add(_ reading: PitchReading, truth: Double) {
        readings += 1
        guard reading.state == .voiced else {
            missed += 1
            return
        }
        let cents = 1_200 * log2(reading.frequency.value / truth)
        if abs(cents) > 50 { gross += 1 } else { good.append(cents) }
    }
    mutating func add(_ other: ErrorTally) {
        (readings, missed, gross) = (readings + other.readings, missed + other.missed, gross + other.gross)
        good += other.good
    }
    var rms: Double { good.isEmpty ? .infinity : (good.reduce(0) { $0 + $1 * $1 } / Double(good.count)).squareRoot() }
    func percentile(_ share: Double) -> Double { RealNotes.percentile(good.map(abs), share) }
    var grossShare: Double { 100 * Double(gross) / Double(max(1, readings)) }
    var missedShare: Double { 100 * Double(missed) / Double(max(1, readings)) }
}

/// The Cramér-Rao bound in cents of the frequency of partials with Σ k² A_k²/σ² = `information` over `count` samples.
///
///     std = 1200 / ln 2 · √(24 / (information N (N² - 1))) / ω
/// - SeeAlso: Kay, "Fundamentals of Statistical Signal Processing: Estimation Theory", 1993, section 3.11.
func bound(information: Double, frequency: Double, count: Double, rate: Double) -> Double {
    1_731.234 * (24 / (information * count * (count * count - 1))).squareRoot() / (2 * .pi * frequency / rate)
}
