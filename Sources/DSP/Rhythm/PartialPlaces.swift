internal import Realtime

/// Which partials have left their places: what rises near the place of one may be that one, moved.
///
/// A partial that vibrates or glides rises in one band as it leaves another. One that rings on, fades or is damped stays the largest
/// around its place.
internal struct PartialPlaces: ~Copyable, Sendable {
    /// Bands to either side to which a partial may move within 0.1 s: 2.5 semitones, as a vibrato of a semitone to either side
    /// spans two. The nearest one holds the partial itself.
    private static var around: Int { @_noLocks get { 5 } }
    /// Spectra that are compared with: 64 to 96 ms ago, half of a window and more.
    private static var nearest: Int { @_noLocks get { 4 } }
    static var farthest: Int { @_noLocks get { 6 } }
    private static var length: Int { @_noLocks get { farthest + 1 } }

    private let count: Int
    /// The last spectra; in each band the largest of itself and its neighbours, and of those around these.
    private let power: SampleBuffer<Float>, near: SampleBuffer<Float>, far: SampleBuffer<Float>
    private var spectra = 0
    /// The largest that was near each band.
    let reference: SampleBuffer<Float>
    /// The largest power of a partial around each band that has left its place.
    let left: SampleBuffer<Float>
    /// The power of the partials that have left their places.
    private let leaving: SampleBuffer<Float>
    /// The share of the power that is lost from where it was, and the share of the partials' power that has left its place.
    private(set) var lost: Float = 0, moved: Float = 0

    init(count: Int) {
        self.count = count
        power = SampleBuffer(count: count * Self.length)
        near = SampleBuffer(count: count * Self.length)
        far = SampleBuffer(count: count * Self.length)
        reference = SampleBuffer(count: count)
        left = SampleBuffer(count: count)
        leaving = SampleBuffer(count: count)
    }

    @_noLocks mutating func reset() {
        for n in 0..<power.count {
            (power.unsafeElements[n], near.unsafeElements[n], far.unsafeElements[n]) = (0, 0, 0)
        }
        (spectra, lost, moved) = (0, 0, 0)
    }

    /// Compares a spectrum with those before it.
    @_noLocks mutating func add(_ newest: borrowing SampleBuffer<Float>) {
        let row = spectra % Self.length * count
        for band in 0..<count { power.unsafeElements[row + band] = newest.unsafeElements[band] }
        for band in 0..<count {
            near.unsafeElements[row + band] = largest(row, band - 1, band + 1)
            far.unsafeElements[row + band] = max(
                largest(row, band - Self.around, band - 2), largest(row, band + 2, band + Self.around))
        }
        compare(row)
        spectra += 1
    }

    /// The largest power of some bands.
    @_noLocks private func largest(_ row: Int, _ first: Int, _ last: Int) -> Float {
        var most: Float = 0
        for band in stride(from: max(0, first), through: min(count - 1, last), by: 1) {
            most = max(most, power.unsafeElements[row + band])
        }
        return most
    }

    @_noLocks private mutating func compare(_ row: Int) {
        var (before, gone): (Float, Float) = (1e-20, 0)
        var (partials, away): (Float, Float) = (1e-20, 0)
        for band in 0..<count {
            let (now, isLargest) = (
                power.unsafeElements[row + band], near.unsafeElements[row + band] >= far.unsafeElements[row + band]
            )
            var (most, reference, partial): (Float, Float, Float) = (0, 0, 0)
            for age in Self.nearest...Self.farthest where age <= spectra {
                let place = (spectra - age) % Self.length * count + band
                let (old, around) = (power.unsafeElements[place], near.unsafeElements[place])
                most = max(most, old)
                reference = max(reference, around)
                if old >= around && around > far.unsafeElements[place] { partial = max(partial, old) }
            }
            before += most
            gone += max(0, most - now)
            self.reference.unsafeElements[band] = reference
            leaving.unsafeElements[band] = isLargest ? 0 : partial
            partials += partial
            away += leaving.unsafeElements[band]
        }
        (lost, moved) = (gone / before, away / partials)
        for band in 0..<count {
            var most: Float = 0
            for other in max(0, band - Self.around)...min(count - 1, band + Self.around) {
                most = max(most, leaving.unsafeElements[other])
            }
            left.unsafeElements[band] = most
        }
    }
}
