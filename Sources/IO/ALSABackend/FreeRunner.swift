internal import AudioIO

/// Paces a device without a clock by the system's clock.
///
/// ALSA's `null`, and a `file` in front of it, transfer any number of frames at once and report no delay. Unpaced, a stream
/// would use a whole processor.
internal struct FreeRunner: Sendable {
    private var unpacedTransfers = 0
    private var origin: (frame: Int64, time: MonotonicTime)?

    /// How often in a row a device without a clock transfers more than its buffer without a wait. A device with a clock can do
    /// that once, after the program was held up.
    private static let limit = 8

    /// Whether the device has no clock.
    internal var isFree: Bool { origin != nil }

    /// Notes that `frames` were transferred without a wait, up to `position`; true when that shows that the device has no
    /// clock.
    internal mutating func observe(moved frames: Int, position: Int64, bufferFrames: Int) -> Bool {
        guard origin == nil else { return false }
        unpacedTransfers = frames > bufferFrames ? unpacedTransfers + 1 : 0
        guard unpacedTransfers >= FreeRunner.limit else { return false }
        origin = (position, .now())
        return true
    }

    /// The frame at the converter, if the device had one; `nil` for a device with a clock.
    internal func position(at time: MonotonicTime, sampleRate: Int) -> Int64? {
        origin.map { $0.frame + Int64((time - $0.time).inSeconds * Double(sampleRate)) }
    }
}
