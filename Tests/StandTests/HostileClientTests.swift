import Foundation
import Testing

@testable import Stand

@Suite struct HostileClientTests {
    @Test func `A header of more than 16 KiB ends the connection`() throws {
        let stand = try TestStand()
        for lines in [1, 400] {
            let client = try stand.client()
            client.send(Array("GET / HTTP/1.1\r\nHost: localhost:\(stand.server.port)\r\n".utf8))
            for number in 0..<lines {
                let length = 60_000_000 / lines / 100
                client.send(Array("X-\(number): ".utf8) + [UInt8](repeating: 97, count: length) + Array("\r\n".utf8))
            }
            #expect(client.isClosed(), "\(lines) lines")
        }
        #expect(try stand.client().request("/").hasPrefix("HTTP/1.1 200"), "others are served")
    }

    @Test func `A frame that declares 2^40 bytes, or 2^63, ends the connection`() throws {
        let stand = try TestStand()
        for length: UInt64 in [65_537, 1 << 40, 1 << 63, .max] {
            let client = try stand.client()
            client.upgrade()
            client.frame([], length: length)
            #expect([1009, 1002, 0].contains(client.closeCode()), "\(length)")
        }
        #expect(try stand.device().message("course") != nil, "others are served")
    }

    @Test func `A message in more than 16 parts, or of more than 64 KiB in parts, ends the connection`() throws {
        let stand = try TestStand()
        for (count, size) in [(40, 10), (10, 16_000)] {
            let client = try stand.client()
            client.upgrade()
            client.frame([UInt8](repeating: 97, count: size), isLast: false)
            for _ in 0..<count { client.frame([UInt8](repeating: 97, count: size), opcode: 0, isLast: false) }
            #expect(client.closeCode() == 1002)
        }
    }

    @Test func `A frame without a mask ends the connection, as RFC 6455 asks`() throws {
        let stand = try TestStand()
        let client = try stand.client()
        client.upgrade()
        client.frame(Array("{\"type\":\"ping\",\"id\":1}".utf8), isMasked: false)
        #expect(client.closeCode() == 1002)
    }

    @Test func `Bytes that are no message end the connection`() throws {
        let stand = try TestStand()
        let bodies = [
            "", "x", "{}", "[]", "{\"type\":1}", "{\"type\":\"ping\",\"id\":1}",
            "{\"type\":\"hello\",\"device\":\"x\",\"name\":\"\"}", String(repeating: "[", count: 60_000),
        ]
        for body in bodies {
            let client = try stand.client()
            client.upgrade()
            client.say(body)
            #expect([1003, 1008].contains(client.closeCode()), "\(body.prefix(40))")
        }
        let binary = try stand.client()
        binary.upgrade()
        binary.frame([0, 1, 2], opcode: 2)
        #expect(binary.closeCode() == 1003)
    }

    @Test func `A device that does not read what it asked for is left`() throws {
        let stand = try TestStand {
            $0.limits.stalled = .milliseconds(50); $0.limits.messageRate = 1e9; $0.limits.pingBurst = 1e9
        }
        let client = try stand.client(receiveBuffer: 4_096)
        client.upgrade()
        client.hello()
        // Each ping is answered with about twice its length; nobody reads the answers.
        var isOpen = true
        for number in 0..<2_000_000 where isOpen { isOpen = client.say("{\"type\":\"ping\",\"id\":\(number)}") }
        #expect(!isOpen)
    }

    @Test func `Pings of the protocol count as messages, and end the connection`() throws {
        let stand = try TestStand()
        let client = try stand.client(receiveBuffer: 4_096)
        client.upgrade()
        var count = 0
        while count < 1_000_000, client.frame([UInt8](repeating: 112, count: 125), opcode: 9) { count += 1 }
        #expect(count < 1_000_000)
    }

    @Test func `Requests whose answers nobody reads end the connection`() throws {
        let stand = try TestStand()
        for path in ["/stand.css", "/nothing"] {
            let client = try stand.client(receiveBuffer: 4_096)
            let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost:\(stand.server.port)\r\n\r\n".utf8)
            var count = 0
            while count < 1_000_000, client.send(request) { count += 1 }
            #expect(count < 1_000_000, "\(path)")
        }
        #expect(try stand.client().request("/").hasPrefix("HTTP/1.1 200"), "others are served")
    }

    @Test func `Half a request is waited for, but not for long`() throws {
        let stand = try TestStand { $0.limits.idle = .milliseconds(50) }
        let clients = try (0..<40).map { _ in try stand.client() }
        for client in clients { client.send(Array("GET / HT".utf8)) }
        for client in clients { #expect(client.isClosed()) }
    }

    @Test func `Too many connections, and too many devices, are refused`() throws {
        let stand = try TestStand { ($0.limits.connections, $0.limits.devices) = (5, 2) }
        let devices = try (0..<2).map { _ in try stand.device() }
        let third = try stand.client()
        third.upgrade()
        #expect(third.message("error")?["problem"] as? String == "2 devices are connected already")
        #expect(third.isClosed())
        // Strangers give way to those who come later, and devices stay.
        let clients = try (0..<10).map { _ in try stand.client() }
        let answers = clients.filter { $0.request("/").hasPrefix("HTTP/1.1 200") }
        #expect((1...3).contains(answers.count))
        for _ in 0..<20 { #expect(try stand.client().request("/").hasPrefix("HTTP/1.1 200")) }
        for device in devices {
            device.say("{\"type\":\"ping\",\"id\":7}")
            #expect(device.message("pong") != nil)
        }
    }

    @Test func `A connection that does not say who it is gives way to one that does, and ends soon`() throws {
        let stand = try TestStand { $0.limits.devices = 2 }
        let silent = try (0..<2).map { _ in try stand.client() }
        for client in silent { client.upgrade() }
        let devices = try (0..<2).map { try stand.device(String(repeating: "\($0)", count: 32)) }
        for client in silent { #expect(client.isClosed()) }
        let third = try stand.client()
        third.upgrade()
        #expect(third.message("error") != nil && third.isClosed(), "devices do not")
        for device in devices {
            device.say("{\"type\":\"ping\",\"id\":7}")
            #expect(device.message("pong") != nil)
        }
        let other = try TestStand { $0.limits.hello = .milliseconds(50) }
        let late = try other.client()
        late.upgrade()
        #expect(late.isClosed())
    }

    @Test func `Whoever keeps connections without the key, or asks wrongly again and again, locks nobody out`() throws {
        let token = AccessToken()
        let stand = try TestStand { ($0.token, $0.limits.connections) = (token, 6) }
        let silent = try (0..<12).map { _ in try stand.client() }
        #expect(try stand.client().request("/?k=\(token.text)").hasPrefix("HTTP/1.1 303"))
        for header in [("Host", "evil.example"), ("Origin", "http://evil.example"), ("Cookie", "stand-1=no")] {
            let client = try stand.client()
            #expect(client.request("/", [header]).contains("connection: close"))
            #expect(client.isClosed(), "\(header)")
        }
        // A device keeps its place, however many come.
        let device = try stand.client()
        #expect(device.upgrade(cookie: "stand-\(stand.server.port)=\(token.text)").contains("101"))
        device.hello()
        #expect(device.message("welcome") != nil)
        let others = try (0..<20).map { _ in try stand.client() }
        device.say("{\"type\":\"ping\",\"id\":1}")
        #expect(device.message("pong") != nil)
        #expect(silent.count + others.count == 32)
    }

    @Test func `More than 200 messages at once end the connection`() throws {
        let stand = try TestStand()
        let device = try stand.device()
        for _ in 0..<2_000 { device.say("{\"type\":\"open\",\"score\":\"x\"}") }
        #expect([1008, 0].contains(device.closeCode()))
    }

    @Test func `A device that answers no ping is gone after a while`() throws {
        let stand = try TestStand { ($0.limits.silence, $0.limits.gone) = (.milliseconds(20), .milliseconds(60)) }
        let client = try stand.client()
        client.upgrade()
        #expect(client.isClosed())
    }

    @Test func `Random bytes, mutated requests and mutated frames end no server`() throws {
        let stand = try TestStand()
        var random = SplitMix(seed: 20_261_123)
        let request = Array(
            "GET /live HTTP/1.1\r\nHost: localhost:\(stand.server.port)\r\nUpgrade: websocket\r\n\r\n".utf8)
        for round in 0..<200 {
            let client = try stand.client()
            if round % 2 == 0 {
                var bytes = request
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                client.send(bytes)
            } else {
                client.upgrade()
                client.hello()
                client.send(
                    (0..<Int.random(in: 1...200, using: &random)).map { _ in .random(in: 0...255, using: &random) })
            }
        }
        #expect(try stand.device().message("course") != nil)
    }
}

/// A generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
