/// How the server is set up.
package struct StandOptions: Sendable {
    /// The port; 0 takes any that is free, for tests.
    package var port = 8462
    /// Whether other machines may connect.
    package var isOnLAN = false
    /// Further names that a Host may have.
    package var allowedHosts: [String] = []
    /// Whether devices see and hear, and change nothing.
    package var isReadOnly = false
    /// What a device has to know; `nil`: nothing.
    package var token: AccessToken?
    /// What encrypts the connections; `nil`: nothing.
    package var encryption: StandEncryption?
    /// The clock whose times are served.
    package var clock = StandClock()
    package var limits = StandLimits()
    /// Whether it goes on where an earlier run was cut off.
    package var goesOn = false
    /// The name and version of the program.
    package var program = "musicstand"

    package init() {}
}
