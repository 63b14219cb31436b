internal import CRealtime
internal import Music
internal import Realtime
internal import Rhythm

/// Whether a tone breaks off where one of the same key begins.
///
/// A tone that is tongued, bowed or struck again has phases of its own. While it takes the place of the one before, each
/// harmonic runs from the old phase to the new one, and its frequency with it. That of a tone that goes on stays, though it
/// swells or beats.
internal struct ToneBreak: ~Copyable, Sendable {
    /// Seconds that are looked at.
    private static var span: Double { @_noLocks get { 0.25 } }
    /// Seconds of the window with which a phase is taken, of the longest one, and periods of a low tone that it holds at least.
    private static var window: Double { @_noLocks get { 0.03 } }
    private static var longest: Double { @_noLocks get { 0.07 } }
    private static var periods: Double { @_noLocks get { 2.5 } }
    /// Seconds between two phases.
    private static var step: Double { @_noLocks get { 0.005 } }
    /// Steps from the onset within which a tone breaks off, and those before it, at which no window reaches as far as the onset.
    private static var breaking: (first: Int, last: Int) { @_noLocks get { (-4, 6) } }
    private static var steady: (first: Int, last: Int) { @_noLocks get { (-19, -8) } }
    /// Harmonics that are looked at, and the highest frequency in hertz.
    private static var harmonics: Int { @_noLocks get { 4 } }
    private static var highest: Double { @_noLocks get { 5_000 } }
    /// Cents by which the frequency of a tone that stands still is read to scatter.
    private static var scatter: Double { @_noLocks get { 5 } }

    /// How many samples are looked at.
    let reach: Int
    private let rate: Double
    private var baseband: Baseband

    init(sampleRate: Hertz) {
        rate = sampleRate.value
        reach = Int(Self.span * rate)
        baseband = Baseband(reach: reach, longest: Int(Self.longest * rate))
    }

    /// By how many nepers the frequencies of the harmonics move more about an onset than before it; `nil` where it is not known.
    ///
    /// - Parameters:
    ///   - samples: the newest `reach`.
    ///   - age: how many samples ago the onset was.
    ///   - key: the tone, in keys above MIDI's 0.
    @_noLocks mutating func find(_ samples: UnsafeMutableBufferPointer<Float>, age: Int, key: Double) -> Double? {
        let frequency = KeyScale.frequency(key)
        let window = max(Self.window, Self.periods / frequency)
        guard samples.count >= reach, window <= Self.longest else { return nil }
        baseband.setWindow(Int(window * rate))
        let length = baseband.length
        let step = Int(Self.step * rate)
        let onset = reach - age
        let first = onset + Self.steady.first * step - length / 2
        let last = onset + Self.breaking.last * step - length / 2 + length
        guard first >= 0, last <= reach else { return nil }
        var (moved, before, weights) = (0.0, 0.0, 1e-12)
        for harmonic in 1...Self.harmonics {
            let place = frequency * Double(harmonic)
            guard place < min(Self.highest, 0.45 * rate) else { break }
            baseband.shift(samples, first..<last, by: 2 * .pi * place / rate)
            let (late, lateWeight) = swing(Self.breaking, onset, step, place)
            let (early, earlyWeight) = swing(Self.steady, onset, step, place)
            let weight = max(lateWeight, earlyWeight)
            (moved, before, weights) = (moved + weight * late, before + weight * early, weights + weight)
        }
        return rt_log((moved / weights + Self.scatter) / (before / weights + Self.scatter))
    }

    /// By how many cents the frequency of a harmonic swings through some steps, and its largest amplitude.
    @_noLocks private func swing(
        _ steps: (first: Int, last: Int), _ onset: Int, _ step: Int, _ frequency: Double
    ) -> (cents: Double, amplitude: Double) {
        var (lowest, highest, amplitude) = (Double.infinity, -Double.infinity, 0.0)
        var (lastX, lastY) = (0.0, 0.0)
        for number in steps.first...steps.last {
            let (nextX, nextY) = baseband.value(at: onset + number * step - baseband.length / 2)
            amplitude = max(amplitude, rt_sqrt(nextX * nextX + nextY * nextY))
            if number > steps.first {
                let turned = rt_atan2(nextY * lastX - nextX * lastY, nextX * lastX + nextY * lastY)
                let cents = turned / (2 * .pi * Double(step) / rate) / frequency * Cents.perNeper
                (lowest, highest) = (min(lowest, cents), max(highest, cents))
            }
            (lastX, lastY) = (nextX, nextY)
        }
        return (highest - lowest, amplitude)
    }
}
