internal import AudioIO
internal import Music

/// Gives a device the system's time that has none of its own.
///
/// ALSA's `null`, and a `file` in front of it, take and give any number of frames at once and report no delay: without a
/// brake a stream would run a thousand times too fast, on a whole processor.
internal struct FreeRunner: Sendable {
    private var strikes = 0
    private var origin: (frame: Int64, time: MonotonicTime)?

    /// So often in a row a device has to move more than its whole buffer without a wait in between. A device with a clock
    /// can do that once, after the program was held up.
    private static let limit = 8

    /// Whether the device has no time of its own.
    internal var isFree: Bool { origin != nil }

    /// Takes in that `frames` were moved without a wait, the last of them being `position`, on a device that holds
    /// `bufferFrames`. True when that made it certain that the device has no time of its own.
    internal mutating func observe(moved frames: Int, position: Int64, bufferFrames: Int) -> Bool {
        guard origin == nil else { return false }
        strikes = frames > bufferFrames ? strikes + 1 : 0
        guard strikes >= FreeRunner.limit else { return false }
        origin = (position, .now())
        return true
    }

    /// The frame whose moment it is, if it were a device with a clock; `nil` when it is one.
    internal func position(at time: MonotonicTime, sampleRate: Int) -> Int64? {
        origin.map { $0.frame + Int64((time - $0.time).inSeconds * Double(sampleRate)) }
    }
}
