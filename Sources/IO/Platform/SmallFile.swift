internal import Glibc
internal import Music

/// Reads and writes files as a whole: settings, tempo maps, scales, tables, pictures.
package enum SmallFile {
    /// A file cannot be read or written.
    package struct Failure: ExplainedError, Hashable {
        /// Whether it was to be written.
        package let isOutput: Bool
        package let problem: String, remedy: String
    }

    /// 2 MiB: the longest of them, a tempo map, has 60,000 sections then, and what a reader makes of as many empty lines takes 100 MB.
    /// A larger file is a mistake, such as a device that never ends.
    package static let limit = 2 << 20

    /// All bytes of a file.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - kind: what the file should hold, for messages: `a tempo map`.
    ///   - mayBePipe: whether a pipe is read to its end, as the user may name one. Otherwise only a regular file is read: a
    ///     pipe in its place would make the program wait for ever.
    /// - Throws: `Failure`: no such file, a directory, no permission, more than `limit`, or what else the system says.
    package static func read(
        _ path: String, kind: String, mayBePipe: Bool = true
    ) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayBePipe ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw unreadable(path, kind, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, kind, errno) }
        guard mayBePipe || status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR else {
            throw notRegular(path, isOutput: false)
        }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, kind, errno) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: block.prefix(count))
            guard bytes.count <= limit else {
                throw Failure(
                    isOutput: false, problem: "\"\(path)\" has more than \(limit >> 20) MiB", remedy: "name \(kind)")
            }
        }
    }

    /// Replaces the content of a file, or creates it, in one step: a reader and a full disk find the old content or the new.
    ///
    /// - Throws: `Failure` with the system's reason.
    package static func replace(_ bytes: [UInt8], at path: String) throws(Failure) {
        var (path, mode) = (path, mode_t(0))
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists {
            guard status.st_mode & S_IFMT == S_IFREG else { throw notRegular(path, isOutput: true) }
            guard access(path, W_OK) == 0 else { throw unwritable(path, errno) }
            // The file itself, where the path is a symbolic link to it.
            if let real = realpath(path, nil) {
                path = String(cString: real)
                free(real)
            }
            mode = status.st_mode & 0o777
        }
        let draft = "\(path).new-\(getpid())"
        unlink(draft)
        do {
            try write(bytes, to: draft)
        } catch {
            unlink(draft)
            throw Failure(
                isOutput: true, problem: error.problem.replacing(draft, with: path), remedy: error.remedy)
        }
        // A new file has the mode that the mask of the process gives it.
        if exists { chmod(draft, mode) }
        guard rename(draft, path) == 0 else {
            let reason = errno
            unlink(draft)
            throw unwritable(path, reason)
        }
    }

    /// Makes a folder, and those above it that are missing, for their owner only, as the XDG Base Directory Specification
    /// asks of programs that create them.
    ///
    /// - Throws: `Failure` with the system's reason.
    package static func makeFolder(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw unwritable(path, errno)
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw unwritable(path, errno) }
    }

    /// Writes a file, replacing its content.
    ///
    /// - Throws: `Failure` with the system's reason.
    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw unwritable(path, errno) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let reason = errno
                close(descriptor)
                throw unwritable(path, reason)
            }
            written += count
        }
        // Some file systems report only here that the disk is full.
        guard close(descriptor) == 0 else { throw unwritable(path, errno) }
    }

    /// Refuses a file that could not be written, without touching it: for a program that works long before it writes.
    ///
    /// - Throws: `Failure` with the system's reason.
    package static func checkWritable(_ path: String) throws(Failure) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFDIR else { throw unwritable(path, EISDIR) }
            guard access(path, W_OK) == 0 else { throw unwritable(path, errno) }
            return
        }
        guard errno == ENOENT else { throw unwritable(path, errno) }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw unwritable(path, errno) }
    }

    private static func unreadable(_ path: String, _ kind: String, _ reason: Int32) -> Failure {
        let (problem, remedy) =
            switch reason {
            case ENOENT, ENOTDIR: ("there is no file \"\(path)\"", "check the name")
            case EISDIR: ("\"\(path)\" is a directory", "name \(kind) in it")
            case EACCES, EPERM: ("no permission to read \"\(path)\"", "ask its owner, or copy it")
            default: ("cannot read \"\(path)\" (\(systemReason(reason)))", "name another file")
            }
        return Failure(isOutput: false, problem: problem, remedy: remedy)
    }

    private static func notRegular(_ path: String, isOutput: Bool) -> Failure {
        Failure(
            isOutput: isOutput, problem: "\"\(path)\" is not a regular file",
            remedy: "move it away: an ordinary file belongs there")
    }

    private static func unwritable(_ path: String, _ reason: Int32) -> Failure {
        Failure(
            isOutput: true, problem: "cannot write \"\(path)\" (\(systemReason(reason)))",
            remedy: "choose another place, or make room")
    }
}
