internal import Glibc

/// Whether the terminal uses UTF-8 according to `LC_ALL`, `LC_CTYPE` or `LANG`, in this order.
package func terminalShowsUnicode() -> Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        guard let value = getenv(name), value.pointee != 0 else { continue }
        let text = String(cString: value).lowercased()
        return text.contains("utf-8") || text.contains("utf8")
    }
    return false
}

/// Whether colors may be used: not if `NO_COLOR` is set (no-color.org).
func terminalShowsColor() -> Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }
