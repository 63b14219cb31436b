internal import Configuration
internal import Platform

/// The text of a tempo map, or of what was taken for one.
///
/// Bytes that are no UTF-8, as in a comment in Latin-1, are read as U+FFFD: a comment may hold anything, and where an
/// entry has them the map's reader names their place.
func readTextFile(_ path: String) throws -> String {
    let bytes = try SmallFile.read(path, kind: "a tempo map")
    if let null = bytes.firstIndex(of: 0) {
        let before = String(decoding: bytes[..<null], as: UTF8.self)
        let lines = before.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        throw CommandError(
            .input, "\(path):\(lines.count):\((lines.last?.count ?? 0) + 1): a NUL byte, so this is not text",
            remedy: "name a tempo map or a tempo")
    }
    return String(decoding: bytes, as: UTF8.self)
}
