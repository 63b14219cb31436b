internal import CRealtime
internal import Music
internal import Realtime
internal import Rhythm
internal import Spectral

/// The pitch of what has come in since an onset, whatever else rings on: the sum of the harmonics of the spectrum after the
/// onset, less the spectrum before it.
///
/// The detector of `Pitch` hears one tone at a time. Over a note that rings, it tells the new one only when the old one has
/// faded, or a pitch of which both are harmonics. Here the old one is taken away first. It is good to a third of a semitone.
/// - SeeAlso: Klapuri, "Multiple Fundamental Frequency Estimation by Summing Harmonic Amplitudes", ISMIR 2006, for the weights.
internal struct FreshPitch: ~Copyable, Sendable {
    /// What was found.
    struct Result: BitwiseCopyable {
        /// Keys above MIDI's 0.
        var key = 0.0
        /// The share of the power that is new, 0 to 1.
        var newness = 0.0
        /// The log of the odds that a pitch other than that of the note before is right, see `trust`.
        var trust = 0.0
        /// Whether a key a twelfth below seemed likelier, and is none.
        var isTwelfth = false
        @_noLocks init() {}
    }

    /// What all that sounds is likest to.
    struct Whole: BitwiseCopyable {
        /// Keys above MIDI's 0.
        var key = 0.0
        /// The share of the power that lies nearer to the harmonics than to the middle between them, which is low where noise
        /// is wide, and the share that lies at them, which is low where a band of noise is narrow.
        var near = 0.0, own = 0.0
        @_noLocks init() {}
    }

    /// Seconds after the onset that are left out: the noise of the attack.
    private static var attack: Double { @_noLocks get { 0.003 } }
    /// The keys that are tried: E1 of a bass to the piano's highest, three to a semitone.
    static var lowestKey: Double { @_noLocks get { 27 } }
    static var highestKey: Double { @_noLocks get { 104 } }
    static var keysPerSemitone: Double { @_noLocks get { 3 } }
    static var harmonics: Int { @_noLocks get { 16 } }
    /// Hertz: above, harmonics are faint and inharmonic.
    static var highest: Double { @_noLocks get { 6_000 } }
    /// How far a harmonic lies from its place, as a share of its frequency.
    static var width: Double { @_noLocks get { 0.012 } }
    /// What is lost at that distance, so that of keys that share their peaks the nearest is found and not the lowest: with 0 one
    /// note in 60 is told a semitone flat, from 0.15 to 0.5 nothing changes.
    private static var aside: Double { @_noLocks get { 0.3 } }
    /// What lies between the harmonics counts against them by this share: else the noise of an attack, under the close harmonics
    /// of a low key, makes that key of it. Of 4,200 notes 114 were told elsewhere with 0, 12 with 0.3 and 0.4, 30 with 0.5.
    static var between: Double { @_noLocks get { 0.4 } }
    /// The share of the highest salience at which a note counts as struck again: that of 20 in 40 repeated notes whose own key was
    /// not the highest, and of 3 in 1,000 others.
    private static var familiar: Double { @_noLocks get { 0.9 } }
    /// Hertz: the weight of harmonic h of f is (f + 160) / (h f + 600). With 120 twelfths above come in, with 200 octaves below.
    static var firstWeight: Double { @_noLocks get { 160 } }
    static var laterWeight: Double { @_noLocks get { 600 } }
    /// How much of the spectrum before is taken away: it fades.
    private static var ringing: Float { @_noLocks get { 0.7 } }
    /// New amplitudes less than that of the largest, 60 dB, are noise.
    private static var least: Float { @_noLocks get { 1e-3 } }

    /// The largest number of samples that are looked at, on either side of the onset.
    let reach: Int
    private var fft: RealFFT
    private let rate: Double
    /// Hertz between bins.
    let spacing: Double
    private let before: SampleBuffer<Float>
    let new: SampleBuffer<Float>
    /// The largest of what is new from a bin up.
    let largestAbove: SampleBuffer<Float>
    /// The sum of the weights of the harmonics, of each key that is tried, and a little more, for rounding.
    let weights: SampleBuffer<Double>

    init(sampleRate: Hertz, longest: Double) throws(OnsetError) {
        rate = sampleRate.value
        reach = Int(longest * rate)
        // Twice the window: peaks lie between its own bins.
        var size = 1_024
        while size < 2 * reach { size *= 2 }
        do { fft = try RealFFT(size: size) } catch { throw .spectral(error) }
        spacing = rate / Double(size)
        let bins = min(size / 2, Int(1.02 * Self.highest / rate * Double(size)))
        before = SampleBuffer(count: bins)
        new = SampleBuffer(count: bins)
        largestAbove = SampleBuffer(count: bins)
        weights = SampleBuffer(count: Self.keys)
        for n in 0..<Self.keys {
            let frequency = KeyScale.frequency(Self.key(n))
            let sum = (1...Self.harmonics).reduce(0.0) { sum, harmonic in
                let place = frequency * Double(harmonic)
                return place < Self.highest ? sum + Self.weight(of: place, frequency) : sum
            }
            weights.unsafeElements[n] = 1.000_001 * sum
        }
    }

    /// Looks at the newest samples.
    ///
    /// - Parameters:
    ///   - samples: the newest `2 * reach`.
    ///   - age: how many samples ago the onset was, at most `reach`.
    ///   - old: the key of the note before; -1 for none.
    ///   - least: with less than that share of new power, its key is not looked for.
    @_noLocks mutating func find(
        _ samples: UnsafeMutableBufferPointer<Float>, age: Int, after old: Double, least: Double = 0
    ) -> Result {
        var result = Result()
        let length = min(reach, age) - Int(Self.attack * rate)
        guard length > 64, samples.count >= 2 * reach, let base = samples.baseAddress else { return result }
        let end = samples.count
        transform(base + (end - age - length), length)
        for k in 0..<before.count { before.unsafeElements[k] = amplitude(k) }
        transform(base + (end - length), length)
        var (all, fresh, largest): (Float, Float, Float) = (1e-12, 0, 1e-9)
        for k in 0..<new.count {
            let amplitude = amplitude(k)
            let rest = max(0, amplitude - Self.ringing * before.unsafeElements[k])
            all += amplitude * amplitude
            fresh += rest * rest
            largest = max(largest, rest)
            new.unsafeElements[k] = rest
        }
        result.newness = Double(fresh / all)
        guard result.newness >= least else { return result }
        takeRoots(largest)
        let (likeliest, most) = likeliest()
        result.key = likeliest
        if let key = twelfth(above: result.key, salience: most) { (result.key, result.isTwelfth) = (key, true) }
        if old >= Self.lowestKey, old <= Self.highestKey {
            let likeness = salience(around: old) / max(1e-9, most)
            // What the note before explains nearly as well is that note, struck again.
            if likeness > Self.familiar {
                result.key = old
            } else {
                result.trust = trust(in: result, likeness: likeness)
            }
        }
        // Noise is likest to the lowest key, whose harmonics lie closest: the edge of the range is no peak.
        if result.key == Self.lowestKey { result.newness = 0 }
        return result
    }

    /// The pitch of all that sounds, whatever was there before.
    ///
    /// - Parameter samples: the newest `reach`.
    @_noLocks mutating func findAll(_ samples: UnsafeMutableBufferPointer<Float>) -> Whole {
        var whole = Whole()
        guard samples.count >= reach, let base = samples.baseAddress else { return whole }
        transform(base + (samples.count - reach), reach)
        var largest: Float = 1e-9
        for k in 0..<new.count {
            new.unsafeElements[k] = amplitude(k)
            largest = max(largest, new.unsafeElements[k])
        }
        takeRoots(largest)
        whole.key = likeliest().key
        (whole.own, whole.near) = powerShares(whole.key)
        return whole
    }

    /// Takes the square roots of what is new, as a share of the largest: weak harmonics count too.
    @_noLocks private func takeRoots(_ largest: Float) {
        for k in 0..<new.count {
            let share = new.unsafeElements[k] / largest
            new.unsafeElements[k] = share < Self.least ? 0 : Float(rt_sqrt(Double(share)))
        }
    }

    /// The highest of what is new near a frequency, less of it the farther away it lies.
    @_noLocks func peak(near place: Double) -> Double {
        let reach = place * Self.width
        let first = max(1, Int((place - reach) / spacing + 0.5))
        let last = min(new.count - 1, Int((place + reach) / spacing + 0.5))
        guard first <= last else { return 0 }
        var peak: Float = 0
        let slope = Self.aside / (reach + spacing)
        for k in first...last {
            let value = new.unsafeElements[k]
            // Most bins are below the highest so far, whatever is taken off for the distance.
            guard value > peak else { continue }
            let lost = min(Self.aside, abs(Double(k) * spacing - place) * slope)
            peak = max(peak, value * Float(1 - lost))
        }
        return Double(peak)
    }

    /// Transforms `length` samples under a Hann window.
    @_noLocks private mutating func transform(_ samples: UnsafeMutablePointer<Float>, _ length: Int) {
        let input = fft.samples
        // The cosine turns on from sample to sample: a call for each of them would be half of the cost.
        let turn = 2 * Double.pi / Double(length + 1)
        var (x, y) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
        for lane in 0..<8 { (x[lane], y[lane]) = (rt_cos(turn * Double(lane + 1)), rt_sin(turn * Double(lane + 1))) }
        let (stepX, stepY) = (rt_cos(8 * turn), rt_sin(8 * turn))
        var n = 0
        while n < length {
            let window = SIMD8<Float>(0.5 - 0.5 * x)
            for lane in 0..<min(8, length - n) { input[n + lane] = samples[n + lane] * window[lane] }
            (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX)
            n += 8
        }
        for n in length..<input.count { input[n] = 0 }
        fft.forward()
    }

    /// Of a bin of the newest transform.
    @_noLocks private func amplitude(_ bin: Int) -> Float {
        let value = fft.spectrum[bin]
        return Float(rt_sqrt(Double(value.x * value.x + value.y * value.y)))
    }
}
