internal import CWellTempered

/// Writes status and message into the caller's struct, if there is one. A long message is cut after a whole character.
func report(_ status: wt_status, _ message: String, to error: UnsafeMutablePointer<wt_error>?) {
    guard let error else { return }
    error.pointee = wt_error()
    error.pointee.status = Int32(truncatingIfNeeded: status.rawValue)
    withUnsafeMutableBytes(of: &error.pointee.message) { bytes in
        var used = 0
        for character in message {
            let encoded = Array(String(character).utf8)
            guard used + encoded.count < bytes.count else { break }
            for byte in encoded {
                bytes[used] = byte
                used += 1
            }
        }
    }
}

/// Reports that there is no error.
func clear(_ error: UnsafeMutablePointer<wt_error>?) { error?.pointee = wt_error() }
