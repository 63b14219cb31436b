internal import Glibc
internal import Platform
internal import ScorePages
internal import Synchronization

/// The scores of a folder. Its methods wait for disks and programs: they run on the workers of the server.
package final class ScoreShelf: Sendable {
    let store: StandStore
    let folder: String
    let renderer: PageRenderer
    private let shelved = Mutex(Shelved.unseen)
    /// One look at the folder at a time.
    private let scan = Mutex(())
    private let isOver = Atomic(false)

    /// A score with the state of its file when it was read.
    struct Entry: Sendable {
        let stamp: Stamp
        let document: ScoreDocument
        let id: String
        let title: String
    }

    /// How often the list grows while a folder is read for the first time.
    private static let stepOfList: Duration = .milliseconds(200)

    struct Stamp: Hashable, Sendable { let size: Int, seconds: Int, nanoseconds: Int }

    /// The most scores.
    private let most: Int
    /// A permission, or a program, that was missing changes no file when it comes.
    private let patience: Duration

    /// - Parameters:
    ///   - folder: the one with the scores.
    ///   - cache: where pictures of pages are kept.
    ///   - most: the most files that are read: as many as fit in a list that a person scrolls.
    ///   - patience: after how long a file that could not be read is tried again.
    package init(
        folder: String, store: StandStore, cache: String = PageRenderer.standardCache, most: Int = 2_000,
        patience: Duration = .seconds(30)
    ) throws {
        try Self.check(folder)
        (self.folder, self.store) = (folder, store)
        do {
            renderer = try PageRenderer(cache: cache)
        } catch { throw StandError.noCache(problem: error.problem, remedy: error.remedy) }
        (self.most, self.patience) = (most, patience)
    }

    /// Throws where a folder of scores cannot be: no such folder, or a file.
    package static func check(_ folder: String) throws {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StandError.notAFolder(path: folder)
        }
        guard access(folder, R_OK | X_OK) == 0 else { throw StandError.closedFolder(path: folder) }
    }

    /// Looks at the folder. Only files that have changed are read, which takes 20 ms each; what is known meanwhile is in `list`.
    func look() { scan.withLock { _ in read() } }

    /// Ends a look that is under way, and the programs that draw and read pages.
    func stop() {
        isOver.store(true, ordering: .relaxed)
        renderer.stop()
    }

    /// The scores, and the files that are none, as `look` has found them.
    func list() -> ScoreList { shelved.withLock { $0 }.list(name: name) }

    private func read() {
        let known = shelved.withLock { $0 }
        let (listing, now) = (ScoreFolder.files(in: folder), MonotonicTime.now())
        var (found, changed) = (Shelved(), [(path: String, stamp: Stamp)]())
        (found.hidden, found.unread) = (listing.leftOut, max(0, listing.files.count - most))
        for (path, stamp) in listing.files.prefix(most) {
            if let entry = known.entries[path], entry.stamp == stamp {
                found.entries[path] = entry
            } else if let left = known.leftOut[path], left.stamp == stamp, now - left.read < patience {
                found.leftOut[path] = left
            } else {
                changed.append((path, stamp))
            }
        }
        // Until a folder has been looked at once, nobody is told that it is empty.
        if known.isUnseen, !changed.isEmpty {
            found.coming = changed.count
            shelved.withLock { [found] in $0 = found }
        }
        var shown = now
        for (index, (path, stamp)) in changed.enumerated() where !isOver.load(ordering: .relaxed) {
            if MonotonicTime.now() - shown > Self.stepOfList {
                (shown, found.coming) = (.now(), changed.count - index)
                shelved.withLock { [found] in $0 = found }
            }
            do {
                found.entries[path] = try entry(at: path, stamp)
            } catch let error as ScorePageError {
                let why = LeftOut(name(of: path), paths: names(of: path), error)
                found.leftOut[path] = Shelved.Failure(stamp: stamp, why: why, read: now)
            } catch { continue }
        }
        found.coming = 0
        shelved.withLock { [found] in $0 = found }
    }

    private func entry(at path: String, _ stamp: Stamp) throws -> Entry {
        let document = try document(at: path, stamp)
        let title = ScoreFolder.title(of: path)
        let score = try store.score(hash: document.hash, path: path, title: title, pages: document.pageSizes.count)
        return Entry(stamp: stamp, document: document, id: score.id, title: title)
    }

    /// The path of a file in the folder.
    private func name(of path: String) -> String {
        // By bytes: a name that begins with a combining mark makes one Character of it and the slash.
        String(Substring(path.utf8.dropFirst(folder.utf8.count).drop { $0 == UInt8(ascii: "/") }))
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

    /// A picture of a page; `nil` if there is no such page.
    func picture(of request: PageRequest) throws -> PictureFile? {
        guard let (_, entry) = current(request.score), entry.document.pageSizes.indices.contains(request.number - 1)
        else { return nil }
        return try renderer.page(
            request.number, of: entry.document, width: request.width, isDark: request.isDark
        ).open()
    }

    /// A picture of a page if it need not be drawn.
    func drawnPicture(of request: PageRequest) throws -> PictureFile? {
        guard let (_, entry) = current(request.score) else { return nil }
        return try renderer.drawnPage(
            request.number, of: entry.document, width: request.width, isDark: request.isDark)?.open()
    }

    /// A score whose file is still the one that was read: what would be drawn of another one is another score.
    func current(_ id: String) -> (path: String, Entry)? {
        guard let (path, entry) = entry(id), ScoreFolder.stamp(of: path) == entry.stamp else { return nil }
        return (path, entry)
    }

    func entry(_ id: String) -> (path: String, Entry)? {
        shelved.withLock { shelved in shelved.entries.first { $0.value.id == id }.map { ($0.key, $0.value) } }
    }
}
