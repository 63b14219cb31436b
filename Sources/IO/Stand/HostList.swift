internal import Glibc
internal import NIOCore

/// The names under which the server may be addressed. A page of another site that resolves its own name to this machine (DNS
/// rebinding) sends its own name, as Host and as Origin alike, and is refused.
package struct HostList: Sendable {
    private let names: Set<String>
    private let port: Int
    private let isEncrypted: Bool
    /// The port that no address names.
    private let silentPort: Int

    /// - Parameters:
    ///   - allowed: further names, such as that of a reverse proxy, with or without a port.
    ///   - isEncrypted: whether the server itself speaks https.
    package init(port: Int, isOnLAN: Bool, allowed: [String] = [], isEncrypted: Bool = false) {
        var names: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
        if isOnLAN, let name = Self.machineName { names.formUnion([name, name + ".local"]) }
        let silentPort = isEncrypted ? 443 : 80
        (self.port, self.isEncrypted, self.silentPort) = (port, isEncrypted, silentPort)
        let own = names.flatMap { port == silentPort ? [$0, "\($0):\(port)"] : ["\($0):\(port)"] }
        self.names = Set(own).union(allowed.flatMap { [$0.lowercased(), "\($0.lowercased()):\(port)"] })
    }

    /// Whether this can be the Host of a request: a name of letters, digits, dots and hyphens or an address, and perhaps a port.
    package static func isName(_ text: String) -> Bool {
        var name = text.utf8[...]
        if let colon = name.lastIndex(of: UInt8(ascii: ":")), name.last != UInt8(ascii: "]") {
            guard let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port) else { return false }
            name = name[..<colon]
        }
        if name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") {
            var bytes = [UInt8](repeating: 0, count: 16)
            return inet_pton(AF_INET6, String(text[name.startIndex..<name.endIndex].dropFirst().dropLast()), &bytes)
                == 1
        }
        // RFC 1123, section 2.1, and the underscore that some names in local networks have.
        return (1...253).contains(name.count)
            && name.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains($0)
            }
    }

    private static var machineName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.isEmpty ? nil : name.lowercased()
    }

    /// Whether a request may have this Host: a name of the list, or the address at which the connection arrived, which no name
    /// can stand for.
    func allows(_ host: String, arrivedAt address: SocketAddress?) -> Bool {
        let host = host.lowercased()
        if names.contains(host) { return true }
        guard let address, let arrived = address.ipAddress else { return false }
        let literal = Self.literal(arrived)
        return host == "\(literal):\(port)" || (port == silentPort && host == literal)
    }

    /// Whether a page of this Origin may talk to this Host. In front of a server that does not encrypt a proxy may.
    func allows(origin: String, host: String) -> Bool {
        let (origin, host) = (origin.lowercased(), host.lowercased())
        return origin == "https://" + host || (!isEncrypted && origin == "http://" + host)
    }

    /// An address as it stands in a URL.
    static func literal(_ address: String) -> String {
        // An IPv4 address that arrived on a socket for both.
        if address.lowercased().hasPrefix("::ffff:"), address.contains(".") { return String(address.dropFirst(7)) }
        return address.contains(":") ? "[\(address.prefix { $0 != "%" })]" : address
    }
}
