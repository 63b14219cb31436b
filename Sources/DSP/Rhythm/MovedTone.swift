internal import CRealtime
internal import Realtime
internal import Spectral

/// Whether a sound is the one right before it, moved in pitch: a tone that vibrates goes on, though no predictor foresees it.
///
/// 10 ms are compared with those of 12 to 25 ms before, which hold a place in the same phase of any tone from 77 Hz on. They may
/// be stretched, as the pitch moves, and grow or fade.
internal struct MovedTone: ~Copyable, Sendable {
    /// Samples of the low band: 10 ms, and the lags between the middles of both, 12 and 25 ms.
    static var length: Int { @_noLocks get { 80 } }
    private static var nearest: Int { @_noLocks get { 96 } }
    private static var farthest: Int { @_noLocks get { 200 } }
    /// Steps of 1 % by which a sound is stretched: a vibrato of a semitone to either side, 8 times a second, moves by 7.5 % in
    /// 25 ms.
    private static var widest: Int { @_noLocks get { 8 } }
    private static var stretch: Float { @_noLocks get { 0.01 } }
    /// Samples to either side of one between two that it is made of, and how many places between two there are.
    private static var taps: Int { @_noLocks get { 4 } }
    private static var phases: Int { @_noLocks get { 32 } }
    /// Samples after which the pre-emphasis is undone: 0.7 to the power of 32 is -100 dB.
    private static var warmUp: Int { @_noLocks get { 32 } }
    /// Samples from the middle of the newer sound to its end.
    private static var half: Int { @_noLocks get { 48 } }

    /// In which the older sound may change.
    private static var directions: Int { @_noLocks get { 5 } }

    /// How many samples of the low band are looked at.
    static var reach: Int { @_noLocks get { half + farthest + length / 2 + 2 + warmUp } }

    private let plain = SampleBuffer<Float>(count: reach)
    private let moved = SampleBuffer<Float>(count: length)
    /// The energy of the older sound at each lag.
    private let energies = SampleBuffer<Float>(count: farthest - nearest + 1)
    private let sinc: SampleBuffer<Float>
    /// The directions in which the older sound may change, and their products.
    private let basis = SampleBuffer<Float>(count: directions * length)
    private let matrix = SampleBuffer<Double>(count: directions * (directions + 1))

    init() {
        sinc = SampleBuffer(
            copying: (0..<Self.phases).flatMap { phase in
                (0..<(2 * Self.taps)).map { tap in
                    let x = Double(tap - Self.taps + 1) - Double(phase) / Double(Self.phases)
                    let window = 0.54 + 0.46 * rt_cos(.pi * x / Double(Self.taps + 1))
                    return Float(x == 0 ? 1 : window * rt_sin(.pi * x) / (.pi * x))
                }
            })
    }

    /// The share of the power of the 10 ms before `end` that is not the sound before, moved.
    ///
    /// - Parameter end: of the low band, pre-emphasised, after `reach` samples.
    @_noLocks mutating func rest(before end: UnsafePointer<Float>) -> Float {
        guard let x = plain.unsafeElements.baseAddress, let s = moved.unsafeElements.baseAddress else { return 1 }
        let start = end - Self.reach
        var y: Float = 0
        for n in 0..<Self.reach {
            y = start[n] + OnsetStreams.preEmphasis * y
            x[n] = y
        }
        let middle = Self.reach - Self.half
        for lag in Self.nearest...Self.farthest {
            let old = UnsafePointer(x + middle - lag - Self.length / 2)
            energies.unsafeElements[lag - Self.nearest] = dotProduct(old, old, Self.length)
        }
        var (best, bestStep, bestLag): (Float, Int, Int) = (0, 0, 0)
        for step in -Self.widest...Self.widest {
            let power = move(around: Float(middle), by: 1 + Self.stretch * Float(step))
            guard power > 0 else { return 1 }
            for lag in Self.nearest...Self.farthest {
                let old = UnsafePointer(x + middle - lag - Self.length / 2)
                let product = dotProduct(UnsafePointer(s), old, Self.length)
                guard product > 0 else { continue }
                let likeness = product * product / (power * energies.unsafeElements[lag - Self.nearest])
                if likeness > best { (best, bestStep, bestLag) = (likeness, step, lag) }
            }
        }
        guard bestLag > 0 else { return 1 }
        let old = UnsafePointer(x + middle - bestLag - Self.length / 2)
        // Between two steps and two samples, as 3 kHz turn by a third of a period from one sample to the next.
        var least: Float = 1
        for step in -1...1 {
            for shift in 0..<4 {
                let factor = 1 + Self.stretch * (Float(bestStep) + 0.5 * Float(step))
                let power = move(around: Float(middle) + 0.25 * Float(shift) - 0.375, by: factor)
                guard power > 0 else { continue }
                least = min(least, unexplained(by: old) / power)
            }
        }
        return least
    }

    /// Writes the sound around a place, stretched. Returns its energy.
    @_noLocks private func move(around middle: Float, by factor: Float) -> Float {
        guard let x = plain.unsafeElements.baseAddress, let table = sinc.unsafeElements.baseAddress else { return 0 }
        var power: Float = 0
        for n in 0..<Self.length {
            let place = middle + (Float(n) - Float(Self.length / 2)) * factor
            let phase = Int(place * Float(Self.phases) + 0.5)
            let whole = phase / Self.phases
            let taps = table + phase % Self.phases * 2 * Self.taps
            var sum: Float = 0
            for tap in 0..<(2 * Self.taps) { sum += taps[tap] * x[whole + tap - Self.taps + 1] }
            moved.unsafeElements[n] = sum
            power += sum * sum
        }
        return power
    }

    /// The energy that is left of what was moved after the older sound, which may be louder or softer, shift, and do either ever
    /// more so.
    @_noLocks private func unexplained(by old: UnsafePointer<Float>) -> Float {
        let (length, b, m) = (Self.length, basis.unsafeElements, matrix.unsafeElements)
        let (size, width) = (Self.directions, Self.directions + 1)
        for n in 0..<length {
            let slope = (old[n - 2] - old[n + 2] + 8 * (old[n + 1] - old[n - 1])) / 12
            let time = Float(n) / Float(length) - 0.5
            (b[n], b[length + n], b[2 * length + n]) = (old[n], slope, time * slope)
            (b[3 * length + n], b[4 * length + n]) = (time * old[n], time * time * slope)
        }
        var left = 0.0
        for n in 0..<length { left += Double(moved.unsafeElements[n] * moved.unsafeElements[n]) }
        guard let base = b.baseAddress, let s = moved.unsafeElements.baseAddress else { return Float(left) }
        for i in 0..<size {
            let row = UnsafePointer(base + i * length)
            for j in 0..<size { m[width * i + j] = Double(dotProduct(row, UnsafePointer(base + j * length), length)) }
            m[width * i + size] = Double(dotProduct(row, UnsafePointer(s), length))
        }
        // Elimination: what each direction explains beyond those before it.
        for i in 0..<size {
            let pivot = m[width * i + i]
            guard pivot > 1e-6 * m[0] else { continue }
            left -= m[width * i + size] * m[width * i + size] / pivot
            for k in (i + 1)..<size {
                let factor = m[width * k + i] / pivot
                for j in i..<width { m[width * k + j] -= factor * m[width * i + j] }
            }
        }
        return Float(max(0, left))
    }
}
