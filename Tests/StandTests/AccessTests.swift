import Foundation
import Testing
import Transport

@testable import Stand

@Suite struct AccessTests {
    @Test func `A page is served with headers that let it run its own scripts only`() throws {
        let stand = try TestStand()
        let head = try stand.client().request("/")
        #expect(head.hasPrefix("HTTP/1.1 200"))
        for (name, value) in HTTPAnswers.securityHeaders { #expect(head.contains("\(name): \(value)")) }
        #expect(head.contains("default-src 'none'") && head.contains("cross-origin-opener-policy: same-origin"))
    }

    @Test func `Every file of the page is served, and nothing else`() throws {
        let stand = try TestStand()
        let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/IO/Stand/Page")
        let names = try FileManager.default.contentsOfDirectory(atPath: page.path())
        #expect(names.count >= 3 && PageFiles.all.count == names.count)
        for name in names {
            let path = name == "index.html" ? "/" : "/" + name
            let bytes = try [UInt8](Data(contentsOf: page.appending(path: name)))
            #expect(PageFiles.all[path]?.bytes == bytes, "\(name)")
            #expect(try stand.client().request(path).hasPrefix("HTTP/1.1 200"), "\(name)")
        }
        let elsewhere = [
            "/index.html", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
            "/page/..%2f..%2fetc/1/640.png",
            "/page/00000000000000000000000000000000/1/640.png", "/page/x/1/640.png", "/page",
        ]
        for path in elsewhere { #expect(try stand.client().request(path).hasPrefix("HTTP/1.1 404"), "\(path)") }
    }

    @Test func `The page asks for all of its modules at once, and for no other`() throws {
        let page = String(decoding: try #require(PageFiles.all["/"]).bytes, as: UTF8.self)
        let asked = page.matches(of: /rel="modulepreload" href="(\w+\.js)"/).map { "/" + $0.1 } + ["/stand.js"]
        #expect(asked.sorted() == PageFiles.all.keys.filter { $0.hasSuffix(".js") }.sorted())
    }

    @Test func `A request for another host is refused, as a page of another site makes one after rebinding its name`()
        throws
    {
        let stand = try TestStand { $0.allowedHosts = ["stand.example"] }
        let port = stand.server.port
        for host in [
            "evil.example", "evil.example:\(port)", "localhost", "localhost:1", "127.0.0.1.evil.example:\(port)", "",
        ] {
            let head = try stand.client().request("/", [("Host", host)])
            #expect(head.hasPrefix("HTTP/1.1 421") || head.hasPrefix("HTTP/1.1 400"), "\(host)")
        }
        for host in [
            "localhost:\(port)", "127.0.0.1:\(port)", "LOCALHOST:\(port)", "stand.example", "stand.example:\(port)",
        ] {
            #expect(try stand.client().request("/", [("Host", host)]).hasPrefix("HTTP/1.1 200"), "\(host)")
        }
        let twice = try stand.client().request("/", [("Host", "localhost:\(port)"), ("Host", "evil.example")])
        #expect(!twice.hasPrefix("HTTP/1.1 200"))
    }

    @Test func `A connection of another origin, or of none, is no device`() throws {
        let stand = try TestStand()
        let port = stand.server.port
        for origin in [
            "", "null", "http://evil.example", "http://localhost:1", "http://127.0.0.1:\(port)",
            "https://evil.example:\(port)",
        ] {
            #expect(try stand.client().upgrade(origin: origin).contains("403"), "\(origin)")
        }
        #expect(try stand.client().upgrade().contains("101"))
        let page = try stand.client().request("/", [("Origin", "http://evil.example")])
        #expect(page.hasPrefix("HTTP/1.1 403"))
    }

    @Test func `A server that encrypts takes pages of https only, and 443 is the port that no address names`() {
        let plain = HostList(port: 443, isOnLAN: false)
        let encrypted = HostList(port: 443, isOnLAN: false, isEncrypted: true)
        #expect(encrypted.allows("localhost", arrivedAt: nil) && !plain.allows("localhost", arrivedAt: nil))
        #expect(encrypted.allows(origin: "https://localhost", host: "localhost"))
        #expect(!encrypted.allows(origin: "http://localhost", host: "localhost"))
        // A proxy may encrypt for a server that does not.
        #expect(plain.allows(origin: "https://localhost", host: "localhost"))
        #expect(plain.allows(origin: "http://localhost", host: "localhost"))
    }

    @Test func `The token becomes a cookie, and the cookie opens the page and the connection`() throws {
        let token = AccessToken()
        let stand = try TestStand { $0.token = token }
        #expect(token.text.utf8.count == 22)
        #expect(try stand.client().request("/").hasPrefix("HTTP/1.1 401"))
        #expect(try stand.client().upgrade().contains("401"))
        let head = try stand.client().request("/?k=\(token.text)")
        #expect(head.hasPrefix("HTTP/1.1 303") && head.contains("location: /"))
        let cookie = "stand-\(stand.server.port)=\(token.text)"
        #expect(head.contains("set-cookie: \(cookie); Path=/; HttpOnly; SameSite=Strict"))
        #expect(try stand.client().request("/", [("Cookie", "other=1; \(cookie)")]).hasPrefix("HTTP/1.1 200"))
        #expect(try stand.client().upgrade(cookie: cookie).contains("101"))
    }

    @Test func `Ten wrong tokens in a minute close the door, but not to the right one`() throws {
        let token = AccessToken()
        let stand = try TestStand { $0.token = token }
        let cookie = ("Cookie", "stand-\(stand.server.port)=\(AccessToken().text)")
        for number in 0..<10 {
            let head =
                try number % 2 == 0
                ? stand.client().request("/?k=\(AccessToken().text)") : stand.client().request("/", [cookie])
            #expect(head.hasPrefix("HTTP/1.1 401"))
        }
        #expect(try stand.client().request("/?k=\(AccessToken().text)").hasPrefix("HTTP/1.1 429"))
        #expect(try stand.client().request("/", [cookie]).hasPrefix("HTTP/1.1 429"))
        #expect(try stand.client().upgrade(cookie: cookie.1).contains("429"))
        // A page that was left open goes on with an old key: whoever scans the new code gets in all the same.
        #expect(try stand.client().request("/?k=\(token.text)").hasPrefix("HTTP/1.1 303"))
        #expect(try stand.client().upgrade(cookie: "stand-\(stand.server.port)=\(token.text)").contains("101"))
    }

    @Test func `Tokens differ, and a kept one is read again by its owner only`() throws {
        let tokens = Set((0..<100).map { _ in AccessToken().text })
        #expect(tokens.count == 100)
        let path = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try AccessToken.kept(at: path)
        #expect(try AccessToken.kept(at: path).text == first.text)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `A run that goes on has the token that it had, and another run a new one`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)").path()
        let first = AccessToken.ofRun(at: path, goesOn: false)
        #expect(AccessToken.ofRun(at: path, goesOn: true).text == first.text)
        let next = AccessToken.ofRun(at: path, goesOn: false)
        #expect(next.text != first.text && AccessToken.ofRun(at: path, goesOn: true).text == next.text)
        AccessToken.forget(at: path)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(AccessToken.ofRun(at: "/dev/null/a", goesOn: true).text.utf8.count == 22, "which is not kept")
    }

    @Test func `A request that is no handshake of RFC 6455 makes no device`() throws {
        let stand = try TestStand()
        // The key of section 1.3.
        let key = "dGhlIHNhbXBsZSBub25jZQ=="
        func answer(_ keys: [String], method: String = "GET") throws -> String {
            let client = try stand.client()
            let headers = keys.map { "Sec-WebSocket-Key: \($0)\r\n" }.joined()
            client.send(
                Array(
                    """
                    \(method) /live HTTP/1.1\r\nHost: localhost:\(stand.server.port)\r\n\
                    Origin: http://localhost:\(stand.server.port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                    Sec-WebSocket-Version: 13\r\n\(headers)Content-Length: 0\r\n\r\n
                    """.utf8))
            return client.head()
        }
        #expect(try answer([key]).contains(" 101 "))
        #expect(try !answer([key], method: "POST").contains(" 101 "))
        for wrong in [[], [key, key], ["x"], [String(key.dropLast()) + "A"], ["dGhlIHNhbXBsZSBub25j*Q=="]] {
            #expect(try !answer(wrong).contains(" 101 "), "\(wrong)")
        }
    }

    @Test func `An audience sees and changes nothing`() throws {
        let stand = try TestStand { $0.isReadOnly = true }
        let device = try stand.client()
        device.upgrade()
        device.hello()
        #expect(device.message("welcome")?["readOnly"] as? Bool == true)
        let id = String(repeating: "a", count: 32)
        device.say("{\"type\":\"command\",\"id\":\"\(id)\",\"do\":\"stop\"}")
        #expect(device.message("refused")?["id"] as? String == id)
        #expect(stand.queue.take().isEmpty)
        device.say("{\"type\":\"marks\",\"strike\":[\"\(id)\"]}")
        #expect(device.message("error") != nil)
    }
}
