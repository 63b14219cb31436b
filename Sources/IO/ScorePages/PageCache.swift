internal import FoundationEssentials
internal import Glibc
internal import Platform

/// Pictures of pages in a folder of the user's cache, by the hash of their score. The oldest go when there are too many.
struct PageCache: Sendable {
    /// What a picture is.
    enum Format: String, Sendable, CaseIterable {
        case png, jpeg

        var contentType: String { "image/" + rawValue }
    }

    /// 512 MiB: three thousand pages.
    static let standardLimit = 512 << 20
    let folder: String
    private let limit: Int

    /// `$XDG_CACHE_HOME/well-tempered/pages`, or that below `~/.cache`.
    ///
    /// - SeeAlso: XDG Base Directory Specification 0.8.
    static var standardFolder: String {
        let environment = ProcessInfo.processInfo.environment
        // By the specification a path that is not absolute is ignored.
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        return "\(cache ?? (environment["HOME"] ?? home) + "/.cache")/well-tempered/pages"
    }

    /// Makes the folder if it does not exist.
    init(_ folder: String, limit: Int) throws(ScorePageError) {
        do {
            try SmallFile.makeFolder(folder)
        } catch {
            throw ScorePageError(problem: error.problem, remedy: error.remedy)
        }
        (self.folder, self.limit) = (folder, limit)
    }

    /// The picture of this name, if it is there.
    func page(_ name: String) -> RenderedPage? {
        for format in Format.allCases {
            let path = "\(folder)/\(name).\(format.rawValue)"
            if let page = Self.page(at: path, format) {
                // It is young again.
                utimensat(AT_FDCWD, path, nil, 0)
                return page
            }
        }
        return nil
    }

    /// Adds a picture that `write` writes into an empty file.
    func add(
        _ name: String, _ format: Format, write: (_ path: String) throws(ScorePageError) -> Void
    ) throws(ScorePageError) -> RenderedPage {
        // One process writes a name at a time; another process has another number.
        let draft = "\(folder)/.\(name).\(getpid())", path = "\(folder)/\(name).\(format.rawValue)"
        defer { unlink(draft) }
        try write(draft)
        guard Self.page(at: draft, format) != nil, rename(draft, path) == 0, let page = Self.page(at: path, format)
        else {
            throw ScorePageError(
                problem: "cannot draw into the folder \"\(folder)\"",
                remedy: "make room on its disk, or see who owns it")
        }
        trim(except: path)
        return page
    }

    private static func page(at path: String, _ format: Format) -> RenderedPage? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Our own pictures have no Exif: their size stands at the beginning.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, let header = ImageHeader(Array(bytes.prefix(count))), header.format == format.header else {
            return nil
        }
        return RenderedPage(
            path: path, contentType: format.contentType, width: header.width, height: header.height)
    }

    /// Deletes the oldest files until the rest fits.
    private func trim(except newest: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        var files = names.compactMap { name -> (path: String, bytes: Int, used: Int)? in
            var status = stat()
            let path = folder + "/" + name
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (path, Int(status.st_size), status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
        var sum = files.reduce(0) { $0 + $1.bytes }
        guard sum > limit else { return }
        files.sort { $0.used < $1.used }
        for file in files where sum > limit && file.path != newest {
            if unlink(file.path) == 0 { sum -= file.bytes }
        }
    }
}

extension PageCache.Format {
    fileprivate var header: ImageHeader.Format {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        }
    }
}
