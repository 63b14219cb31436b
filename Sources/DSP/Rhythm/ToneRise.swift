internal import CRealtime
package import Music
internal import Realtime

/// Where a tone of known pitch begins to sound under another one that gives way to it.
///
/// A tone that swells out of the one before is heard late: its beginning is 40 dB below what it becomes, and the other is
/// loud. But it has partials of its own, and those are silent before. Their amplitude is followed back from where the tone
/// stands out to where they rise out of the noise.
package struct ToneRise: ~Copyable, Sendable {
    /// Seconds that are looked at, of the window with which the amplitude is taken, and of the longest one, for low tones.
    private static var span: Double { @_noLocks get { 0.25 } }
    private static var window: Double { @_noLocks get { 0.04 } }
    private static var longest: Double { @_noLocks get { 0.1 } }
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

    /// The shares of the peak between which a rise is followed that a long window has blurred.
    private static var foot: Double { @_noLocks get { 0.15 } }
    private static var shoulder: Double { @_noLocks get { 0.6 } }
    /// A share of a partial's frequency: the vibrato of a voice, a semitone to either side, reaches 0.06, and is blurred.
    private static var vibrato: Double { @_noLocks get { 0.1 } }

    /// By how much, in power, a rise may fall on its way: voices beat.
    private static var wavering: Double { @_noLocks get { 2 } }

    /// How many samples are looked at.
    package let reach: Int
    private let rate: Double
    private let hop: Int
    /// How many amplitudes are taken.
    private var count = 0
    private var baseband: Baseband
    private let powers: SampleBuffer<Double>

    /// The same before there is one.
    package static func reach(_ sampleRate: Hertz) -> Int { Int(span * sampleRate.value) }

    package init(sampleRate: Hertz) {
        rate = sampleRate.value
        reach = Self.reach(sampleRate)
        hop = max(1, Int(Self.step * rate))
        baseband = Baseband(reach: reach, longest: Int(Self.longest * rate))
        powers = SampleBuffer(count: reach / hop + 1)
    }

    /// How many samples ago a tone began; `nil` where that is hidden.
    ///
    /// - Parameters:
    ///   - samples: the newest `reach`.
    ///   - key: the tone, in keys above MIDI's 0.
    ///   - old: that of the tone before; -1 for none.
    ///   - isLate: whether the tone has sounded for so long that a longer window may be taken.
    @_noLocks package mutating func find(
        _ samples: UnsafeMutableBufferPointer<Float>, key: Double, after old: Double, isLate: Bool
    ) -> Int? {
        guard samples.count >= reach else { return nil }
        for n in 0..<powers.count { powers.unsafeElements[n] = 0 }
        let frequency = KeyScale.frequency(key)
        let other = old < 0 ? 0 : KeyScale.frequency(old)
        // Low tones have no partial that stands clear in a short window. A longer one tells their rise, not its foot.
        var clearest = 0.0
        for harmonic in 1...Self.harmonics { clearest = max(clearest, distance(frequency * Double(harmonic), other)) }
        let window = isLate ? max(Self.window, Self.separation * Self.window / max(1, clearest)) : Self.window
        guard window <= Self.longest else { return nil }
        baseband.setWindow(Int(window * rate))
        count = (reach - baseband.length) / hop + 1
        var isHeard = false
        for harmonic in 1...Self.harmonics {
            let place = frequency * Double(harmonic)
            guard place < min(Self.highest, 0.45 * rate) else { break }
            if distance(place, other) < 0.999 * Self.separation * Self.window / window { continue }
            isHeard = true
            add(samples, place)
        }
        return isHeard ? beginning(isLine: window > Self.window) : nil
    }

    /// Hertz from a partial to the nearest of the other tone; 0 where that one's vibrato reaches it.
    @_noLocks private func distance(_ place: Double, _ other: Double) -> Double {
        guard other > 0 else { return 4 * Self.separation }
        let distance = abs(place - other * max(1, rt_round(place / other)))
        return distance >= Self.separation || distance >= Self.vibrato * place ? distance : 0
    }

    /// Adds the power of a partial at each place.
    @_noLocks private mutating func add(_ samples: UnsafeMutableBufferPointer<Float>, _ frequency: Double) {
        baseband.shift(samples, 0..<reach, by: 2 * .pi * frequency / rate)
        for place in 0..<count {
            let (x, y) = baseband.value(at: place * hop)
            powers.unsafeElements[place] += x * x + y * y
        }
    }

    @_noLocks private func beginning(isLine: Bool) -> Int? {
        var (top, peak) = (0, 0.0)
        for n in 0..<count where powers.unsafeElements[n] > peak { (top, peak) = (n, powers.unsafeElements[n]) }
        var floor = peak
        for n in 0...top { floor = min(floor, powers.unsafeElements[n]) }
        var least = max(Self.beginning * Self.beginning * peak, Self.clearance * Self.clearance * floor)
        guard least < Self.largest * Self.largest * peak else { return nil }
        if isLine { least = max(least, Self.foot * Self.foot * peak) }
        var (place, lowest, shoulder) = (top, peak, top)
        while place > 0, powers.unsafeElements[place] >= least {
            // It rises once: what falls before was another sound.
            lowest = min(lowest, powers.unsafeElements[place])
            guard powers.unsafeElements[place] < Self.wavering * lowest else { return nil }
            if powers.unsafeElements[place] >= Self.shoulder * Self.shoulder * peak { shoulder = place }
            place -= 1
        }
        if isLine {
            // The rise goes on as it is seen: a line in amplitude.
            let (low, high) = (rt_sqrt(powers.unsafeElements[place + 1]), rt_sqrt(powers.unsafeElements[shoulder]))
            guard shoulder > place + 1, high > low else { return nil }
            let back = low * Double(shoulder - place - 1) / (high - low)
            return reach - (place + 1) * hop - baseband.length / 2 + Int(back * Double(hop))
        }
        return powers.unsafeElements[place] < least ? reach - place * hop - baseband.length / 2 : nil
    }
}
