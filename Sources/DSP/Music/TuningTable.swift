private import CRealtime

/// A tuning for the audio thread: finding a note neither locks nor allocates.
///
/// Create and destroy it off the audio thread.
package struct TuningTable: ~Copyable, Sendable {
    /// The nearest note.
    package struct Match: BitwiseCopyable, Sendable {
        /// Its key.
        package let key: Note
        /// Its frequency.
        package let frequency: Hertz
        /// The deviation from it; positive is sharp.
        package let deviation: Cents

        @_noLocks init(key: Note, frequency: Hertz, deviation: Cents) {
            self.key = key
            self.frequency = frequency
            self.deviation = deviation
        }
    }

    private let reference: Hertz
    // Unsafe memory, since an array cannot lend a span on the audio thread. Written once, in `init`.
    private nonisolated(unsafe) let positions: UnsafeMutableBufferPointer<Double>
    private nonisolated(unsafe) let keys: UnsafeMutableBufferPointer<Int>

    /// Copies the notes of a tuning. Allocates 16 bytes for each.
    package init(_ tuning: borrowing Tuning) {
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

    /// The note nearest to a frequency: the same result as `Tuning.nearest(to:)`, to the last bit.
    ///
    /// - Parameter frequency: 1 Hz to 100 kHz; otherwise the result is `nil`.
    /// - Complexity: O(log count); no allocation, no locks.
    @_noLocks package func nearest(to frequency: Hertz) -> Match? {
        guard frequency.value >= 1, frequency.value <= 100_000 else { return nil }
        let position = 1_200 * rt_log2(frequency / reference)
        let index = nearestPosition(in: UnsafeBufferPointer(positions).span, to: position)
        let found = positions[index]
        return Match(
            key: Note(midi: keys[index]), frequency: reference.raised(by: Cents(found)),
            deviation: Cents(position - found))
    }
}
