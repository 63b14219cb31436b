import CAllocationProbe
import Glibc

/// What this process holds at one moment.
struct Footprint {
    /// Memory in RAM, in pages of 4 KiB.
    let pages: Int
    /// Bytes that `malloc` has handed out and not got back.
    let heap: Int
    /// Open files, the one that lists them not counted.
    let handles: Int

    static func now() -> Footprint {
        Footprint(pages: residentPages(), heap: allocation_probe_bytes(), handles: openFiles())
    }

    private static func residentPages() -> Int {
        var text = [UInt8](repeating: 0, count: 128)
        let file = open("/proc/self/statm", O_RDONLY)
        defer { close(file) }
        let count = read(file, &text, text.count)
        let words = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    private static func openFiles() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) { count += entry.pointee.d_name.0 == 46 ? 0 : 1 }
        return count - 1
    }
}
