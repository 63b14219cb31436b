internal import CRealtime
internal import Realtime

/// The partials of one tone, parted from those of another that sounds with it.
///
/// Under a Hann window two partials stand apart by themselves where they are four over its length away. Those of known frequencies are
/// parted down to less than half of that: their amplitudes are those that together leave the least squared error.
/// - SeeAlso: Rife and Boorstyn, "Multiple Tone Parameter Estimation from Discrete-Time Observations", Bell System Technical
///   Journal 55(9), 1976.
internal struct PartialSeparation: ~Copyable, Sendable {
    /// Harmonics that are looked at, and the highest frequency in hertz. With 6 or 12 and with 4,000 the same beginnings are found, to 1
    /// in 500.
    private static var harmonics: Int { @_noLocks get { 8 } }
    private static var highest: Double { @_noLocks get { 5_000 } }
    /// Over the length of the window: how far from the other tone's a partial must be. From 1.4 to 2.2 as many beginnings are found, to 1
    /// in 200: nearer, what a tone has drifted since is heard as the other one.
    private static var separation: Double { @_noLocks get { 1.7 } }
    /// The same over the partial's frequency: half a semitone, as far as a vibrato reaches that is no wider.
    private static var vibrato: Double { @_noLocks get { 0.03 } }
    /// Over the length of the window: how far from a partial others matter. From there on the window is 50 dB down.
    private static var neighbourhood: Double { @_noLocks get { 4.5 } }
    /// Partials of the other tone that are parted at most, three beside each: they lie twice the separation apart, or none is its own.
    private static var neighbours: Int { @_noLocks get { 3 * harmonics } }
    /// 30 dB below a partial, as noise: keeps the equations solvable.
    private static var ridge: Double { @_noLocks get { 1e-3 } }

    /// Samples of the window.
    let length: Int
    private let rate: Double
    private let hann: SampleBuffer<Float>
    /// In radians a sample: the tone's own, then those of the other one.
    private let frequencies = SampleBuffer<Double>(count: harmonics + neighbours)
    private var own = 0, count = 0
    private let equations = CholeskyFactor(capacity: harmonics + neighbours)
    /// For each partial of its own, how much of what is heard at each frequency belongs to it.
    private let shares = SampleBuffer<Double>(count: harmonics * (harmonics + neighbours))
    /// The filters that pass a partial of its own and no other one.
    private let real: SampleBuffer<Float>, imaginary: SampleBuffer<Float>
    private let cosine: SampleBuffer<Float>, sine: SampleBuffer<Float>

    init(sampleRate: Double, length: Int) {
        (rate, self.length) = (sampleRate, length)
        hann = SampleBuffer(count: length)
        for n in 0..<length { hann.unsafeElements[n] = hannWeight(n, of: length) }
        real = SampleBuffer(count: Self.harmonics * length)
        imaginary = SampleBuffer(count: Self.harmonics * length)
        cosine = SampleBuffer(count: length)
        sine = SampleBuffer(count: length)
    }

    /// Parts the partials of a tone from those of another one; `false` where none of them is its own.
    ///
    /// - Parameters:
    ///   - frequency: of the tone, in hertz.
    ///   - other: of the other one; 0 for none.
    ///   - swing: the share of its frequency by which that one's vibrato swings.
    @_noLocks mutating func part(_ frequency: Double, from other: Double, swinging swing: Double = 0) -> Bool {
        collect(frequency, other, max(Self.vibrato, swing))
        guard own > 0 else { return false }
        solve()
        design()
        return true
    }

    /// The power of the tone in the window that begins at a sample.
    @_noLocks func power(_ samples: UnsafePointer<Float>) -> Double {
        var power = 0.0
        for partial in 0..<own {
            let x = Double(dotProduct(samples, real.start + partial * length, length))
            let y = Double(dotProduct(samples, imaginary.start + partial * length, length))
            power += x * x + y * y
        }
        return power
    }

    /// Collects the partials that are the tone's own, and those of the other one beside them.
    @_noLocks private mutating func collect(_ frequency: Double, _ other: Double, _ swing: Double) {
        let (window, toRadians) = (Double(length) / rate, 2 * Double.pi / rate)
        (own, count) = (0, 0)
        for harmonic in 1...Self.harmonics {
            let place = frequency * Double(harmonic)
            guard place < min(Self.highest, 0.45 * rate) else { break }
            let nearest = other > 0 ? abs(place - other * max(1, rt_round(place / other))) : .infinity
            guard nearest >= max(Self.separation / window, swing * place) else { continue }
            frequencies.unsafeElements[own] = place * toRadians
            own += 1
        }
        count = own
        guard other > 0 else { return }
        var harmonic = 1.0
        while other * harmonic < 0.45 * rate, count < frequencies.count {
            let place = other * harmonic * toRadians
            var isNear = false
            for partial in 0..<own {
                let distance = abs(frequencies.unsafeElements[partial] - place) / toRadians
                if distance < Self.neighbourhood / window { isNear = true }
            }
            if isNear {
                frequencies.unsafeElements[count] = place
                count += 1
            }
            harmonic += 1
        }
    }

    @_noLocks private mutating func solve() {
        for i in 0..<count {
            let row = equations.row(i)
            for j in 0...i { row[j] = overlap(frequencies.unsafeElements[i] - frequencies.unsafeElements[j]) }
        }
        equations.factorize(size: count, ridge: Self.ridge)
        for partial in 0..<own {
            let share = shares.start + partial * count
            for i in 0..<count { share[i] = i == partial ? 1 : 0 }
            equations.solve(share, size: count)
        }
    }

    /// How much of a partial is heard at a frequency so far away, in radians a sample: the Hann window's transform.
    @_noLocks private func overlap(_ distance: Double) -> Double {
        let side = 2 * Double.pi / Double(length)
        return sum(distance) + 0.5 * (sum(distance - side) + sum(distance + side))
    }

    /// The mean of a cosine over the window.
    @_noLocks private func sum(_ frequency: Double) -> Double {
        let divisor = rt_sin(frequency / 2) * Double(length)
        return abs(divisor) < 1e-9 ? 1 : rt_sin(frequency * Double(length) / 2) / divisor
    }

    @_noLocks private mutating func design() {
        for n in 0..<(own * length) { (real.unsafeElements[n], imaginary.unsafeElements[n]) = (0, 0) }
        for i in 0..<count {
            turn(frequencies.unsafeElements[i])
            for partial in 0..<own {
                let share = Float(shares.unsafeElements[partial * count + i])
                add(share, times: cosine.start, to: real.start + partial * length, length)
                add(share, times: sine.start, to: imaginary.start + partial * length, length)
            }
        }
    }

    /// A partial of a frequency in radians a sample, with the phase 0 in the middle, under the window.
    @_noLocks private mutating func turn(_ frequency: Double) {
        let (stepX, stepY) = (rt_cos(8 * frequency), rt_sin(8 * frequency))
        let first = -frequency * Double(length - 1) / 2
        var (x, y) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
        for lane in 0..<8 {
            x[lane] = rt_cos(first + frequency * Double(lane))
            y[lane] = rt_sin(first + frequency * Double(lane))
        }
        var n = 0
        while n < length {
            for lane in 0..<min(8, length - n) {
                cosine.unsafeElements[n + lane] = Float(x[lane]) * hann.unsafeElements[n + lane]
                sine.unsafeElements[n + lane] = Float(y[lane]) * hann.unsafeElements[n + lane]
            }
            (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX)
            n += 8
        }
    }
}
