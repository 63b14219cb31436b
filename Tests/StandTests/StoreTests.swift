import Foundation
import Testing

@testable import Stand

@Suite struct StoreTests {
    private func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString).sqlite").path()
    }

    private func remove(_ path: String) {
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    }

    private static func id(_ number: Int) -> String { String(format: "%032x", number) }

    private func mark(_ number: Int, of score: String) -> Marks.Mark {
        Marks.Mark(
            id: Self.id(number), score: score, page: 1 + number % 5, layer: number % 3, kind: "pen", colour: "#102030",
            width: 40, body: "AAAA\(number)")
    }

    /// What a device has: the marks that are alive, by what it was told.
    private struct Replica {
        var alive: [String: Marks.Mark] = [:]
        var since: Int64 = 0
        /// Changes that it has not been told are stored.
        var queue: [Marks] = []

        mutating func hear(_ marks: [StoredMark]) {
            for stored in marks {
                alive[stored.mark.id] = stored.isDead ? nil : stored.mark
                since = stored.sequence
            }
        }
    }

    @Test func `Three devices with 10,000 random changes and random cuts have the same marks at the end`() throws {
        let path = path()
        defer { remove(path) }
        let store = try StandStore(path: path)
        let score = try store.score(hash: [UInt8](repeating: 7, count: 16), path: "a.pdf", title: "a", pages: 5).id
        var random = SplitMix(seed: 18)
        var devices = [Replica](repeating: Replica(), count: 3)
        var made = 0
        for _ in 0..<10_000 {
            let who = Int.random(in: 0..<3, using: &random)
            let known = made == 0 ? [] : [Self.id(Int.random(in: 0..<made, using: &random))]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                devices[who].queue.append(Marks(make: [mark(made, of: score)]))
                made += 1
            case 5..<8: devices[who].queue.append(Marks(strike: known))
            default: devices[who].queue.append(Marks(revive: known))
            }
            // Connected now and then: what is sent may be stored without the device learning of it, and is sent again.
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            for marks in devices[who].queue { try store.apply(marks) }
            guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
            devices[who].queue.removeAll()
            // The answer, too, may be cut off in the middle.
            let news = try store.marks(since: devices[who].since, bytes: 20_000)
            devices[who].hear(Array(news.prefix(Int.random(in: 0...news.count, using: &random))))
        }
        for who in devices.indices { for marks in devices[who].queue { try store.apply(marks) } }
        for who in devices.indices {
            while case let news = try store.marks(since: devices[who].since), !news.isEmpty { devices[who].hear(news) }
        }
        #expect(made > 4_000 && devices[0].alive.count > 500)
        #expect(devices[0].alive == devices[1].alive && devices[1].alive == devices[2].alive)
        var fresh = Replica()
        while case let news = try store.marks(since: fresh.since), !news.isEmpty { fresh.hear(news) }
        #expect(fresh.alive == devices[0].alive, "a device that was never here before has them too")
    }

    @Test func `What was stored is there after the store is opened again, and sent again changes nothing`() throws {
        let path = path()
        defer { remove(path) }
        var score = ""
        do {
            let store = try StandStore(path: path)
            score = try store.score(hash: [1], path: "a.pdf", title: "a", pages: 2).id
            #expect(try store.apply(Marks(make: [mark(1, of: score)])) == 1)
            #expect(try store.apply(Marks(strike: [Self.id(1)])) == 2)
            #expect(try store.apply(Marks(revive: [Self.id(1)])) == 3)
            #expect(try store.apply(Marks(make: [mark(1, of: score)], revive: [Self.id(1)])) == 3)
            _ = try store.sliders(of: Self.id(9), name: "iPad")
            try store.keep(name: nil, light: -12, felt: 20, of: Self.id(9))
            try store.keep(order: "1-8 1-7", firstBar: 3, of: score)
        }
        let store = try StandStore(path: path)
        #expect(try store.newestChange() == 3)
        #expect(try store.marks(since: 0).map(\.isDead) == [false])
        let sliders = try store.sliders(of: Self.id(9), name: "iPad")
        #expect(sliders == DeviceSliders(name: "iPad", light: -12, felt: 20))
        // Those of an audience are not kept, and are not known later.
        #expect(try store.sliders(of: Self.id(8), name: "phone", isKept: false) == nil)
        #expect(try store.sliders(of: Self.id(9), name: "iPad", isKept: false)?.light == -12)
        let renamed = try store.score(hash: [1], path: "b.pdf", title: "b", pages: 2)
        #expect(renamed.id == score && renamed.title == "b" && renamed.order == "1-8 1-7" && renamed.firstBar == 3)
    }

    @Test func `Bars of a page replace those that it had`() throws {
        let path = path()
        defer { remove(path) }
        let store = try StandStore(path: path)
        let score = try store.score(hash: [1], path: "a.pdf", title: "a", pages: 2).id
        func page(_ count: Int, accepted: Bool?) -> PageBars {
            let bars = (0..<count).map { PageBars.Bar(x0: $0 * 100, x1: $0 * 100 + 100, origin: .found) }
            let system = PageBars.System(x0: 0, y0: 0, x1: 9_000, y1: 500, staves: 2, bars: bars)
            return PageBars(score: score, page: 1, systems: [system], accepted: accepted)
        }
        #expect(try store.systems(of: score, pages: 2).map { $0 == nil } == [true, true])
        try store.keep(page(4, accepted: nil), doubtful: [0])
        #expect(try store.systems(of: score, pages: 2)[0]?.map(\.isDoubtful) == [true])
        try store.keep(page(3, accepted: true))
        let systems = try store.systems(of: score, pages: 2)
        #expect(systems[0]?.map(\.system) == page(3, accepted: true).systems && systems[1] == nil)
        #expect(try store.score(hash: [1], path: "a.pdf", title: "a", pages: 2).isAccepted)
    }

    @Test func `Bars of a page that the score does not have, and more than a page can have, are not kept`() throws {
        let path = path()
        defer { remove(path) }
        let store = try StandStore(path: path)
        let score = try store.score(hash: [1], path: "a.pdf", title: "a", pages: 1_000).id
        func page(_ number: Int, bars count: Int) -> PageBars {
            let bars = [PageBars.Bar](repeating: PageBars.Bar(x0: 0, x1: 1, origin: .hand), count: count)
            let system = PageBars.System(x0: 0, y0: 0, x1: 1, y1: 1, staves: 1, bars: bars)
            return PageBars(score: score, page: number, systems: [system], accepted: nil)
        }
        #expect(page(1, bars: 256).isWhole && !page(1, bars: 257).isWhole)
        for wrong in [0, 1_001] { #expect(try !store.keep(page(wrong, bars: 1))) }
        #expect(try !store.keep(PageBars(score: Self.id(9), page: 1, systems: [], accepted: nil)))
        // 65,536 in all, however often a page is sent.
        for number in 1...256 { #expect(try store.keep(page(number, bars: 256))) }
        #expect(try store.keep(page(256, bars: 256)))
        #expect(try !store.keep(page(257, bars: 1)))
        #expect(try store.systems(of: score, pages: 1_000)[256] == nil)
    }

    @Test func `No more than 8 MiB is written on a score, until something is rubbed out`() throws {
        let path = path()
        defer { remove(path) }
        let store = try StandStore(path: path)
        let scores = try (1...2).map { try store.score(hash: [$0], path: "a.pdf", title: "a", pages: 5).id }
        let body = String(repeating: "A", count: 32 << 10)
        func stroke(_ number: Int, _ score: String) -> Marks.Mark {
            Marks.Mark(
                id: Self.id(number), score: score, page: 1, layer: 0, kind: "pen", colour: "#000000", width: 1,
                body: body)
        }
        for number in 0..<256 { try store.apply(Marks(make: [stroke(number, scores[0])])) }
        let newest = try store.newestChange()
        #expect(throws: (any Error).self) { try store.apply(Marks(make: [stroke(256, scores[0])])) }
        #expect(try store.newestChange() == newest, "all or nothing")
        try store.apply(Marks(make: [stroke(300, scores[1])]))
        try store.apply(Marks(strike: [Self.id(7)]))
        try store.apply(Marks(make: [stroke(256, scores[0])]))
    }

    @Test func `A mark of a score that is not there, or with a body that is too long, is not kept`() throws {
        let path = path()
        defer { remove(path) }
        let store = try StandStore(path: path)
        #expect(try store.apply(Marks(make: [mark(1, of: Self.id(5))])) == 0)
        let long = Marks.Mark(
            id: Self.id(1), score: Self.id(2), page: 1, layer: 0, kind: "pen", colour: "#000000", width: 1,
            body: String(repeating: "A", count: Marks.Mark.longestBody + 1))
        #expect(!Marks(make: [long]).isWhole)
        #expect(Marks(make: [mark(1, of: Self.id(2))]).isWhole)
    }
}
