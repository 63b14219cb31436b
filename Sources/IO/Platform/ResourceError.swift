internal import Glibc
internal import Music

/// The system refused a thread, a descriptor or memory.
package struct ResourceError: ExplainedError, Hashable {
    /// What there is none left of, such as "thread".
    package let resource: String

    /// An error for want of `resource`.
    package init(_ resource: String) { self.resource = resource }

    package var problem: String { "the system has no \(resource) left" }
    package var remedy: String { "close other programs, or raise the limit (`ulimit -a`)" }
}

/// The system's words for an error number, in lower case as part of a sentence.
package func systemReason(_ number: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
    let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: text, as: UTF8.self).lowercased()
}
