internal import Glibc
internal import Platform

/// The secret that a device on the network must know: 128 bits from the system, in 22 letters of base64url.
package struct AccessToken: Sendable {
    package let text: String

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// A new token.
    package init() {
        // getrandom, on Linux.
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var (text, bits, count) = ([UInt8](), UInt32(0), 0)
        for byte in bytes + [0] {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6, text.count < 22 {
                text.append(Self.letters[Int(bits >> UInt32(count - 6)) & 63])
                count -= 6
            }
        }
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// A token that was kept; `nil` if it is none.
    package init?(text: String) {
        guard text.utf8.count == 22, text.utf8.allSatisfy({ Self.letters.contains($0) }) else { return nil }
        self.text = text
    }

    /// The token in a file, which is made for its owner only if it does not exist.
    package static func kept(at path: String) throws -> AccessToken {
        if let bytes = try? SmallFile.read(path, kind: "a token", mayBePipe: false) {
            let text = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
            if let token = AccessToken(text: text) { return token }
        }
        let token = AccessToken()
        try SmallFile.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        let mask = umask(0o077)
        defer { umask(mask) }
        unlink(path)
        try SmallFile.write(Array((token.text + "\n").utf8), to: path)
        return token
    }

    /// The token of a run: a new one, or where the run goes on after a crash, the one that it had, with which the devices around
    /// it come back by themselves.
    package static func ofRun(at path: String, goesOn: Bool) -> AccessToken {
        if !goesOn { forget(at: path) }
        // What cannot be kept is not gone back to.
        return (try? kept(at: path)) ?? AccessToken()
    }

    package static func forget(at path: String) { unlink(path) }

    /// Whether a guess is right. Takes as long for a guess that is wrong at its end as for one that is wrong at its beginning.
    func matches(_ guess: some StringProtocol) -> Bool {
        let (mine, other) = (Array(text.utf8), Array(guess.utf8))
        guard mine.count == other.count else { return false }
        return zip(mine, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
