internal import Glibc

/// Whether the terminal's text is UTF-8, as the environment says: `LC_ALL`, else `LC_CTYPE`, else `LANG`.
public func terminalShowsUnicode() -> Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        guard let value = getenv(name), value.pointee != 0 else { continue }
        let text = String(cString: value).lowercased()
        return text.contains("utf-8") || text.contains("utf8")
    }
    return false
}

/// Whether colours may be used: not where `NO_COLOR` is set to anything (no-color.org).
public func terminalShowsColor() -> Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }
