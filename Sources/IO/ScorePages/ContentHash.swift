internal import CMessageDigest
internal import Glibc

/// The first 16 bytes of the SHA-256 of a file: the same score has the same pages, whatever its name.
enum ContentHash {
    /// The hash of an open file from its beginning; `nil` where reading fails.
    static func ofFile(_ descriptor: Int32) -> [UInt8]? {
        var state = SHA2_CTX()
        SHA256Init(&state)
        var block = [UInt8](repeating: 0, count: 1 << 18)
        var place: off_t = 0
        while true {
            let count = pread(descriptor, &block, block.count, place)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            SHA256Update(&state, block, count)
            place += off_t(count)
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256Final(&digest, &state)
        return Array(digest.prefix(16))
    }
}
