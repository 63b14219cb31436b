internal import CRealtime
internal import Realtime

/// One stream at several sample rates: the input itself and low-passed copies at 1/2, 1/4, 1/8 … of its rate.
///
/// The partials of a low note end at a few kilohertz; measuring it at an eighth of the rate costs an eighth. The copy with
/// factor F is filtered from the input with 18 F + 1 taps (a sinc under a Kaiser window, β = 7): flat up to 0.3 of its own
/// rate, -70 dB from 0.5 on, delayed by 9 F input samples. Sample i of a copy belongs to input sample i · F.
///
/// - SeeAlso: Kaiser & Schafer, "On the use of the I0-sinh window for spectrum analysis", IEEE ASSP-28(1), 1980.
package struct DecimationBank: ~Copyable, Sendable {
    /// The number of copies, the widest one included.
    package let levelCount: Int
    private let base: Int
    private var total = 0
    private var input: SampleHistory
    private let taps: SampleBuffer<Float>
    private let tapOffsets: SampleBuffer<Int>
    private let memory: SampleBuffer<Float>
    private let starts: SampleBuffer<Int>
    private let lengths: SampleBuffer<Int>
    private let ends: SampleBuffer<Int>
    private let counts: SampleBuffer<Int>
    private let densities: SampleBuffer<Double>

    /// Copies of factors `base`, 2 `base`, … 2^(levelCount-1) `base`. Allocates.
    ///
    /// - Parameters:
    ///   - base: the factor of the widest copy, 1 (the input itself), 2 or 4.
    ///   - levelCount: how many copies.
    ///   - length: the history of each copy, in input samples.
    ///   - hop: the most input samples of one `update`.
    package init(base: Int, levelCount: Int, length: Int, hop: Int) {
        precondition(base >= 1 && levelCount >= 1 && length > 0 && hop > 0)
        (self.base, self.levelCount) = (base, levelCount)
        let widest = base << (levelCount - 1)
        input = SampleHistory(length: length + 2 * hop + 36 * widest + 40)
        tapOffsets = SampleBuffer(count: levelCount)
        starts = SampleBuffer(count: levelCount)
        lengths = SampleBuffer(count: levelCount)
        ends = SampleBuffer(count: levelCount)
        counts = SampleBuffer(count: levelCount)
        densities = SampleBuffer(count: levelCount)
        var (tapCount, memoryCount) = (0, 0)
        for level in 0..<levelCount {
            let factor = base << level
            tapOffsets.unsafeElements[level] = tapCount
            tapCount += paddedTapCount(factor)
            starts.unsafeElements[level] = memoryCount
            lengths.unsafeElements[level] = length / factor + hop / factor + 16
            memoryCount += 2 * lengths.unsafeElements[level]
            ends.unsafeElements[level] = lengths.unsafeElements[level]
        }
        taps = SampleBuffer(count: tapCount)
        memory = SampleBuffer(count: memoryCount)
        for level in 0..<levelCount {
            let factor = base << level
            let power = design(factor: factor, at: tapOffsets.unsafeElements[level], into: taps)
            // Unit white noise has the density 1/F in the pass band of the copy and the power Σ h² in all.
            densities.unsafeElements[level] = factor == 1 ? 1 : 1 / (Double(factor) * power)
        }
    }

    /// The factor of a copy.
    @_noLocks package func factor(_ level: Int) -> Int { base << level }

    /// How many samples of a copy are available so far.
    @_noLocks package func count(_ level: Int) -> Int {
        let factor = base << level
        let known = total - (factor == 1 ? 0 : 9 * factor)
        return known > 0 ? (known + factor - 1) / factor : 0
    }

    /// The density of white noise in the pass band of a copy, relative to its mean over the whole band.
    @_noLocks package func noiseDensity(_ level: Int) -> Double { densities.unsafeElements[level] }

    /// The newest `count` samples of a copy, oldest first. Valid until the next change.
    ///
    /// A copy is computed when it is asked for, so an unused copy costs nothing.
    @_noLocks package mutating func latest(_ count: Int, of level: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(count >= 0 && count <= lengths.unsafeElements[level], "more samples than the copy keeps")
        bringUpToDate(level)
        let end = starts.unsafeElements[level] + ends.unsafeElements[level]
        return UnsafeMutableBufferPointer(rebasing: memory.unsafeElements[(end - count)..<end])
    }

    /// Takes in the last `count` samples of `window`, at most the `hop` of `init`.
    @_noLocks package mutating func update(from window: borrowing Span<Float>, newest count: Int) {
        for n in (window.count - count)..<window.count { input.append(window[n]) }
        total += count
    }

    /// Forgets everything: silence from sample 0 on.
    @_noLocks package mutating func reset() {
        for level in 0..<levelCount {
            ends.unsafeElements[level] = lengths.unsafeElements[level]
            counts.unsafeElements[level] = 0
        }
        total = 0
        input.clear()
        for n in 0..<memory.count { memory.unsafeElements[n] = 0 }
    }

    /// Filters the input since the last call, as far back as the copy's history reaches.
    ///
    /// - Complexity: 18 multiplications per input sample.
    @_noLocks private mutating func bringUpToDate(_ level: Int) {
        let (factor, wanted) = (base << level, count(level))
        guard counts.unsafeElements[level] < wanted, let samples = input.latest(input.length).baseAddress else {
            return
        }
        counts.unsafeElements[level] = max(counts.unsafeElements[level], wanted - lengths.unsafeElements[level])
        // The input index of the first sample in view.
        let origin = total - input.length
        while counts.unsafeElements[level] < wanted {
            let centre = counts.unsafeElements[level] * factor - origin
            append(filtered(samples, around: centre, level: level), to: level)
        }
    }

    @_noLocks private func filtered(_ samples: UnsafeMutablePointer<Float>, around centre: Int, level: Int) -> Float {
        let factor = base << level
        guard factor > 1, let taps = taps.unsafeElements.baseAddress else { return samples[centre] }
        let h = taps + tapOffsets.unsafeElements[level]
        // The zeros of the padding lie before the first tap, where there is history.
        let count = paddedTapCount(factor)
        let x = samples + (centre + 9 * factor + 1 - count)
        // Using the symmetry of the taps would halve the products but not the loads, which dominate.
        var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        var tap = 0
        while tap < count {
            even += vector(x, tap) * vector(h, tap)
            odd += vector(x, tap + 8) * vector(h, tap + 8)
            tap += 16
        }
        return (even + odd).sum()
    }

    @_noLocks private mutating func append(_ sample: Float, to level: Int) {
        let (start, length) = (starts.unsafeElements[level], lengths.unsafeElements[level])
        if ends.unsafeElements[level] == 2 * length {
            guard let base = memory.unsafeElements.baseAddress else { return }
            rt_copy(base + start, base + start + length, length * MemoryLayout<Float>.stride)
            ends.unsafeElements[level] = length
        }
        memory.unsafeElements[start + ends.unsafeElements[level]] = sample
        ends.unsafeElements[level] += 1
        counts.unsafeElements[level] += 1
    }
}

@inline(__always) @_noLocks private func vector(_ from: UnsafeMutablePointer<Float>, _ at: Int) -> SIMD8<Float> {
    UnsafeRawPointer(from + at).loadUnaligned(as: SIMD8<Float>.self)
}

@_noLocks private func paddedTapCount(_ factor: Int) -> Int { (18 * factor + 1 + 15) / 16 * 16 }

/// A sinc that cuts at 0.4 of the copy's rate under a Kaiser window, scaled to leave zero frequency as it is.
/// Returns the sum of the squares.
private func design(factor: Int, at offset: Int, into taps: borrowing SampleBuffer<Float>) -> Double {
    let half = Double(9 * factor)
    let cut = 0.8 / Double(factor)
    let window = KaiserWindow(beta: 7)
    var values: [Double] = []
    for n in 0...(18 * factor) {
        let x = Double(n) - half
        let sinc = x == 0 ? cut : rt_sin(.pi * cut * x) / (.pi * x)
        values.append(sinc * window.height(at: x / half))
    }
    let sum = values.reduce(0, +)
    let padding = paddedTapCount(factor) - values.count
    for n in values.indices { taps.unsafeElements[offset + padding + n] = Float(values[n] / sum) }
    return values.reduce(0) { $0 + $1 * $1 } / (sum * sum)
}
