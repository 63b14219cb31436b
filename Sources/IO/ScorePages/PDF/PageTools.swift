internal import Glibc

/// The programs that read PDF, and those that keep them within limits.
///
/// A hostile PDF can ask for any time and memory, or break out of its reader. So a reader runs niced, with limits that it cannot
/// raise, and where bubblewrap is usable in a sandbox that holds programs and fonts, read-only, and no network.
struct PageTools: Sendable {
    /// Where programs are looked for.
    static let standardFolders = ["/usr/bin", "/bin", "/usr/local/bin"]
    private let folders: [String]
    /// For `prlimit`.
    private let limits: [String]
    /// Whether readers run in a sandbox.
    let isSandboxed: Bool
    /// Those that run.
    let programs = RunningPrograms()

    /// - Parameter processorSeconds: what a program may use. A page takes a tenth of a second; ten are enough for the largest scan.
    init(folders: [String] = standardFolders, processorSeconds: Int = 10) {
        self.folders = folders
        // 1 GiB holds a page of any size that is asked for; no picture of a page has 32 MiB.
        limits = ["--as=1073741824", "--cpu=\(processorSeconds)", "--fsize=33554432", "--nofile=64", "--core=0"]
        isSandboxed = Self.find("bwrap", in: folders).map(Self.works) ?? false
    }

    /// The path of a program; `nil` where it is not installed.
    func path(of program: String) -> String? { Self.find(program, in: folders) }

    /// The command line of an installed program, within limits.
    func command(_ program: String, package: String, _ arguments: [String]) throws(ScorePageError) -> [String] {
        guard let path = path(of: program) else { throw Self.missing(program, package: package) }
        let folders = ["/usr", "/bin", "/lib", "/lib64", "/etc/fonts", "/etc/alternatives", "/var/cache/fontconfig"]
        let isVisible = folders.contains { path.hasPrefix($0 + "/") }
        let view = folders.flatMap { ["--ro-bind-try", $0, $0] }
        return try limited([path] + arguments, view: isVisible ? view : ["--ro-bind", "/", "/"])
    }

    /// The command line of a program of ours, within the same limits. It may lie anywhere.
    func ownCommand(_ command: [String]) throws(ScorePageError) -> [String] {
        try limited(command, view: ["--ro-bind", "/", "/"])
    }

    private func limited(_ command: [String], view: [String]) throws(ScorePageError) -> [String] {
        guard let prlimit = path(of: "prlimit") else { throw Self.missing("prlimit", package: "util-linux") }
        // The sound has the processor first.
        let nice = path(of: "nice").map { [$0, "-n", "10"] } ?? []
        // A program that lies in /tmp is put back after /tmp has been emptied.
        let program = command.first.map { $0.hasPrefix("/tmp/") ? ["--ro-bind", $0, $0] : [] } ?? []
        let sandbox = isSandboxed ? path(of: "bwrap").map { [$0] + Self.isolation(view) + program } ?? [] : []
        return nice + [prlimit] + limits + ["--"] + sandbox + command
    }

    private static func isolation(_ view: [String]) -> [String] {
        view + [
            "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--unshare-all", "--die-with-parent",
            "--new-session",
        ]
    }

    private static func find(_ program: String, in folders: [String]) -> String? {
        folders.map { $0 + "/" + program }.first { access($0, X_OK) == 0 }
    }

    /// Whether a sandbox can be made here: not in every container, and not where the kernel forbids it to users.
    private static func works(_ bwrap: String) -> Bool {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(null) }
        let arguments = [bwrap] + isolation(["--ro-bind", "/", "/"]) + ["/usr/bin/true"]
        return (try? ChildProcess(command: arguments, input: null).run())?.end == .exited(0)
    }

    private static func missing(_ program: String, package: String) -> ScorePageError {
        ScorePageError(problem: "the program \"\(program)\" is missing", remedy: "install \(package)")
    }
}
