internal import Glibc
internal import ScorePages
internal import Synchronization

/// The scores of a folder. Its methods wait for disks and programs: they run on the workers of the server.
package final class ScoreShelf: Sendable {
    let store: StandStore
    private let folder: String
    private let renderer: PageRenderer
    private let shelved = Mutex(Shelved())
    /// One look at the folder at a time.
    private let scan = Mutex(())

    /// A score with the state of its file when it was read.
    struct Entry: Sendable {
        let stamp: Stamp
        let document: ScoreDocument
        let id: String
        let title: String
    }

    /// What the files of the folder were when it was last looked at, by path.
    private struct Shelved: Sendable {
        var entries: [String: Entry] = [:]
        /// Files that are no scores: they too are read only when they have changed.
        var leftOut: [String: (stamp: Stamp, why: LeftOut)] = [:]
        /// What of the folder cannot be looked at.
        var hidden: [LeftOut] = []
        var unread = 0
    }

    struct Stamp: Hashable, Sendable { let size: Int, seconds: Int, nanoseconds: Int }

    /// The most scores: as many as fit in a list that a person scrolls.
    private let most: Int

    /// - Parameters:
    ///   - folder: the one with the scores.
    ///   - cache: where pictures of pages are kept.
    ///   - most: the most files that are read.
    package init(
        folder: String, store: StandStore, cache: String = PageRenderer.standardCache, most: Int = 2_000
    ) throws {
        try Self.check(folder)
        (self.folder, self.store, self.most, renderer) = (folder, store, most, try PageRenderer(cache: cache))
    }

    /// Throws where a folder of scores cannot be: no such folder, or a file.
    package static func check(_ folder: String) throws {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StandError.notAFolder(path: folder)
        }
    }

    /// The scores that are there now, by title. Only files that have changed are read.
    func names() throws -> [ScoreName] {
        let found = scan.withLock { _ in read() }
        var seen: Set<String> = []
        return found.sorted { ($0.value.title, $0.key) < ($1.value.title, $1.key) }.compactMap { _, entry in
            // Two copies are one score.
            guard seen.insert(entry.id).inserted else { return nil }
            return ScoreName(id: entry.id, title: entry.title, pages: entry.document.pageSizes.count)
        }
    }

    /// The files that `names` has left out, by path.
    func leftOut() -> LeftOutMessage {
        let (files, hidden, unread) = shelved.withLock { ($0.leftOut, $0.hidden, $0.unread) }
        return LeftOutMessage(hidden + files.sorted { $0.key < $1.key }.map(\.value.why), unread: unread)
    }

    private func read() -> [String: Entry] {
        let known = shelved.withLock { $0 }
        let (files, hidden) = { ($0.files, $0.leftOut) }(ScoreFolder.files(in: folder))
        var found = Shelved()
        found.hidden = hidden
        found.unread = max(0, files.count - most)
        for (path, stamp) in files.prefix(most) {
            if let entry = known.entries[path], entry.stamp == stamp {
                found.entries[path] = entry
            } else if let left = known.leftOut[path], left.stamp == stamp {
                found.leftOut[path] = left
            } else {
                do {
                    found.entries[path] = try entry(at: path, stamp)
                } catch let error as ScorePageError {
                    found.leftOut[path] = (stamp, LeftOut(name(of: path), paths: names(of: path), error))
                } catch { continue }
            }
        }
        shelved.withLock { [found] in $0 = found }
        return found.entries
    }

    private func entry(at path: String, _ stamp: Stamp) throws -> Entry {
        let document = try document(at: path, stamp)
        let title = ScoreFolder.title(of: path)
        let score = try store.score(hash: document.hash, path: path, title: title, pages: document.pageSizes.count)
        return Entry(stamp: stamp, document: document, id: score.id, title: title)
    }

    /// The path of a file in the folder.
    private func name(of path: String) -> String {
        String(path.dropFirst(folder.count).drop { $0 == "/" })
    }

    /// What an error may call it.
    private func names(of path: String) -> [String] {
        [path] + ((try? PageRenderer.path(path, inside: folder)).map { [$0] } ?? [])
    }

    /// The document in a file, as it was read in an earlier run where the file is still the same: `pdfinfo` takes 20 ms a file.
    private func document(at path: String, _ stamp: Stamp) throws -> ScoreDocument {
        let real = try PageRenderer.path(path, inside: folder)
        if let known = try store.document(at: real, stamp, in: folder) { return known }
        let document = try renderer.document(at: path, inside: folder)
        try store.keep(document, stamp)
        return document
    }

    /// A score with the bars that are known; `nil` if there is none with this id.
    func score(_ id: String) throws -> ScoreMessage? {
        guard let (_, entry) = entry(id) else { return nil }
        let document = entry.document
        let score = try store.score(
            hash: document.hash, path: document.path, title: entry.title, pages: document.pageSizes.count)
        let systems = try store.systems(of: id, pages: document.pageSizes.count).flatMap { $0 ?? [] }
        return ScoreMessage(score, systems, sizes: document.pageSizes.map { ($0.width, $0.height) })
    }

    /// The pages that nobody has looked at yet.
    func unseenPages(of id: String) throws -> [Int] {
        guard let (_, entry) = entry(id) else { return [] }
        let pages = try store.systems(of: id, pages: entry.document.pageSizes.count)
        return pages.indices.filter { pages[$0] == nil }.map { $0 + 1 }
    }

    /// Finds the bars of a page, from MuseScore's file beside the score or by looking at the page, and keeps them.
    func findBars(ofPage page: Int, of id: String) throws {
        guard let (path, entry) = entry(id) else { return }
        let (found, origin, order) = try systems(ofPage: page, of: entry.document, path)
        let systems = found.map { system in
            PageBars.System(
                x0: system.x0, y0: system.y0, x1: system.x1, y1: system.y1, staves: system.staffCount,
                bars: system.bars.map { PageBars.Bar(x0: $0.x0, x1: $0.x1, origin: origin) })
        }
        try store.keep(
            PageBars(score: id, page: page, systems: systems, accepted: nil),
            doubtful: Set(found.indices.filter { found[$0].isDoubtful }))
        if let order { try store.keep(order: order, firstBar: nil, of: id) }
    }

    private func systems(
        ofPage page: Int, of document: ScoreDocument, _ path: String
    ) throws -> ([FoundSystem], PageBars.Bar.Origin, order: String?) {
        let stem = path.prefix(path.count - (path.split(separator: ".").last?.count ?? 0))
        if let places = try? MeasurePositions(path: stem + "mpos") {
            return (
                places.systems(ofPage: page, size: document.pageSizes[page - 1]), .mpos,
                page == 1 ? places.playingOrder : nil
            )
        }
        return (BarDetector().systems(in: try renderer.grayImage(ofPage: page, of: document)), .found, nil)
    }

    /// A picture of a page; `nil` if there is no such page.
    func picture(of request: PageRequest) throws -> ServedPicture? {
        guard let (_, entry) = entry(request.score), entry.document.pageSizes.indices.contains(request.number - 1)
        else { return nil }
        let page = try renderer.page(
            request.number, of: entry.document, width: request.width, isDark: request.isDark)
        return ServedPicture(contentType: page.contentType, bytes: try page.bytes())
    }

    private func entry(_ id: String) -> (path: String, Entry)? {
        shelved.withLock { shelved in shelved.entries.first { $0.value.id == id }.map { ($0.key, $0.value) } }
    }
}
