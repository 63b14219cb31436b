internal import Glibc
internal import Platform

/// A score opened for reading: a regular file, of bounded size, inside the folder of the scores.
///
/// A path that leaves the folder by a symbolic link is refused; so are pipes and devices, which would keep the reader waiting.
struct ScoreFile: ~Copyable {
    /// 256 MiB: a scanned opera has half of that.
    static let mostBytes = 256 << 20
    let descriptor: Int32
    /// Without symbolic links.
    let path: String
    let byteCount: Int

    /// Opens a file.
    ///
    /// - Parameter folder: the folder in which it must lie, when links have been followed; `nil`: anywhere.
    init(_ path: String, inside folder: String?) throws(ScorePageError) {
        guard let real = Self.realPath(path) else { throw Self.unreadable(path, errno) }
        if let folder {
            guard let root = Self.realPath(folder) else { throw Self.unreadable(folder, errno) }
            // By bytes: a name may begin with a mark that combines with the slash.
            guard real.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
                throw ScorePageError(
                    problem: "\"\(path)\" is a link that leads out of the folder of the scores",
                    remedy: "copy the score into the folder")
            }
        }
        // Nothing was a link when `realpath` looked; O_NOFOLLOW refuses what has become one since.
        let descriptor = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ScorePageError(problem: "\"\(path)\" is not a regular file", remedy: "name a PDF, PNG or JPEG file")
        }
        guard status.st_size <= Self.mostBytes else {
            close(descriptor)
            throw ScorePageError(problem: "\"\(path)\" has more than 256 MiB", remedy: "split it into several scores")
        }
        (self.descriptor, self.path, byteCount) = (descriptor, real, Int(status.st_size))
    }

    deinit { close(descriptor) }

    /// At most `count` bytes from the beginning.
    func read(atMost count: Int = mostBytes) throws(ScorePageError) -> [UInt8] { try read(from: 0, atMost: count) }

    /// At most `count` bytes from `offset` on.
    func read(from offset: Int, atMost count: Int) throws(ScorePageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, byteCount - offset)))
        var done = 0
        while done < bytes.count {
            let got = bytes[done...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw Self.unreadable(path, errno) }
            // Cut short since it was opened.
            guard got > 0 else { return Array(bytes.prefix(done)) }
            done += got
        }
        return bytes
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func unreadable(_ path: String, _ reason: Int32) -> ScorePageError {
        switch reason {
        case ENOENT, ENOTDIR: ScorePageError(problem: "there is no file \"\(path)\"", remedy: "check the name")
        case EACCES, EPERM:
            ScorePageError(problem: "no permission to read \"\(path)\"", remedy: "ask its owner, or copy it")
        default:
            ScorePageError(problem: "cannot read \"\(path)\" (\(systemReason(reason)))", remedy: "name another file")
        }
    }
}
