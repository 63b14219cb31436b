@testable import Stand

extension FuzzTarget {
    /// The database of the music stand, as a disk or another program may have left it.
    static let standStore = FuzzTarget(name: "stand-store", longest: 32_768) { bytes in
        withFolder(holding: bytes, as: "stand.sqlite") { path in
            guard let store = try? StandStore(path: path) else { return }
            _ = try? store.marks(since: 0)
            _ = try? store.newestChange()
            for set in (try? store.sets()) ?? [] { _ = try? store.song(set.id) }
            _ = try? store.keptSong()
            _ = try? store.sliders(of: identity, name: "iPad")
            // A row that was there may have any bytes for its name; nothing is asked for by such a name.
            guard let score = try? store.score(hash: [1], path: "a.pdf", title: "a", pages: 2).id,
                PageRequest.isIdentity(score)
            else { return }
            if let systems = try? store.systems(of: score, pages: 2) { precondition(systems.count == 2) }
            _ = try? store.keep(order: "1-8 1-7", firstBar: 3, of: score)
            _ = try? store.apply(Marks(strike: [identity]))
        }
    }

    private static let identity = "0123456789abcdef0123456789abcdef"
}
