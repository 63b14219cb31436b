import Glibc
import NIOEmbedded
import NIOHTTP1

@testable import Stand

extension FuzzTarget {
    /// The file in which a token is kept, and its lines as what a request carries: its address, Host, Origin and cookies.
    static let token = FuzzTarget(name: "token", longest: 512) { bytes in
        withFolder(holding: bytes, as: "token") { path in
            guard let kept = try? AccessToken.kept(at: path) else { preconditionFailure("no token is kept") }
            precondition(AccessToken(text: kept.text)?.text == kept.text, "what is kept is no token")
            precondition((try? AccessToken.kept(at: path))?.text == kept.text, "the next start has another one")
            var status = stat()
            precondition(stat(path, &status) == 0 && status.st_mode & 0o077 == 0, "others may read it")
            for word in bytes.words {
                precondition(kept.matches(word) == kept.text.utf8.elementsEqual(word.utf8))
                if AccessToken(text: word) != nil { precondition(word.utf8.count == 22) }
            }
        }
        enter(bytes.words)
    }

    /// The token of the stand that the requests of a target ask for.
    private static let right = "WellTempered_token-012"

    /// Sees that nobody enters without the token, in the address or in a cookie.
    private static func enter(_ words: [String]) {
        var options = StandOptions()
        options.token = AccessToken(text: right)
        precondition(options.token != nil)
        let gate = Gate(options, port: 8_462)
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: words[0])
        for (name, word) in zip(["host", "origin"], words.dropFirst()) where !word.isEmpty {
            head.headers.add(name: name, value: word)
        }
        for word in words.dropFirst(3) { head.headers.add(name: "cookie", value: word) }
        for isLive in [false, true] {
            switch gate.verdict(head, on: channel, isLive: isLive) {
            case .welcome:
                precondition(head.headers["cookie"].contains { $0.contains("stand-8462=" + right) }, "without a cookie")
            case .redirected(let cookie):
                precondition(head.uri.contains("k=" + right), "without the token")
                precondition(cookie.hasPrefix("stand-8462=\(right);") && cookie.contains("HttpOnly"))
            case .refused(let status, _): precondition(status.code >= 400)
            }
        }
    }
}
