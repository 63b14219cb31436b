public import Foundation

/// A built command, run as a shell runs it.
public struct BuiltCommand: Sendable {
    /// Where the command lies.
    public let executable: URL

    /// The result of a run.
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
    ///   - environment: set over the test's own. Without `ALSA_CONFIG_PATH` in it there is no sound device: neither the
    ///     machine's nor the card that another test of this process has set up.
    ///   - workplace: the folder in which it runs; the test's own by default.
    ///   - limit: seconds of a machine that does nothing else after which the command is killed, which shows as status 137.
    ///   - isEnough: called with the output's file from time to time; true sends Ctrl-C.
    public func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], in workplace: URL? = nil,
        limit: Double = 60, isEnough: ((_ output: URL) -> Bool)? = nil
    ) throws -> Outcome {
        let folder = temporaryPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files instead of pipes, which would block when nobody reads them.
        func file(_ name: String, _ content: Data = Data()) throws -> FileHandle {
            let url = folder.appending(path: name)
            try content.write(to: url)
            return try FileHandle(forUpdating: url)
        }
        let (stdin, stdout, stderr) = (try file("in", input), try file("out"), try file("err"))
        // posix_spawn cannot change the folder; `env -C` does, and then becomes the program.
        let program = workplace.map { ["/usr/bin/env", "-C", $0.path(), executable.path()] } ?? [executable.path()]
        let status = try Self.spawn(
            program[0], program.dropFirst() + arguments,
            environment: ProcessInfo.processInfo.environment.merging(["ALSA_CONFIG_PATH": "/dev/null"]) { $1 }
                .merging(environment) { $1 },
            streams: [stdin.fileDescriptor, stdout.fileDescriptor, stderr.fileDescriptor], limit: limit,
            isEnough: isEnough.map { isEnough in { isEnough(folder.appending(path: "out")) } })
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
        }
        return Outcome(status: status, output: try text("out"), errors: try text("err"))
    }

    /// How much longer a command may take than on a machine that does nothing else. Where two busy loops and another run of
    /// `make check` share two cores (load 13), one that takes 30 s of a core by itself was not over after 300 s.
    private static let patience = 15.0

    /// Starts a process in a group of its own and waits for it.
    ///
    /// Foundation's `Process` waits for every grandchild that inherited a descriptor, which never ends if the command
    /// starts a daemon.
    private static func spawn(
        _ path: String, _ arguments: [String], environment: [String: String], streams: [Int32], limit: Double,
        isEnough: (() -> Bool)?
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(target))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that the time limit ends all of it. No signal is blocked.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Ctrl-C works although the tests may run in the background.
        var interrupt = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &interrupt)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        func terminated(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] { strings.map { strdup($0) } + [nil] }
        let argv = terminated([path] + arguments)
        let envp = terminated(environment.map { "\($0)=\($1)" })
        defer { for string in argv + envp { free(string) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, path, &actions, &attributes, argv, envp)
        guard failure == 0 else { throw CannotRun(path: path, reason: String(cString: strerror(failure))) }
        let deadline = ContinuousClock.now + .seconds(limit * patience)
        var status: Int32 = 0
        var isInterrupted = false
        while waitpid(pid, &status, WNOHANG) == 0 {
            if !isInterrupted, let isEnough, isEnough() { isInterrupted = kill(-pid, SIGINT) == 0 }
            if ContinuousClock.now > deadline { kill(-pid, SIGKILL) }
            usleep(2_000)
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// The command could not be started.
public struct CannotRun: Error, CustomStringConvertible {
    let path: String
    let reason: String
    /// What could not be started, and why.
    public var description: String { "cannot run \(path): \(reason)" }
}

/// The top of the repository, from the place of this file.
public let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// A new path in the folder for temporary files.
///
/// Its name is of letters that are in no note's name and no number: a test that looks for "E4" in a message which names a
/// file must not find it there.
public func temporaryPath() -> URL {
    let letters = "klmnpqrtvwxyz"
    return FileManager.default.temporaryDirectory.appending(
        path: "wt-" + String((0..<20).map { _ in letters.randomElement() ?? "k" }))
}

/// A folder that lives as long as `body` runs.
public func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = temporaryPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
