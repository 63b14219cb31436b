internal import ArgumentParser
internal import Configuration
internal import MetronomeCLI
internal import Platform
internal import Stand
internal import Transport

/// `musicstand scores/ 120`: plays as the metronome does, and serves the page.
typealias MusicStandCommand = AccompaniedMetronome<ServingOptions>

/// Who may see the page, and how.
struct ServingOptions: CompanionOptions {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show scores on tablets and phones, in step with the metronome.",
        usage: """
            musicstand scores/ 120 --accent 4
            musicstand scores/ song.map --count-in 2 --lan
            """,
        discussion: """
            It plays what metronome plays with the same arguments, and serves one page to browsers: on this machine only, \
            unless --lan is given.
            """)

    @Flag(name: .customLong("lan"), help: "Let other devices on the network connect, with the key in the code.")
    var isOnLAN = false

    @Flag(name: .customLong("read-only"), help: "Let devices show and change nothing.")
    var isReadOnly = false

    @Option(help: ArgumentHelp("Listen on this port.", valueName: "N"))
    var port = 8462

    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp("Answer to this name too, as of a proxy; may be repeated.", valueName: "NAME"))
    var allowedHosts: [String] = []

    @Flag(name: .customLong("keep-token"), help: "Use the same key at the next start.")
    var keepsToken = false

    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp("Encrypt the connections with this certificate (PEM).", valueName: "FILE"))
    var certificate: String?

    @Option(
        name: .customLong("tls-key"), help: ArgumentHelp("The key of the certificate (PEM).", valueName: "FILE"))
    var certificateKey: String?

    @Option(
        name: .customLong("log-heard"),
        help: ArgumentHelp("Write each beat to a file, with the moment it was heard.", valueName: "FILE"))
    var heardLog: String?

    @Option(name: .customLong("clock-skew"), help: .hidden)
    var clockSkew = 0.0

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be at most 65535, not \(port).") }
        for name in allowedHosts where !HostList.isName(name) {
            throw ValidationError(
                "--allow-host must be a name such as stand.example, or one with a port, not \"\(name)\".")
        }
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together: give both.")
        }
        guard abs(clockSkew) <= 10_000 else { throw ValidationError("--clock-skew must be at most 10000 ppm.") }
    }

    func check(_ folder: String) throws {
        do {
            try ScoreShelf.check(folder)
            _ = try encryption()
        } catch StandError.withoutEncryption {
            throw CommandError(.usage, StandError.withoutEncryption)
        } catch let error as StandError {
            throw CommandError(.input, error)
        }
    }

    private func encryption() throws -> StandEncryption? {
        guard let certificate, let certificateKey else { return nil }
        return try StandEncryption(certificate: certificate, key: certificateKey)
    }

    func companion(_ folder: String) throws -> any PlayCompanion {
        do {
            return try StandCompanion(folder: folder, self)
        } catch let error as StandError {
            if case .portInUse = error { throw CommandError(.interrupted, error) }
            if case .noCache = error { throw CommandError(.output, error) }
            throw error
        }
    }

    /// What the server is told.
    func options() throws -> StandOptions {
        var options = StandOptions()
        (options.port, options.isOnLAN, options.isReadOnly) = (port, isOnLAN, isReadOnly)
        options.allowedHosts = allowedHosts
        options.clock = StandClock(partsPerMillion: clockSkew)
        options.encryption = try encryption()
        options.program = "musicstand \(productVersion)"
        return options
    }

    /// What a device has to know, where others than those of this machine may connect.
    func token(goesOn: Bool) throws -> AccessToken? {
        guard isOnLAN else { return nil }
        return keepsToken
            ? try AccessToken.kept(at: Self.path("stand-token"))
            : AccessToken.ofRun(at: Self.path("stand-run-token"), goesOn: goesOn)
    }

    /// Forgets the key of a run that ends as it should.
    func forgetToken() { if isOnLAN, !keepsToken { AccessToken.forget(at: Self.path("stand-run-token")) } }

    /// A file beside the store.
    private static func path(_ name: String) -> String {
        let store = StandStore.standardPath
        return store[..<(store.lastIndex(of: "/") ?? store.startIndex)] + "/" + name
    }
}
