import Foundation
import Glibc

/// A client that may also be a hostile one: it sends any bytes, on a blocking socket.
final class StandClient {
    let descriptor: Int32
    let port: Int
    private var buffer: [UInt8] = []

    /// Connects to a server of this machine.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        // So that a test that fails ends: nothing that is waited for takes nearly as long.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw ClientError.closed }
    }

    deinit { close(descriptor) }

    enum ClientError: Error { case closed }

    /// Sends bytes; false when the other end has closed.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Whether the other end closes, without another byte of a message that is expected.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, 0)
            if count > 0 { continue }
            return count == 0 || errno == ECONNRESET || errno == EPIPE
        }
    }

    // MARK: HTTP

    /// Sends a request and reads the head of its answer; empty when the other end closes.
    func request(_ target: String, _ headers: [(String, String)] = []) -> String {
        var text = "GET \(target) HTTP/1.1\r\n"
        let all = headers.contains { $0.0 == "Host" } ? headers : [("Host", "localhost:\(port)")] + headers
        for (name, value) in all { text += "\(name): \(value)\r\n" }
        send(Array((text + "\r\n").utf8))
        return head()
    }

    func head() -> String {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<end.upperBound)
                return head
            }
            guard fill() else { return "" }
        }
    }

    private func fill() -> Bool {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &block, block.count, 0)
        guard count > 0 else { return false }
        buffer += block.prefix(count)
        return true
    }

    // MARK: WebSocket

    /// Becomes a device; the status line of the answer.
    @discardableResult func upgrade(origin: String? = nil, cookie: String? = nil) -> String {
        var headers = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ]
        if origin != "" { headers.append(("Origin", origin ?? "http://localhost:\(port)")) }
        if let cookie { headers.append(("Cookie", cookie)) }
        return String(request("/live", headers).prefix { $0 != "\r\n" })
    }

    /// Sends a frame; a length that is told may differ from that of the payload.
    @discardableResult
    func frame(
        _ payload: [UInt8], opcode: UInt8 = 1, isLast: Bool = true, isMasked: Bool = true, length: UInt64? = nil
    ) -> Bool {
        let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]
        var bytes: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
        let (told, flag) = (length ?? UInt64(payload.count), UInt8(isMasked ? 0x80 : 0))
        switch told {
        case ..<126: bytes.append(flag | UInt8(told))
        case ..<65_536: bytes += [flag | 126, UInt8(told >> 8), UInt8(told & 255)]
        default: bytes += [flag | 127] + (0..<8).map { UInt8(truncatingIfNeeded: told >> (56 - 8 * UInt64($0))) }
        }
        if isMasked { bytes += mask }
        return send(bytes + payload.enumerated().map { isMasked ? $1 ^ mask[$0 % 4] : $1 })
    }

    @discardableResult func say(_ message: String) -> Bool { frame(Array(message.utf8)) }

    func hello(_ device: String = String(repeating: "0", count: 32), since: Int64 = 0) {
        say("{\"type\":\"hello\",\"device\":\"\(device)\",\"name\":\"test\",\"since\":\(since)}")
    }

    /// The next frame of a text or a close; `nil` when the other end closes. Pings are answered.
    func next() -> (opcode: UInt8, payload: [UInt8])? {
        while true {
            guard let start = take(2) else { return nil }
            var length = Int(start[1] & 127)
            if length == 126 {
                guard let more = take(2) else { return nil }
                length = Int(more[0]) << 8 | Int(more[1])
            } else if length == 127 {
                guard let more = take(8) else { return nil }
                length = more.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let payload = take(length) else { return nil }
            if start[0] & 15 == 9 {
                frame(payload, opcode: 10)
                continue
            }
            return (start[0] & 15, payload)
        }
    }

    /// The next message of a type.
    func message(_ type: String) -> [String: Any]? {
        while let (opcode, payload) = next() {
            guard opcode == 1, let object = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
            else { continue }
            if object["type"] as? String == type { return object }
        }
        return nil
    }

    /// The code with which the other end closes; 0 when it closes without one.
    func closeCode() -> Int {
        while let (opcode, payload) = next() {
            if opcode == 8, payload.count >= 2 { return Int(payload[0]) << 8 | Int(payload[1]) }
        }
        return 0
    }

    private func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }
}
