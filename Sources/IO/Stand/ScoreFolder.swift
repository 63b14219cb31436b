internal import FoundationEssentials
internal import Glibc

/// The files of a folder that may be scores.
enum ScoreFolder {
    private static let endings: Set<String> = ["pdf", "png", "jpg", "jpeg"]
    /// A picture of 64 megapixels, or a page that was drawn.
    private static let mostBytes = 32 << 20

    /// The scores of the folder and the folders in it, in the order of their paths. What begins with a point is hidden.
    static func files(in folder: String) -> [(path: String, stamp: ScoreShelf.Stamp)] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            guard !name.hasPrefix("."), !name.contains("/."),
                let ending = name.split(separator: ".").last, endings.contains(ending.lowercased())
            else { return nil }
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (
                path,
                .init(
                    size: Int(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
            )
        }
    }

    /// The name of a file without its ending.
    static func title(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    /// The content of a picture; `nil` where it is gone or too large.
    static func bytes(of path: String) throws -> [UInt8]? {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= mostBytes else { return nil }
        return [UInt8](data)
    }
}
