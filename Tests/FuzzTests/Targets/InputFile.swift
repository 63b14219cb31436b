import Glibc

/// Calls `body` with the path of a file of these bytes. It lies in memory, and its name is gone before it is read: targets that run
/// beside each other cannot meet, and nothing is left behind, even where one ends the process.
func withFile(_ bytes: UnsafeRawBufferPointer, _ body: (String) -> Void) {
    var name = template
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return noRoom() }
    unlink(name)
    defer { close(descriptor) }
    fill(descriptor, bytes)
    body("/proc/self/fd/\(descriptor)")
}

/// Calls `body` with the path of a file of these bytes, in a new folder in memory, for readers that write it or keep others beside
/// it, and removes both.
///
/// A fault of a target leaves it: `fuzz.sh` has a folder for them all, which it removes.
func withFolder(holding bytes: UnsafeRawBufferPointer, as file: String, _ body: (String) -> Void) {
    var name = template
    guard mkdtemp(&name) != nil else { return noRoom() }
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { removeFolder(folder) }
    let path = folder + "/" + file
    write(bytes, to: path)
    body(path)
}

/// Its last letters become a name that nobody has.
private let template: [CChar] = {
    let place = getenv("FUZZ_FOLDER").map { String(cString: $0) } ?? "/dev/shm"
    return Array("\(place)/well-tempered-fuzz-XXXXXX".utf8CString)
}()

private func write(_ bytes: UnsafeRawBufferPointer, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return noRoom() }
    fill(descriptor, bytes)
    close(descriptor)
}

/// An input that is not there is read by nobody, and would count as one that was.
private func noRoom() { preconditionFailure("no file for an input: \(String(cString: strerror(errno)))") }

private func fill(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    if Glibc.write(descriptor, start, bytes.count) != bytes.count { noRoom() }
}

/// Removes a folder of files.
private func removeFolder(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
        // Of "." and ".." the system says no.
        withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                _ = unlinkat(dirfd(folder), $0, 0)
            }
        }
    }
    closedir(folder)
    rmdir(path)
}
