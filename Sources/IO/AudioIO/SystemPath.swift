internal import Glibc
internal import Synchronization

/// File names whose bytes are no UTF-8. As text, such bytes have become U+FFFD.
package enum SystemPath {
    private static let undecodable = Mutex<[String: [CChar]]>([:])

    /// Remembers the bytes of a name that a program was given, by its text.
    package static func remember(_ raw: UnsafePointer<CChar>) {
        let name = String(cString: raw)
        guard name.unicodeScalars.contains("\u{FFFD}") else { return }
        undecodable.withLock { $0[name] = Array(UnsafeBufferPointer(start: raw, count: strlen(raw) + 1)) }
    }

    /// Whether there is a file, or anything else, of this name.
    package static func exists(_ path: String) -> Bool { with(path) { access($0, F_OK) == 0 } }

    /// Passes a name to the system byte by byte.
    internal static func with<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let raw = undecodable.withLock { $0[path] }
        return raw?.withUnsafeBufferPointer { $0.baseAddress.map(body) } ?? path.withCString(body)
    }
}
