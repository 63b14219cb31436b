internal import CRealtime
internal import Realtime

/// The power that a click canceller may have left over, in the terms of the onset detector.
internal struct ClickFloor: ~Copyable, Sendable {
    /// Frequencies of the low band: every 62.5 Hz up to 4 kHz.
    static var lowCount: Int { @_noLocks get { 65 } }

    /// In each of the detector's bands.
    let bands: SampleBuffer<Float>
    /// At frequencies of the low band, before its pre-emphasis, so that their sum is the power.
    let low: SampleBuffer<Float>
    /// Above 5 kHz.
    var high: Float = 0
    /// Whether there is none.
    var isZero = true

    init(bandCount: Int) {
        bands = SampleBuffer(count: bandCount)
        low = SampleBuffer(count: Self.lowCount)
    }

    @_noLocks mutating func clear() {
        (high, isZero) = (0, true)
        for n in 0..<bands.count { bands.unsafeElements[n] = 0 }
        for n in 0..<low.count { low.unsafeElements[n] = 0 }
    }

    /// Adds the same power everywhere: a click that was never heard before deafens.
    @_noLocks mutating func add(everywhere power: Float) {
        isZero = false
        high += power
        for n in 0..<bands.count { bands.unsafeElements[n] += power }
        for n in 0..<low.count { low.unsafeElements[n] += power }
    }
}

/// Which features of the detector the cells of an echo belong to.
internal struct EchoFeatures: ~Copyable, Sendable {
    /// Bands, frequencies of the low band, and the high band: the features of a frame.
    let count: Int
    let bandCount: Int
    private let bandOf: SampleBuffer<Int>, lowOf: SampleBuffer<Int>
    private let lowScale: SampleBuffer<Float>
    private let bandScale: Float, highScale: Float
    private let firstHigh: Int
    private let sizes: EchoSizes

    init(sizes: EchoSizes, onsets: OnsetSizes, layout: OnsetBandLayout) {
        self.sizes = sizes
        bandCount = layout.count
        count = layout.count + ClickFloor.lowCount + 1
        let (window, cell) = (Double(onsets.window), Double(sizes.window))
        let spacing = sizes.sampleRate / cell
        bandOf = SampleBuffer(
            copying: (0..<sizes.bins).map { layout.band(of: Int((Double($0) * window / cell).rounded())) ?? -1 })
        // White noise of power 1 has W/2 in a cell; 3/8 N in a bin of the detector, of which W/N cells make one.
        let full = 512 / window
        bandScale = Float((window / cell) * (0.375 * window) / (cell / 2) * full * full)
        let lowRate = onsets.sampleRate / Double(onsets.decimation)
        let places = (0..<sizes.bins).map { bin -> Int in
            let frequency = Double(bin) * spacing
            guard frequency < lowRate / 2 else { return -1 }
            return min(ClickFloor.lowCount - 1, Int((frequency / lowRate * 128).rounded()))
        }
        lowOf = SampleBuffer(copying: places)
        lowScale = SampleBuffer(
            copying: (0..<ClickFloor.lowCount).map { place in
                let cells = Double(max(1, places.count { $0 == place }))
                return Float(0.9 / Double(onsets.decimation) / Double(ClickFloor.lowCount) / (cell / 2) / cells)
            })
        firstHigh = Int((min(5_000, 0.3 * sizes.sampleRate) / spacing).rounded(.up))
        highScale = Float(1 / (cell / 2) / Double(sizes.bins))
    }

    /// Writes the features of the variance that a click of a sound may leave at a time, frame by frame.
    @_noLocks func measure(
        _ echoes: borrowing ClickEchoes, _ sound: Int, at time: Int64, into features: UnsafeMutablePointer<Float>
    ) {
        let (variance, power) = (echoes.variance(sound), echoes.power(sound))
        let growth = echoes.growth(sound, at: time)
        let peak = echoes.sounds.unsafeElements[sound].peak
        let (cross, product) = (echoes.crossPower(sound), echoes.product(sound))
        let spectrum = echoes.spectrum(sound)
        for frame in 0..<sizes.frames {
            let row = features + frame * count
            let prior = echoes.prior(frame: frame, peak: peak)
            // What is not subtracted at the end.
            let rest = 1 - echoes.taper(frame * sizes.hop)
            let share = growth + rest * rest
            for n in 0..<count { row[n] = 0 }
            for bin in 0..<sizes.bins {
                let c = frame * sizes.bins + bin
                let coherent = min(ClickEchoes.coherent(cross[c], product[c]), prior * spectrum[bin])
                let value = variance[c] + share * power[c] + coherent
                if bandOf.unsafeElements[bin] >= 0 { row[bandOf.unsafeElements[bin]] += bandScale * value }
                let low = lowOf.unsafeElements[bin]
                if low >= 0 { row[bandCount + low] += lowScale.unsafeElements[low] * value }
                if bin >= firstHigh { row[count - 1] += highScale * value }
            }
        }
    }

    /// Adds the features of an echo around a time to a floor.
    ///
    /// - Parameters:
    ///   - bandTime, lowTime: the middle of the detector's spectrum and of its newest prediction, in samples after the start
    ///     of the echo; and half of what they reach over.
    @_noLocks func add(
        _ features: UnsafePointer<Float>, bandTime: Double, bandReach: Double, lowTime: Double, lowReach: Double,
        to floor: inout ClickFloor
    ) {
        let early = -Double(2 * sizes.lead)
        if bandTime > early - bandReach {
            let (before, after) = rows(features, bandTime, bandReach)
            for n in 0..<bandCount { floor.bands.unsafeElements[n] += max(before[n], after[n]) }
            floor.isZero = false
        }
        guard lowTime > early - lowReach else { return }
        let (before, after) = rows(features, lowTime, lowReach)
        for n in 0..<ClickFloor.lowCount {
            floor.low.unsafeElements[n] += max(before[bandCount + n], after[bandCount + n])
        }
        floor.high += max(before[count - 1], after[count - 1])
        floor.isZero = false
    }

    @_noLocks private func rows(
        _ features: UnsafePointer<Float>, _ time: Double, _ reach: Double
    ) -> (UnsafePointer<Float>, UnsafePointer<Float>) {
        let hop = Double(sizes.hop)
        let before = max(0, min(sizes.frames - 1, Int(rt_floor((time - reach) / hop))))
        let after = max(0, min(sizes.frames - 1, Int(rt_ceil((time + reach) / hop))))
        return (features + before * count, features + after * count)
    }
}
