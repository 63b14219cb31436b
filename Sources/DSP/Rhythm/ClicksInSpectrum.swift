internal import CRealtime
internal import Realtime

/// What clicks may have left over in each band of a spectrum.
internal struct ClicksInSpectrum: ~Copyable, Sendable {
    /// The power in each band.
    let power: SampleBuffer<Float>
    /// At each frequency of a floor: the sum over the hops since the last spectrum, and the mean in the spectrum's window.
    private let new: SampleBuffer<Float>, mean: SampleBuffer<Float>
    private let place: SampleBuffer<Int>, scale: SampleBuffer<Float>
    /// Spectra until there is no click in the window.
    private var remaining = 0
    /// What a window keeps of what was in the one before.
    private static var kept: Float {
        @_noLocks get { 1 - Float(EmergingPartials.hops * OnsetSizes.hopLow) / Float(EmergingPartials.window) }
    }

    init(edges: [Int]) {
        power = SampleBuffer(count: edges.count - 1)
        new = SampleBuffer(count: ClickFloor.lowCount)
        mean = SampleBuffer(count: ClickFloor.lowCount)
        let bands = Array(zip(edges, edges.dropFirst()))
        // The power at one of the 64 frequencies of a floor lies in 8 bins; a Hann window has 3/8 of the energy of none.
        let window = Double(EmergingPartials.window)
        let perBin = window / 16 * 0.375 * window
        place = SampleBuffer(copying: bands.map { low, high in min(ClickFloor.lowCount - 1, (low + high) / 16) })
        scale = SampleBuffer(
            copying: bands.map { low, high in
                let frequency = Double(low + high - 1) * .pi / window
                return Float(Double(high - low) * perBin * OnsetStreams.emphasis(at: frequency))
            })
    }

    @_noLocks mutating func reset() {
        remaining = 0
        for n in 0..<power.count { power.unsafeElements[n] = 0 }
        for n in 0..<new.count { (new.unsafeElements[n], mean.unsafeElements[n]) = (0, 0) }
    }

    /// Takes in what may be left in a hop.
    @_noLocks mutating func add(_ floor: borrowing ClickFloor) {
        guard !floor.isZero else { return }
        remaining = 64
        for n in 0..<new.count { new.unsafeElements[n] += floor.low.unsafeElements[n] }
    }

    /// Ends the hops of a spectrum.
    @_noLocks mutating func endSpectrum() {
        guard remaining > 0 else { return }
        remaining -= 1
        for n in 0..<new.count {
            let newest = new.unsafeElements[n] / Float(EmergingPartials.hops)
            mean.unsafeElements[n] = Self.kept * mean.unsafeElements[n] + (1 - Self.kept) * newest
            new.unsafeElements[n] = 0
        }
        for band in 0..<power.count {
            power.unsafeElements[band] =
                remaining > 0 ? scale.unsafeElements[band] * mean.unsafeElements[place.unsafeElements[band]] : 0
        }
    }
}
