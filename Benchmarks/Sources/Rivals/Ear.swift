import Foundation
@_spi(Engine) import Pitch
import WellTempered

/// What a detector said.
public struct Heard: Sendable {
    /// The index behind the last sample it rests on.
    public let frame: Int
    /// Hertz; 0 for no pitch.
    public let hertz: Double
    /// The standard error in cents; `nil` if the detector reports none.
    public var standardError: Double?
}

/// A pitch detector, ours or a rival's: all are given the same sound.
public struct Ear: Sendable {
    /// What it is called in tables.
    public let name: String
    /// Samples that a steady reading rests on.
    public let window: Int
    /// Whether it needs samples after the time that it reports.
    public let isOffline: Bool
    /// Hears some sounds, each from its beginning.
    public let listen: @Sendable ([[Float]]) throws -> [[Heard]]

    /// Samples between readings, the same for all.
    public static let hop = 256
    /// Samples per second.
    public static let rate = 48_000.0

    /// Ours, resting on `window` samples at most; what the tuner runs has 14,400.
    public static func ours(window: Int) -> Ear {
        Ear(name: window == 14_400 ? "ours" : "ours, \(window)", window: window, isOffline: false) { sounds in
            try sounds.map { samples in
                let detector = try HarmonicDetector(
                    sampleRate: Hertz(rate), hop: hop, longestWindow: Double(window) / rate)
                var tracker = PitchTracker(detector: detector)
                var heard: [Heard] = []
                heard.reserveCapacity(samples.count / hop)
                for start in stride(from: 0, to: samples.count - hop + 1, by: hop) {
                    tracker.process(samples.span.extracting(start..<(start + hop)))
                    while let reading = tracker.nextReading() {
                        let isVoiced = reading.state == .voiced
                        heard.append(
                            Heard(
                                frame: Int(reading.frame), hertz: isVoiced ? reading.frequency.value : 0,
                                standardError: reading.standardError.value))
                    }
                }
                return heard
            }
        }
    }

    /// aubio's detectors on each of these windows, or none without the library.
    public static func aubio(windows: [Int]) -> [Ear] {
        Aubio.settings(windows).map { method, window in
            Ear(name: "aubio \(method), \(window)", window: window, isOffline: false) { sounds in
                sounds.map { samples in
                    guard let aubio = Aubio(method, window: window, hop: hop, rate: rate) else { return [] }
                    return samples.withUnsafeBufferPointer { samples in
                        stride(from: 0, to: samples.count - hop + 1, by: hop).map { start in
                            let block = UnsafeBufferPointer(rebasing: samples[start..<(start + hop)])
                            return Heard(frame: start + hop, hertz: aubio.process(block))
                        }
                    }
                }
            }
        }
    }

    /// lingot's, or none without its library.
    public static func lingot() -> [Ear] {
        Lingot.transforms.compactMap { transform in
            guard let window = Lingot(hop: hop, rate: rate, transform: transform)?.window else { return nil }
            return Ear(name: Lingot.name(transform), window: window, isOffline: false) { sounds in
                sounds.map { samples in
                    guard let lingot = Lingot(hop: hop, rate: rate, transform: transform) else { return [] }
                    return samples.withUnsafeBufferPointer { samples in
                        stride(from: 0, to: samples.count - hop + 1, by: hop).map { start in
                            let block = UnsafeBufferPointer(rebasing: samples[start..<(start + hop)])
                            return Heard(frame: start + hop, hertz: lingot.process(block))
                        }
                    }
                }
            }
        }
    }
}
