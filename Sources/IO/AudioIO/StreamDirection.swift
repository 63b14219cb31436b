/// Which way sound goes through a device.
package enum StreamDirection: String, Codable, Sendable, Hashable {
    /// From the device into the program.
    case capture
    /// Out of the program to the device.
    case playback
}
