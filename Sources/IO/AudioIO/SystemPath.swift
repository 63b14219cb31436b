/// Passes a file name to the system byte by byte as it was typed.
///
/// A name on Linux consists of bytes, but Swift's arguments are text, in which bytes that are no UTF-8 have become U+FFFD. So
/// a name that contains one is looked up among the program's raw arguments.
internal func withSystemPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    if path.unicodeScalars.contains("\u{FFFD}") {
        for index in 0..<Int(CommandLine.argc) {
            if let raw = CommandLine.unsafeArgv[index], String(cString: raw) == path { return body(raw) }
        }
    }
    return path.withCString(body)
}
