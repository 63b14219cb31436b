internal import Glibc
internal import NIOCore

/// The connections that are open, and which of them gives way when there are too many. Used on the event loop only.
///
/// Anybody on the network can open as many connections as there may be, and keep them. So those who have not shown that they may
/// be here give way to the next one: the oldest of the address that has the most of them. Then those that ask for pages give
/// way, and a device never does.
final class Connections {
    private enum Standing: Int { case stranger, guest, device }

    private struct Connection {
        let channel: any Channel
        let origin: String
        /// The one that has come, or was let in, last has the largest.
        var age: Int
        var standing = Standing.stranger
    }

    private var all: [ObjectIdentifier: Connection] = [:]
    private var latest = 0
    private let most: Int

    init(most: Int) { self.most = most }

    /// Lets a connection in. Throws where only devices are there.
    func admit(_ channel: any Channel) throws(StandError) {
        if all.count >= most {
            guard let last = leaving() else { throw .full }
            all[ObjectIdentifier(last)] = nil
            last.close(promise: nil)
        }
        latest += 1
        let id = ObjectIdentifier(channel)
        all[id] = Connection(channel: channel, origin: Self.origin(channel.remoteAddress), age: latest)
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in all[id] = nil }
    }

    /// A request with the right key has come.
    func welcome(_ channel: any Channel) { promote(channel, .guest) }

    /// It is a device now.
    func becomeLive(_ channel: any Channel) { promote(channel, .device) }

    private func promote(_ channel: any Channel, _ standing: Standing) {
        latest += 1
        all[ObjectIdentifier(channel)]?.age = latest
        all[ObjectIdentifier(channel)]?.standing = standing
    }

    private func leaving() -> (any Channel)? {
        let strangers = all.values.filter { $0.standing == .stranger }
        let counts = Dictionary(strangers.map { ($0.origin, 1) }, uniquingKeysWith: +)
        let crowd = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        let candidates = crowd == nil ? all.values.filter { $0.standing == .guest } : strangers
        return candidates.filter { crowd == nil || $0.origin == crowd }.min { $0.age < $1.age }?.channel
    }

    /// The address; of IPv6 the network, which one machine has all addresses of.
    private static func origin(_ address: SocketAddress?) -> String {
        let text = HostList.literal(address?.ipAddress ?? "").filter { $0 != "[" && $0 != "]" }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        return bytes.prefix(8).map(String.init).joined(separator: ".")
    }
}
