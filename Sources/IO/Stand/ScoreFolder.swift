internal import FoundationEssentials
internal import Glibc

/// The files of a folder that may be scores.
enum ScoreFolder {
    private static let endings: Set<String> = ["pdf", "png", "jpg", "jpeg"]

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
}
