internal import CLinuxCalls

/// What the C library does with memory that is freed.
package enum FreedMemory {
    /// Gives each block of so many bytes or more back to the system, for a process that needs large ones now and then.
    package static func giveBack(from byteCount: Int) { linux_return_blocks(Int32(clamping: byteCount)) }
}
