private import CRealtime

/// A tuning for the audio thread: the notes' pitches in memory of its own, looked up without a lock or an allocation.
///
/// Make it, and let it go, off the audio thread.
public struct TuningTable: ~Copyable, Sendable {
    /// A note that was found.
    @frozen public struct Match: BitwiseCopyable, Sendable {
        /// The key that sounds it.
        public let key: Note
        /// Where it belongs.
        public let frequency: Hertz
        /// How far off the frequency was; positive is sharp.
        public let deviation: Cents

        @_noLocks init(key: Note, frequency: Hertz, deviation: Cents) {
            self.key = key
            self.frequency = frequency
            self.deviation = deviation
        }
    }

    private let reference: Hertz
    // Unsafe memory, since an array may not be lent as a span on the audio thread. Written once, here.
    private nonisolated(unsafe) let positions: UnsafeMutableBufferPointer<Double>
    private nonisolated(unsafe) let keys: UnsafeMutableBufferPointer<Int>

    /// Copies the notes of a tuning. Allocates: 16 bytes a note.
    public init(_ tuning: borrowing Tuning) {
        reference = tuning.reference
        positions = .allocate(capacity: tuning.count)
        keys = .allocate(capacity: tuning.count)
        _ = positions.initialize(from: tuning.positions)
        _ = keys.initialize(from: tuning.keys)
    }

    deinit {
        positions.deallocate()
        keys.deallocate()
    }

    /// The note nearest to a frequency: the same answer as `Tuning.nearest(to:)`, to the last bit.
    ///
    /// - Parameter frequency: 1 Hz to 100 kHz; otherwise the result is `nil`.
    /// - Complexity: O(log count); no allocation, no locks.
    @_noLocks public func nearest(to frequency: Hertz) -> Match? {
        guard frequency.value >= 1, frequency.value <= 100_000 else { return nil }
        let position = 1_200 * rt_log2(frequency / reference)
        let index = nearestPosition(in: UnsafeBufferPointer(positions).span, to: position)
        let found = positions[index]
        return Match(
            key: Note(midi: keys[index]), frequency: reference.raised(by: Cents(found)),
            deviation: Cents(position - found))
    }
}
