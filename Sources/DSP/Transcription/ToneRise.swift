internal import CRealtime
internal import Music
internal import Realtime

/// Where a tone of known pitch begins to sound under another one that gives way to it.
///
/// A tone that swells out of the one before is heard late: its beginning is 40 dB below what it becomes, and the other is
/// loud. But it has partials of its own, and those are silent before. Their amplitude is followed back from where the tone
/// stands out to where they rise out of the noise.
internal struct ToneRise: ~Copyable, Sendable {
    /// Seconds that are looked at, and of the window with which the amplitude is taken.
    private static var span: Double { @_noLocks get { 0.25 } }
    private static var window: Double { @_noLocks get { 0.04 } }
    /// Seconds between two amplitudes: an eighth of the window.
    private static var step: Double { @_noLocks get { 0.005 } }
    /// Harmonics that are looked at, and the highest frequency in hertz.
    private static var harmonics: Int { @_noLocks get { 6 } }
    private static var highest: Double { @_noLocks get { 5_000 } }
    /// Hertz to the nearest harmonic of the other tone: the half width of a Hann window of 40 ms is 50, and its sidelobes are
    /// 31 dB down from there on.
    private static var separation: Double { @_noLocks get { 100 } }
    /// The share of the peak at which a tone begins: 34 dB down, and how many times what is there before it must be.
    private static var beginning: Double { @_noLocks get { 0.02 } }
    private static var clearance: Double { @_noLocks get { 3 } }
    /// The largest share at which a beginning is told: with more in the way, its time is not known.
    private static var largest: Double { @_noLocks get { 0.1 } }

    /// By how much, in power, a rise may fall on its way: voices beat.
    private static var wavering: Double { @_noLocks get { 2 } }

    /// How many samples are looked at.
    let reach: Int
    private let rate: Double
    private let length: Int, hop: Int
    private let hann: SampleBuffer<Float>
    private let real: SampleBuffer<Float>
    private let imaginary: SampleBuffer<Float>
    private let powers: SampleBuffer<Double>

    init(sampleRate: Hertz) {
        rate = sampleRate.value
        reach = Int(Self.span * rate)
        length = Int(Self.window * rate)
        hop = max(1, Int(Self.step * rate))
        hann = SampleBuffer(count: length)
        for n in 0..<length {
            hann.unsafeElements[n] = Float(0.5 - 0.5 * rt_cos(2 * .pi * (Double(n) + 0.5) / Double(length)))
        }
        real = SampleBuffer(count: reach)
        imaginary = SampleBuffer(count: reach)
        powers = SampleBuffer(count: (reach - length) / hop + 1)
    }

    /// How many samples ago a tone began; `nil` where that is hidden.
    ///
    /// - Parameters:
    ///   - samples: the newest `reach`.
    ///   - key: the tone, in keys above MIDI's 0, and that of the tone before; -1 for none.
    @_noLocks mutating func find(
        _ samples: UnsafeMutableBufferPointer<Float>, key: Double, after old: Double
    ) -> Int? {
        guard samples.count >= reach else { return nil }
        for n in 0..<powers.count { powers.unsafeElements[n] = 0 }
        let frequency = FreshPitch.frequency(key)
        let other = old < 0 ? 0 : FreshPitch.frequency(old)
        var isHeard = false
        for harmonic in 1...Self.harmonics {
            let place = frequency * Double(harmonic)
            guard place < min(Self.highest, 0.45 * rate) else { break }
            if other > 0, abs(place - other * max(1, rt_round(place / other))) < Self.separation { continue }
            isHeard = true
            add(samples, place)
        }
        return isHeard ? beginning() : nil
    }

    /// Adds the power of a partial at each place.
    @_noLocks private mutating func add(_ samples: UnsafeMutableBufferPointer<Float>, _ frequency: Double) {
        let turn = 2 * Double.pi * frequency / rate
        let (stepX, stepY) = (rt_cos(turn), rt_sin(turn))
        var (x, y) = (1.0, 0.0)
        for n in 0..<reach {
            real.unsafeElements[n] = samples[n] * Float(x)
            imaginary.unsafeElements[n] = samples[n] * Float(y)
            (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX)
        }
        for place in 0..<powers.count {
            let first = place * hop
            var (re, im): (Float, Float) = (0, 0)
            for n in 0..<length {
                re += hann.unsafeElements[n] * real.unsafeElements[first + n]
                im += hann.unsafeElements[n] * imaginary.unsafeElements[first + n]
            }
            powers.unsafeElements[place] += Double(re * re + im * im)
        }
    }

    @_noLocks private func beginning() -> Int? {
        var (top, peak) = (0, 0.0)
        for n in 0..<powers.count where powers.unsafeElements[n] > peak { (top, peak) = (n, powers.unsafeElements[n]) }
        var floor = peak
        for n in 0...top { floor = min(floor, powers.unsafeElements[n]) }
        let least = max(Self.beginning * Self.beginning * peak, Self.clearance * Self.clearance * floor)
        guard least < Self.largest * Self.largest * peak else { return nil }
        var (place, lowest) = (top, peak)
        while place > 0, powers.unsafeElements[place] >= least {
            // It rises once: what falls before was another sound.
            lowest = min(lowest, powers.unsafeElements[place])
            guard powers.unsafeElements[place] < Self.wavering * lowest else { return nil }
            place -= 1
        }
        return powers.unsafeElements[place] < least ? reach - place * hop - length / 2 : nil
    }
}
