import CTerminal
import Foundation

/// A program on a terminal of its own: what it shows, and the moment it shows it.
final class Terminal {
    private let process: Int32
    /// Readable when the program has written something.
    let descriptor: Int32

    init?(_ command: [String]) {
        var arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var end: Int32 = -1
        process = run_in_terminal(&end, &arguments)
        descriptor = end
        if process <= 0 { return nil }
    }

    /// Presses a key.
    func press(_ key: Character) {
        let bytes = Array(String(key).utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// What it has shown since; empty at its end.
    func shown() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    deinit {
        kill(process, SIGINT)
        usleep(200_000)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(descriptor)
    }
}
