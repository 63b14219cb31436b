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
