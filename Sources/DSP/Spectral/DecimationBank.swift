internal import CRealtime
internal import Realtime

/// One stream at several sample rates: the input itself and low-passed copies at 1/2, 1/4, 1/8 … of its rate.
///
/// The partials of a low note end at a few kilohertz; measuring it at an eighth of the rate costs an eighth. The copy with
/// factor F is filtered from the input with 18 F + 1 taps (a sinc under a Kaiser window, β = 7): flat up to 0.3 of its own
/// rate, -70 dB from 0.5 on, delayed by 9 F input samples. Sample i of a copy belongs to input sample i · F.
package struct DecimationBank: ~Copyable, Sendable {
    /// The number of copies, the widest one included.
    package let levelCount: Int
    private let base: Int
    private var total = 0
    private var input: SampleHistory
    private let taps: SampleBuffer<Float>, memory: SampleBuffer<Float>
    private let copies: SampleBuffer<Copy>

    internal struct Copy: BitwiseCopyable, Sendable {
        /// Where its taps begin.
        var tapOffset = 0
        /// Where its part of the memory begins; it keeps `length` samples in twice the room, the newest before `end`.
        var start = 0
        var length = 0
        var end = 0
        /// How many samples have been computed.
        var count = 0
        var noiseDensity = 1.0
    }

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
        var (allTaps, memoryCount): ([Float], Int) = ([], 0)
        let copies = (0..<levelCount).map { level in
            let factor = base << level
            let (taps, power) = design(factor: factor)
            let kept = length / factor + hop / factor + 16
            defer {
                allTaps += taps
                memoryCount += 2 * kept
            }
            // Unit white noise has the density 1/F in the pass band of the copy and the power Σ h² in all.
            return Copy(
                tapOffset: allTaps.count, start: memoryCount, length: kept, end: kept,
                noiseDensity: factor == 1 ? 1 : 1 / (Double(factor) * power))
        }
        taps = SampleBuffer(copying: allTaps)
        memory = SampleBuffer(count: memoryCount)
        self.copies = SampleBuffer(copying: copies)
    }

    @_noLocks package func factor(_ level: Int) -> Int { base << level }

    /// How many samples of a copy are available so far.
    @_noLocks package func count(_ level: Int) -> Int {
        let factor = base << level
        let known = total - (factor == 1 ? 0 : 9 * factor)
        return known > 0 ? (known + factor - 1) / factor : 0
    }

    /// The density of white noise in the pass band of a copy, relative to its mean over the whole band.
    @_noLocks package func noiseDensity(_ level: Int) -> Double { copies.unsafeElements[level].noiseDensity }

    /// The newest `count` samples of a copy, oldest first. Valid until the next change.
    ///
    /// A copy is computed when it is asked for, so an unused copy costs nothing.
    @_noLocks package mutating func latest(_ count: Int, of level: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(count >= 0 && count <= copies.unsafeElements[level].length, "more samples than the copy keeps")
        bringUpToDate(level)
        let end = copies.unsafeElements[level].start + copies.unsafeElements[level].end
        return UnsafeMutableBufferPointer(rebasing: memory.unsafeElements[(end - count)..<end])
    }

    /// Takes in the last `count` samples of `window`, at most the `hop` of `init`.
    @_noLocks package mutating func update(from window: borrowing Span<Float>, newest count: Int) {
        let (room, first) = (input.extend(by: count), window.count - count)
        precondition(first >= 0, "more samples than the window holds")
        for n in 0..<count { room[n] = window[unchecked: first &+ n] }
        total += count
    }

    /// Forgets everything: silence from sample 0 on.
    @_noLocks package mutating func reset() {
        for level in 0..<levelCount {
            copies.unsafeElements[level].end = copies.unsafeElements[level].length
            copies.unsafeElements[level].count = 0
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
        var copy = copies.unsafeElements[level]
        guard copy.count < wanted, let samples = input.latest(input.length).baseAddress,
            let memory = memory.unsafeElements.baseAddress.map({ $0 + copy.start })
        else { return }
        // The input index of the first sample in view.
        let origin = total - input.length
        for index in max(copy.count, wanted - copy.length)..<wanted {
            if copy.end == 2 * copy.length {
                rt_copy(memory, memory + copy.length, copy.length * MemoryLayout<Float>.stride)
                copy.end = copy.length
            }
            memory[copy.end] = filtered(samples, around: index * factor - origin, factor, taps: copy.tapOffset)
            copy.end += 1
        }
        copy.count = wanted
        copies.unsafeElements[level] = copy
    }

    @_noLocks private func filtered(
        _ samples: UnsafeMutablePointer<Float>, around centre: Int, _ factor: Int, taps first: Int
    ) -> Float {
        guard factor > 1, let h = taps.unsafeElements.baseAddress.map({ $0 + first }) else { return samples[centre] }
        // The zeros of the padding lie before the first tap, where there is history.
        let count = paddedTapCount(factor)
        let x = samples + (centre + 9 * factor + 1 - count)
        // Using the symmetry of the taps would halve the products but not the loads, which dominate.
        return dotProduct(x, h, count)
    }
}

@_noLocks private func paddedTapCount(_ factor: Int) -> Int { (18 * factor + 1 + 15) / 16 * 16 }

/// A sinc that cuts at 0.4 of the copy's rate under a Kaiser window, scaled to leave zero frequency as it is, after zeros;
/// and the sum of the squares.
private func design(factor: Int) -> (taps: [Float], power: Double) {
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
    let padding = [Float](repeating: 0, count: paddedTapCount(factor) - values.count)
    return (padding + values.map { Float($0 / sum) }, values.reduce(0) { $0 + $1 * $1 } / (sum * sum))
}
