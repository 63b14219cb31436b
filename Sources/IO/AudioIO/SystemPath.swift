/// Hands the bytes of a file's name to the system as they were typed.
///
/// A name on Linux is bytes, and arguments reach a Swift program as text: bytes that are no UTF-8 have become U+FFFD. So
/// a name with one in it is looked up among the program's own arguments, which still have them.
internal func withSystemPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    if path.unicodeScalars.contains("\u{FFFD}") {
        for index in 0..<Int(CommandLine.argc) {
            if let raw = CommandLine.unsafeArgv[index], String(cString: raw) == path { return body(raw) }
        }
    }
    return path.withCString(body)
}
