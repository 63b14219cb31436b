internal import Glibc

/// Whether two paths lead to one file, by any name or link; a file that does not exist is none.
package func isSameFile(_ first: String, _ second: String) -> Bool {
    var (a, b) = (stat(), stat())
    guard stat(first, &a) == 0, stat(second, &b) == 0 else { return false }
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino
}
