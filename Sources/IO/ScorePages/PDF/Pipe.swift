internal import CLinuxCalls
internal import Glibc

/// What a child process writes, collected up to a limit.
struct Pipe {
    /// The two ends; negative where closed. `poll` overlooks a negative descriptor.
    private(set) var reading: Int32 = -1, writing: Int32 = -1
    private(set) var bytes: [UInt8] = []
    /// Whether there was more than the limit.
    private(set) var isOverflowing = false
    var isOpen: Bool { reading >= 0 }

    /// False where the system has no descriptors left.
    mutating func open() -> Bool {
        var ends: [Int32] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { return false }
        (reading, writing) = (ends[0], ends[1])
        return true
    }

    /// Reads once; closes at the end of the stream.
    mutating func read(atMost limit: Int) {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(reading, &block, block.count)
        if count < 0 && errno == EINTR { return }
        guard count > 0 else { return closeReading() }
        let room = max(0, limit - bytes.count)
        bytes.append(contentsOf: block.prefix(min(room, count)))
        if count > room { isOverflowing = true }
    }

    mutating func closeWriting() {
        if writing >= 0 { Glibc.close(writing) }
        writing = -1
    }

    private mutating func closeReading() {
        if reading >= 0 { Glibc.close(reading) }
        reading = -1
    }

    mutating func close() {
        closeReading()
        closeWriting()
    }
}
