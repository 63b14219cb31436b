internal import CRealtime
internal import Realtime
internal import Spectral

/// When partials that are new in a sound began: each is followed by itself, and their amplitudes rise together.
internal struct EmergingBeginning: ~Copyable, Sendable {
    /// Partials that are followed at most, and how many of them tell the time: those that stand out most clearly.
    static var candidates: Int { @_noLocks get { 10 } }
    private static var partials: Int { @_noLocks get { 4 } }
    /// Samples of the low band that are looked at: 208 ms, which hold 60 ms before a note that is found after 150 ms.
    static var reach: Int { @_noLocks get { 1_664 } }
    /// The samples of a Hann window: 40 ms, whose main lobe keeps what is 50 Hz away out.
    private static var window: Int { @_noLocks get { 320 } }
    /// Samples between two amplitudes: 2 ms.
    private static var step: Int { @_noLocks get { 16 } }
    private static var count: Int { @_noLocks get { (reach - window) / step + 1 } }
    /// Amplitudes that tell what was there before, 60 ms, and what has come to stay, 30 ms.
    private static var before: Int { @_noLocks get { 30 } }
    private static var after: Int { @_noLocks get { 15 } }
    /// The share of the rise at which a note begins, and the one that tells how fast it rises. A note that jumps to its level has 0.3 of
    /// it in this window 4 ms before it begins, a piano's soft ones when they do, and 0.6 some 6 ms later: three amplitudes.
    private static var begun: Float { @_noLocks get { 0.3 } }
    private static var grown: Float { @_noLocks get { 0.6 } }
    private static var jump: Double { @_noLocks get { 3.25 } }
    /// Of the time of a jump in samples, 5 ms, and for each sample that a note takes longer: of 14 flutes' and violins' notes that
    /// are found so 12 lie within two of it.
    private static var leastError: Double { @_noLocks get { 40 } }
    private static var slowness: Double { @_noLocks get { 1.5 } }
    /// How many times what was there before the new amplitude is at least.
    private static var clearance: Float { @_noLocks get { 1.5 } }

    /// The share of its largest amplitude that a partial keeps, at least: a sound that is cut off splashes, and silence follows.
    private static var stays: Float { @_noLocks get { 0.4 } }

    private let samples = SampleBuffer<Float>(count: reach)
    private var baseband = Baseband(reach: reach, longest: window)
    /// The amplitudes of the clearest partials, of one more, and their weighted sum.
    private let amplitudes = SampleBuffer<Float>(count: count * (partials + 1)), sum = SampleBuffer<Float>(count: count)
    /// Of each, what was there before as a share of its largest amplitude.
    private let shares = SampleBuffer<Float>(count: partials + 1)
    private var kept = 0

    init() { baseband.setWindow(Self.window) }

    /// Begins with the newest `reach` samples of the low band.
    @_noLocks mutating func start(_ newest: UnsafeMutableBufferPointer<Float>) {
        for n in 0..<Self.reach { samples.unsafeElements[n] = newest[n] }
        kept = 0
    }

    /// Adds the amplitude of a partial that has come to stay, as a share of what it has come to.
    ///
    /// - Parameter frequency: in radians a sample.
    @_noLocks mutating func add(partialAt frequency: Double) {
        baseband.shift(samples.unsafeElements, 0..<Self.reach, by: frequency)
        let amplitude = UnsafeMutableBufferPointer(
            rebasing: amplitudes.unsafeElements[(kept * Self.count)..<((kept + 1) * Self.count)])
        var (before, after, peak): (Float, Float, Float) = (0, 1e-12, 1e-12)
        for n in 0..<Self.count {
            let (x, y) = baseband.value(at: n * Self.step)
            amplitude[n] = Float(rt_sqrt(x * x + y * y))
            peak = max(peak, amplitude[n])
            if n < Self.before { before += amplitude[n] / Float(Self.before) }
            if n >= Self.count - Self.after { after += amplitude[n] / Float(Self.after) }
        }
        guard after > Self.stays * peak else { return }
        for n in 0..<Self.count { amplitude[n] /= after }
        shares.unsafeElements[kept] = before / peak
        kept += 1
        if kept > Self.partials { drop() }
    }

    /// Drops the partial that stands out least.
    @_noLocks private mutating func drop() {
        var least = 0
        for n in 1..<kept where shares.unsafeElements[n] > shares.unsafeElements[least] { least = n }
        kept -= 1
        shares.unsafeElements[least] = shares.unsafeElements[kept]
        for n in 0..<Self.count {
            amplitudes.unsafeElements[least * Self.count + n] = amplitudes.unsafeElements[kept * Self.count + n]
        }
    }

    /// How many samples of the low band ago the partials began, and its standard error; `nil` where they were there before.
    @_noLocks func find() -> (age: Double, standardError: Double)? {
        addUp()
        var base: Float = 0
        for n in 0..<Self.before { base += sum.unsafeElements[n] / Float(Self.before) }
        var (top, peak): (Int, Float) = (0, 0)
        for n in 0..<Self.count where sum.unsafeElements[n] > peak { (top, peak) = (n, sum.unsafeElements[n]) }
        guard peak > Self.clearance * base else { return nil }
        var first = top
        while first > 0, sum.unsafeElements[first] > base + Self.begun * (peak - base) { first -= 1 }
        guard first < top, first > 0 else { return nil }
        var second = first
        while second + 1 < top, sum.unsafeElements[second + 1] < base + Self.grown * (peak - base) { second += 1 }
        let begun = crossing(first, base + Self.begun * (peak - base))
        // What takes longer than a jump has risen along a line, which began before.
        let slow = max(0, crossing(second, base + Self.grown * (peak - base)) - begun - Self.jump) * Double(Self.step)
        let age = Double(Self.reach - Self.window / 2) - begun * Double(Self.step) + slow
        return (age, Self.leastError + Self.slowness * slow)
    }

    /// Where the sum reaches a level, between two amplitudes.
    @_noLocks private func crossing(_ place: Int, _ level: Float) -> Double {
        let (low, high) = (sum.unsafeElements[place], sum.unsafeElements[place + 1])
        return Double(place) + Double(max(0, min(1, (level - low) / max(1e-12, high - low))))
    }

    /// Adds the amplitudes up, those that stand out more clearly with more weight.
    @_noLocks private func addUp() {
        for n in 0..<Self.count { sum.unsafeElements[n] = 0 }
        for partial in 0..<kept {
            let rest = max(0, 1 - shares.unsafeElements[partial])
            let weight = rest * rest * rest * rest
            for n in 0..<Self.count {
                sum.unsafeElements[n] += weight * amplitudes.unsafeElements[partial * Self.count + n]
            }
        }
    }
}
