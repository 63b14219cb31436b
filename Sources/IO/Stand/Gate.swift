internal import NIOCore
internal import NIOHTTP1

/// Decides who may enter. Used on the event loop only.
final class Gate {
    let options: StandOptions
    private let hosts: HostList
    private var wrongTokens: WrongTokens
    let connections: Connections
    /// Ports share cookies, so its name holds the port.
    private let cookie: String

    init(_ options: StandOptions, port: Int) {
        self.options = options
        hosts = HostList(
            port: port, isOnLAN: options.isOnLAN, allowed: options.allowedHosts,
            isEncrypted: options.encryption != nil)
        wrongTokens = WrongTokens(most: options.limits.wrongTokens)
        connections = Connections(most: options.limits.connections)
        cookie = "stand-\(port)"
    }

    enum Verdict: Equatable {
        case welcome
        /// The token in the address is right: the browser gets a cookie and forgets the address.
        case redirected(setCookie: String)
        case refused(HTTPResponseStatus, String)
    }

    /// Checks Host, Origin and token of a request.
    ///
    /// - Parameter isLive: whether it is that of a WebSocket, which has to name its origin.
    func verdict(_ head: HTTPRequestHead, on channel: any Channel, isLive: Bool) -> Verdict {
        let hosts = head.headers["host"]
        guard hosts.count == 1, self.hosts.allows(hosts[0], arrivedAt: channel.localAddress) else {
            return .refused(.misdirectedRequest, "This is not the name of this music stand: use the address it shows.")
        }
        let origins = head.headers["origin"]
        if let origin = origins.first {
            guard origins.count == 1, self.hosts.allows(origin: origin, host: hosts[0]) else {
                return .refused(.forbidden, "A page of another site cannot use this music stand.")
            }
        } else if isLive {
            return .refused(.forbidden, "A connection has to name its origin.")
        }
        guard let token = options.token else { return .welcome }
        return verdict(head, token, address: channel.remoteAddress?.ipAddress ?? "")
    }

    /// Whether a request to become a WebSocket is what RFC 6455, 4.1 asks for: a GET with a key of sixteen bytes in base64.
    static func isHandshake(_ head: HTTPRequestHead) -> Bool {
        let keys = head.headers["sec-websocket-key"]
        guard head.method == .GET, keys.count == 1, let key = keys.first?.utf8, key.count == 24 else { return false }
        return key.dropLast(2).allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "+")
                || $0 == UInt8(ascii: "/")
        }
            && key.suffix(2).elementsEqual("==".utf8)
    }

    private func verdict(_ head: HTTPRequestHead, _ token: AccessToken, address: String) -> Verdict {
        if let guess = Self.key(in: head.uri) {
            if token.matches(guess) {
                // No plain connection is sent a cookie of an encrypted one.
                let secure = options.encryption == nil ? "" : "; Secure"
                return .redirected(
                    setCookie: "\(cookie)=\(token.text); Path=/; HttpOnly; SameSite=Strict\(secure)")
            }
            return refuse(address, isGuess: true, "This key is not the right one: scan the code again.")
        }
        let given = head.headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair -> Substring? in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == cookie ? parts[1] : nil
        }
        if given.contains(where: { token.matches($0) }) { return .welcome }
        return refuse(
            address, isGuess: !given.isEmpty, "Scan the code that the terminal of the music stand shows.")
    }

    /// Refuses whoever has no right key. The right one is always welcome: pages left open on devices behind one address go on
    /// with the key of an earlier start, and nobody guesses 128 bits.
    private func refuse(_ address: String, isGuess: Bool, _ words: String) -> Verdict {
        let now = NIODeadline.now()
        guard !wrongTokens.isBlocked(address, now: now) else {
            return .refused(.tooManyRequests, "Too many wrong keys: scan the code that the terminal shows.")
        }
        if isGuess { wrongTokens.add(address, now: now) }
        return .refused(.unauthorized, words)
    }

    /// The token in `/?k=TOKEN`.
    private static func key(in uri: String) -> Substring? {
        guard let question = uri.firstIndex(of: "?") else { return nil }
        return uri[uri.index(after: question)...].split(separator: "&").first { $0.hasPrefix("k=") }?.dropFirst(2)
    }
}
