import Foundation
import Platform
import Testing
import Transport

@testable import Stand

@Suite struct DeviceTests {
    private func beat(_ number: Int64, after seconds: Double) -> CourseBeat {
        CourseBeat(
            number: number, heard: .now() + .milliseconds(Int(seconds * 1_000)), bar: 1 + number / 4,
            beat: Int32(1 + number % 4), beatsInBar: 4, isCountIn: false, level: 1, tempo: 120)
    }

    @Test func `A ping comes back with the moments at which it came and went, in their order`() throws {
        let stand = try TestStand()
        let device = try stand.device()
        for id in 1...12 {
            let before = MonotonicTime.now().nanoseconds
            device.say("{\"type\":\"ping\",\"id\":\(id)}")
            let pong = try #require(device.message("pong"))
            let after = MonotonicTime.now().nanoseconds
            let (received, sent) = (
                (pong["r"] as? NSNumber)?.int64Value ?? 0, (pong["s"] as? NSNumber)?.int64Value ?? 0
            )
            #expect((pong["id"] as? NSNumber)?.intValue == id)
            #expect(before <= received && received <= sent && sent <= after)
        }
    }

    @Test func `More pings than a clock needs are not answered, and end nothing`() throws {
        let stand = try TestStand { ($0.limits.pingRate, $0.limits.pingBurst) = (0, 5) }
        let device = try stand.device()
        for id in 1...10 { device.say("{\"type\":\"ping\",\"id\":\(id)}") }
        let command = String(repeating: "b", count: 32)
        device.say("{\"type\":\"command\",\"id\":\"\(command)\",\"do\":\"no such thing\"}")
        var pongs = 0
        while let (_, payload) = device.next() {
            let text = String(decoding: payload, as: UTF8.self)
            if text.contains("pong") { pongs += 1 }
            if text.contains("refused") { break }
        }
        #expect(pongs == 5)
    }

    @Test func `A course reaches all devices, and one that comes later`() throws {
        let stand = try TestStand()
        let first = try stand.device()
        #expect(first.message("course")?["isRunning"] as? Bool == false)
        var course = PlayCourse()
        (course.revision, course.isRunning, course.tempo) = (7, true, 120)
        course.beats = (0..<68).map { beat($0, after: Double($0) / 2) }
        stand.server.publish(course)
        let told = try #require(first.message("course"))
        let beats = try #require(told["beats"] as? [[String: Any]])
        #expect(told["revision"] as? Int == 7 && beats.count == 68)
        #expect((beats[5]["t"] as? NSNumber)?.int64Value == course.beats[5].heard.nanoseconds)
        let second = try stand.client()
        second.upgrade()
        second.hello()
        #expect((second.message("course")?["beats"] as? [Any])?.count == 68)
    }

    @Test func `A skewed clock is skewed in all that it serves, and back in what it is told`() {
        let origin = MonotonicTime.now()
        let clock = StandClock(partsPerMillion: 500, origin: origin)
        let later = origin + .seconds(1_000)
        #expect(clock.reading(at: later) - later.nanoseconds == 500_000_000)
        let back = clock.moment(ofReading: clock.reading(at: later))
        #expect(abs(back.nanoseconds - later.nanoseconds) < 1_000)
        for liar in [Int64.min, .max, 0] { _ = clock.moment(ofReading: liar) }
    }

    @Test func `A command that is sent again takes effect once, and is answered each time`() throws {
        let stand = try TestStand()
        let (one, other) = (try stand.device(), try stand.device())
        let id = String(repeating: "c", count: 32)
        let command =
            "{\"type\":\"command\",\"id\":\"\(id)\",\"do\":\"tempo\",\"when\":\"bar\",\"at\":\(MonotonicTime.now().nanoseconds),\"value\":97.3}"
        one.say(command)
        one.say(command)
        // Wait until it is there, as the thread of the metronome does.
        var taken: [TransportCommand] = []
        while taken.isEmpty {
            waitForInput(stand.queue.descriptor)
            taken = stand.queue.take()
        }
        #expect(taken.map(\.action) == [.tempo(97.3)] && taken[0].when == .bar)
        stand.server.settle(id, .done)
        #expect(one.message("done")?["id"] as? String == id)
        #expect(one.message("done")?["id"] as? String == id)
        other.say(command)
        #expect(other.message("done")?["id"] as? String == id)
        #expect(stand.queue.take().isEmpty)
    }

    @Test func `A change is answered when it is kept, and when it cannot be`() throws {
        let (id, set) = (String(repeating: "d", count: 32), String(repeating: "e", count: 32))
        func changes(_ score: String) -> [String] {
            [
                "\"type\":\"bars\",\"score\":\"\(score)\",\"page\":1,\"systems\":[]",
                "\"type\":\"order\",\"score\":\"\(score)\",\"text\":\"1-8\",\"first\":1",
                "\"type\":\"setlist\",\"do\":\"name\",\"set\":\"\(set)\",\"name\":\"Friday\"",
            ]
        }
        for (isReadOnly, answer) in [(false, "done"), (true, "refused")] {
            let stand = try TestStand { $0.isReadOnly = isReadOnly }
            let device = try stand.device()
            for change in changes(try stand.store.score(hash: [1], path: "a", title: "a", pages: 1).id) {
                device.say("{\(change),\"id\":\"\(id)\"}")
                #expect(device.message(answer)?["id"] as? String == id, "\(change)")
            }
            #expect(try stand.store.sets().count == (isReadOnly ? 0 : 1))
        }
        // An id is none of any form.
        let stand = try TestStand()
        for change in changes(set) {
            let device = try stand.device()
            device.say("{\(change),\"id\":\"no id\"}")
            #expect(device.closeCode() == 1003)
        }
    }

    @Test func `What one device writes the others see, and one that comes back gets what it missed`() throws {
        let stand = try TestStand()
        let score = try stand.store.score(hash: [3], path: "a.pdf", title: "a", pages: 1).id
        let devices = try (1...3).map { try stand.device(String(repeating: "\($0)", count: 32)) }
        let id = String(repeating: "d", count: 32)
        devices[0].say(
            "{\"type\":\"marks\",\"make\":[{\"id\":\"\(id)\",\"score\":\"\(score)\",\"page\":1,\"layer\":0,\"kind\":\"pen\","
                + "\"colour\":\"#ff0000\",\"width\":30,\"body\":\"AAAA\"}]}")
        for device in devices {
            let marks = try #require(device.message("marks"))
            #expect((marks["made"] as? [[String: Any]])?.first?["id"] as? String == id && marks["seq"] as? Int == 1)
        }
        devices[1].say("{\"type\":\"marks\",\"strike\":[\"\(id)\"]}")
        for device in devices { #expect(device.message("marks")?["struck"] as? [String] == [id]) }
        let late = try stand.client()
        late.upgrade()
        late.hello(since: 1)
        #expect(late.message("marks")?["struck"] as? [String] == [id])
    }

    @Test func `A store of 5,000 marks reaches a new device whole`() throws {
        let stand = try TestStand()
        let score = try stand.store.score(hash: [3], path: "a.pdf", title: "a", pages: 1).id
        for block in 0..<50 {
            try stand.store.apply(
                Marks(
                    make: (0..<100).map { number in
                        Marks.Mark(
                            id: String(format: "%032x", block * 100 + number), score: score, page: 1, layer: 0,
                            kind: "pen", colour: "#000000", width: 1, body: String(repeating: "A", count: 400))
                    }))
        }
        // The hub counts from the store when it starts.
        let options = {
            var options = StandOptions(); options.port = 0; return options
        }()
        let shelf = try ScoreShelf(
            folder: stand.folder.path(), store: stand.store, cache: stand.folder.appending(path: "cache").path())
        let server = try StandServer(options, shelf: shelf, queue: stand.queue)
        defer { server.stop() }
        let client = try StandClient(port: server.port)
        client.upgrade()
        client.hello()
        var known: Set<String> = []
        while known.count < 5_000, let marks = client.message("marks") {
            for mark in marks["made"] as? [[String: Any]] ?? [] { known.insert(mark["id"] as? String ?? "") }
        }
        #expect(known.count == 5_000)
    }
}
