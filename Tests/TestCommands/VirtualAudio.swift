import Foundation

/// A private, headless PipeWire with one virtual speaker and one virtual microphone, for as long as `body` runs.
///
/// Real alsa-lib, a real sound server, real time, no sound card. Missing programs are an error: a skipped test would prove
/// nothing.
public struct VirtualAudio: Sendable {
    /// The environment in which a program plays and records here.
    public let environment: [String: String]

    /// Starts the server in `folder`, runs `body`, stops the server.
    public static func run<Result>(_ body: (VirtualAudio) throws -> Result) throws -> Result {
        try withTemporaryFolder { folder in
            // A socket's path has at most 107 bytes, and some temporary folders have long paths.
            let name = "va-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
            let near = FileManager.default.temporaryDirectory.appending(path: name).path()
            let short = near.utf8.count < 80 ? near : "/tmp/\(name)"
            let script = repository.appending(path: "Tests/Rigs/virtual-audio.sh").path()
            let rig = ["VA_DIR": short, "VA_QUANTUM": "256"]
            let shell = BuiltCommand(shell: ())
            let started = try shell.run([script, "start"], environment: rig, limit: 120)
            defer {
                _ = try? shell.run([script, "stop"], environment: rig, limit: 30)
                try? FileManager.default.removeItem(atPath: short)
            }
            guard started.status == 0 else {
                throw VirtualAudioError(message: "the virtual sound card did not start: \(started.errors)")
            }
            let told = try shell.run([script, "env"], environment: rig, limit: 30)
            var environment: [String: String] = [:]
            for word in told.output.split(whereSeparator: \.isWhitespace) where word.contains("=") {
                let parts = word.split(separator: "=", maxSplits: 1)
                environment[String(parts[0])] = parts.count == 2 ? parts[1].trimmingCharacters(in: ["'"]) : ""
            }
            return try body(VirtualAudio(environment: environment))
        }
    }

    /// Runs a line of shell here, with `$BIN` the folder of our commands.
    public func shell(_ line: String, limit: Double = 120) throws -> BuiltCommand.Outcome {
        var environment = environment
        environment["BIN"] = BuiltCommand("tuner").executable.deletingLastPathComponent().path()
        return try BuiltCommand(shell: ()).run(["-c", line], environment: environment, limit: limit)
    }
}

/// The server did not start.
public struct VirtualAudioError: Error, CustomStringConvertible {
    let message: String
    /// The reason.
    public var description: String { message }
}
