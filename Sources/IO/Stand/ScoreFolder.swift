internal import Glibc
internal import Platform
internal import ScorePages

/// The files of a folder that may be scores.
enum ScoreFolder {
    private static let endings: Set<String> = ["pdf", "png", "jpg", "jpeg"]
    /// Folders in folders: more are a mistake, such as a disk that is mounted in itself.
    private static let deepest = 32

    /// What a look at a folder finds.
    struct Listing {
        /// In the order of their paths.
        var files: [(path: String, stamp: ScoreShelf.Stamp)] = []
        /// What cannot be looked at.
        var leftOut: [LeftOut] = []
    }

    /// The scores of the folder and the folders in it. What begins with a point is hidden.
    static func files(in folder: String) -> Listing {
        var listing = Listing()
        look(folder.hasSuffix("/") ? String(folder.dropLast()) : folder, "", 0, &listing)
        listing.files.sort { $0.path < $1.path }
        return listing
    }

    /// Looks at a folder inside of the first one; links to folders are not followed.
    private static func look(_ root: String, _ inside: String, _ depth: Int, _ listing: inout Listing) {
        func leave(_ name: String, _ problem: String, _ remedy: String) {
            listing.leftOut.append(LeftOut(name, paths: [], ScorePageError(problem: problem, remedy: remedy)))
        }
        guard depth <= deepest else {
            return leave(inside, "it lies in more than \(deepest) folders", "move it up")
        }
        guard let directory = opendir("\(root)/\(inside)") else {
            let reason = systemReason(errno)
            return leave(inside.isEmpty ? "the folder" : inside, "cannot look into it (\(reason))", "ask its owner")
        }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let first = bytes.first, first != UInt8(ascii: ".") else { continue }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                let shown = String(decoding: bytes, as: UTF8.self)
                guard isScore(shown) else { continue }
                leave(inside.isEmpty ? shown : "\(inside)/\(shown)", "its name is not UTF-8", "rename it")
                continue
            }
            let relative = inside.isEmpty ? name : "\(inside)/\(name)"
            let path = "\(root)/\(relative)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                look(root, relative, depth + 1, &listing)
            } else if isScore(name), let stamp = stamp(of: path) {
                listing.files.append((path, stamp))
            } else if isFolder(path) {
                leave(relative, "it is a link to a folder", "move the folder itself here")
            } else if isScore(name) {
                leave(relative, "it is neither a file nor a link to one", "copy the score into the folder")
            }
        }
    }

    /// The state of a file; `nil` where there is none.
    static func stamp(of path: String) -> ScoreShelf.Stamp? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return ScoreShelf.Stamp(
            size: Int(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Whether a path, or what it is a link to, is a folder.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func isScore(_ name: String) -> Bool {
        name.contains(".") && name.split(separator: ".").last.map { endings.contains($0.lowercased()) } ?? false
    }

    /// The name of a file without its ending.
    static func title(of path: String) -> String {
        // By bytes: a name may begin with a mark that combines with the slash.
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
        return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name).legible
    }
}
