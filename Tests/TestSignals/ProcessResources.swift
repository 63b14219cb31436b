import Glibc

/// Memory of this process that is in RAM, in pages of 4 KiB.
public func residentPages() -> Int {
    var text = [UInt8](repeating: 0, count: 128)
    let file = open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    let count = read(file, &text, text.count)
    let words = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
}

/// Open files of this process, the one that lists them not counted.
public func openFiles() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
        count += entry.pointee.d_name.0 == CChar(bitPattern: UInt8(ascii: ".")) ? 0 : 1
    }
    return count - 1
}
