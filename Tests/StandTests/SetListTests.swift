import Foundation
import Platform
import Testing
import Transport

@testable import Stand

@Suite struct SetListTests {
    private static func id(_ number: Int) -> String { String(format: "%032x", number) }

    private func score(_ title: String, in store: StandStore) throws -> String {
        try store.score(hash: Array(title.utf8), path: title, title: title, pages: 1).id
    }

    /// The titles of a list, as a device is told them.
    private func titles(_ message: [String: Any]?, _ set: Int = 0) -> [String] {
        let sets = message?["sets"] as? [[String: Any]] ?? []
        guard sets.indices.contains(set) else { return [] }
        return (sets[set]["entries"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
    }

    @Test func `Songs stand where they were put, whatever is moved, dropped and added`() throws {
        let stand = try TestStand()
        let store = stand.store
        let list = Self.id(1)
        try store.apply(SetListChange(list, .name("Friday")))
        // The same moves on an array, as an independent count.
        var expected: [String] = []
        var random = SplitMix(seed: 18)
        let scores = try (0..<5).map { try score("piece \($0)", in: store) }
        for number in 100..<400 {
            let after = expected.randomElement(using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                try store.apply(SetListChange(list, .add(song: Self.id(number), score: scores[number % 5])))
                expected.append(Self.id(number))
            case 2:
                guard let moved = expected.randomElement(using: &random), moved != after else { continue }
                try store.apply(SetListChange(list, .move(song: moved, after: after)))
                expected.removeAll { $0 == moved }
                expected.insert(moved, at: after.flatMap(expected.firstIndex).map { $0 + 1 } ?? 0)
            default:
                guard let dropped = expected.randomElement(using: &random) else { continue }
                try store.apply(SetListChange(list, .drop(song: dropped)))
                expected.removeAll { $0 == dropped }
            }
        }
        #expect(expected.count > 20)
        #expect(try store.sets().map(\.name) == ["Friday"])
        #expect(try store.sets()[0].songs.map(\.id) == expected)
        // The end of a list is the end of its songs, and what is sent again changes nothing.
        let first = try #require(expected.first)
        try store.apply(SetListChange(list, .add(song: first, score: scores[0])))
        #expect(try store.sets()[0].songs.count == expected.count)
        try store.apply(SetListChange(list, .remove))
        #expect(try store.sets().isEmpty && store.song(first) == nil)
    }

    @Test func `A song that was chosen is shown by all devices, and plays in its tempo from its first bar`() throws {
        let stand = try TestStand()
        let (one, other) = (try stand.device(), try stand.device(String(repeating: "1", count: 32)))
        for device in [one, other] { #expect(device.message("stage") != nil) }
        let (list, song, score) = (Self.id(1), Self.id(2), try score("Blackbird", in: stand.store))
        one.say("{\"type\":\"setlist\",\"do\":\"name\",\"set\":\"\(list)\",\"name\":\"Friday\"}")
        #expect(titles(other.message("sets")).isEmpty)
        one.say("{\"type\":\"setlist\",\"do\":\"add\",\"set\":\"\(list)\",\"song\":\"\(song)\",\"score\":\"\(score)\"}")
        #expect(titles(other.message("sets")) == ["Blackbird"])
        other.say("{\"type\":\"setlist\",\"do\":\"tempo\",\"set\":\"\(list)\",\"song\":\"\(song)\",\"tempo\":96.5}")
        for _ in 0..<3 { #expect(one.message("sets") != nil) }
        var course = PlayCourse()
        (course.revision, course.isRunning) = (3, true)
        stand.server.publish(course)
        #expect(one.message("course") != nil)
        one.say("{\"type\":\"song\",\"id\":\"\(song)\"}")
        for device in [one, other] {
            let stage = device.message("stage")
            #expect(stage?["score"] as? String == score && stage?["song"] as? String == song)
        }
        var taken: [TransportCommand] = []
        while taken.count < 2 {
            waitForInput(stand.queue.descriptor)
            taken += stand.queue.take()
        }
        #expect(taken.map(\.action) == [.tempo(96.5), .jump(bar: 1)] && taken.allSatisfy { $0.when == .bar })
        // Another plan from the terminal is what plays then.
        var stage = PlayStage()
        (stage.piece, stage.order) = ("other", [.init(first: 1, count: 8), .init(first: 1, count: nil)])
        stand.server.show(stage)
        let told = try #require(one.message("stage"))
        #expect(told["song"] == nil)
        #expect((told["order"] as? [String: Any])?["runs"] as? [[Int]] == [[1, 8], [1]])
    }

    @Test func `An audience changes no list, and what is no change is none`() throws {
        let stand = try TestStand { $0.isReadOnly = true }
        let device = try stand.device()
        device.say("{\"type\":\"setlist\",\"do\":\"name\",\"set\":\"\(Self.id(1))\",\"name\":\"Friday\"}")
        #expect(device.message("error") != nil)
        device.say("{\"type\":\"song\",\"id\":\"\(Self.id(1))\"}")
        #expect(device.message("error") != nil)
        #expect(try stand.store.sets().isEmpty)
        for wrong in [
            "\"do\":\"name\",\"set\":\"1\",\"name\":\"a\"", "\"do\":\"name\",\"set\":\"\(Self.id(1))\",\"name\":\"\"",
            "\"do\":\"name\",\"set\":\"\(Self.id(1))\",\"name\":\"\(String(repeating: "a", count: 81))\"",
            // Of one character, as people count them.
            "\"do\":\"name\",\"set\":\"\(Self.id(1))\",\"name\":\"e\(String(repeating: "\u{301}", count: 80))\"",
            "\"do\":\"tempo\",\"set\":\"\(Self.id(1))\",\"song\":\"\(Self.id(2))\",\"tempo\":-3",
            "\"do\":\"burn\",\"set\":\"\(Self.id(1))\"", "\"do\":\"add\",\"set\":\"\(Self.id(1))\"",
        ] {
            #expect(DeviceMessage(decoding: Array("{\"type\":\"setlist\",\(wrong)}".utf8)) == nil, "\(wrong)")
        }
    }
}
