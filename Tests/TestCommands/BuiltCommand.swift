public import Foundation

/// A command of ours as it was built, run the way a shell runs it.
public struct BuiltCommand: Sendable {
    /// Where the command lies.
    public let executable: URL

    /// What came of a run.
    public struct Outcome: Sendable {
        /// The exit status; 128 and more when a signal ended it, as shells have it.
        public let status: Int32
        /// All of standard output.
        public let output: String
        /// All of standard error.
        public let errors: String
        /// The lines of standard output.
        public var lines: [Substring] { output.split(separator: "\n") }
    }

    /// The command `name` from the folder `WELL_TEMPERED_BIN`, or from beside the test's own executable.
    public init(_ name: String) {
        let folder =
            ProcessInfo.processInfo.environment["WELL_TEMPERED_BIN"].map { URL(filePath: $0) }
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        executable = folder.appending(path: name)
    }

    /// The shell, to try our commands in a pipe of a shell.
    public init(shell: Void) { executable = URL(filePath: "/bin/bash") }

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - arguments: one string an argument; no shell comes between.
    ///   - input: what standard input delivers; nothing by default.
    ///   - environment: set over the test's own.
    ///   - limit: seconds after which the command is killed, which shows as status 137.
    public func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], limit: Double = 60
    ) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files and not pipes: nobody has to drain them, so nothing can lock up.
        func file(_ name: String, _ content: Data = Data()) throws -> FileHandle {
            let url = folder.appending(path: name)
            try content.write(to: url)
            return try FileHandle(forUpdating: url)
        }
        let (stdin, stdout, stderr) = (try file("in", input), try file("out"), try file("err"))
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        let killer = DispatchWorkItem { [pid = process.processIdentifier] in kill(pid, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: killer)
        process.waitUntilExit()
        killer.cancel()
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
        }
        let signaled = process.terminationReason == .uncaughtSignal
        return Outcome(
            status: process.terminationStatus + (signaled ? 128 : 0), output: try text("out"), errors: try text("err"))
    }
}

/// The top of the repository, from the place of this file.
public let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// A folder that lives as long as `body` runs.
public func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
