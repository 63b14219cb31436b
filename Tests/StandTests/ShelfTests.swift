import Foundation
import Testing

@testable import ScorePages
@testable import Stand

@Suite struct ShelfTests {
    /// The beginning and the end of a picture of one pixel (PNG, third edition, 5.2, 11.2.1 and 11.2.4): all that the shelf reads.
    private static let picture: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55]
        + [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]

    private let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID().uuidString)")

    /// A shelf of a folder, and a store that outlives it.
    private func shelf(_ store: StandStore) throws -> ScoreShelf {
        try ScoreShelf(
            folder: folder.appending(path: "scores").path(), store: store, cache: folder.appending(path: "cache").path()
        )
    }

    /// The scores, after a look at the folder.
    private func names(_ shelf: ScoreShelf) -> [ScoreName] {
        shelf.look()
        return shelf.list().scores
    }

    private func write(_ bytes: [UInt8], _ name: String, at date: Date = Date(timeIntervalSince1970: 1e9)) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path(percentEncoded: false))
    }

    private func store() throws -> StandStore { try StandStore(path: folder.appending(path: "stand.sqlite").path()) }

    @Test func `A picture that has become a link out of the folder is not served`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Self.picture, "scores/a.png")
        // As long and as old as the picture, so that nothing else gives it away.
        try write(Array("a secret".utf8) + [UInt8](repeating: 0, count: Self.picture.count - 8), "secret.txt")
        let shelf = try shelf(try store())
        let name = try #require(names(shelf).first)
        let request = try #require(PageRequest(path: "/page/\(name.id)/1/640.png"))
        let picture = try #require(try shelf.picture(of: request))
        #expect(picture.byteCount == Self.picture.count)
        #expect(try picture.read(from: 0, atMost: 10) == Array(Self.picture[..<10]))
        #expect(try picture.read(from: 10, atMost: 1_000) == Array(Self.picture[10...]))
        let link = folder.appending(path: "scores/a.png")
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.appending(path: "secret.txt"))
        #expect(throws: (any Error).self) { try shelf.picture(of: request) }
        try write(Array("another secret".utf8), "secret.txt")
        #expect(names(shelf).isEmpty)
    }

    @Test func `What was written anew is not shown as what it was before`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Self.picture, "scores/a.png")
        let shelf = try shelf(try store())
        let name = try #require(names(shelf).first)
        let request = try #require(PageRequest(path: "/page/\(name.id)/1/640.png"))
        #expect(try shelf.picture(of: request) != nil && shelf.drawnPicture(of: request) != nil)
        try write(Self.picture + [0], "scores/a.png")
        #expect(try shelf.picture(of: request) == nil && shelf.drawnPicture(of: request) == nil)
        #expect(try !shelf.findBars(ofPage: 1, of: name.id))
        #expect(try shelf.unseenPages(of: name.id) == [1], "nobody has looked at its page")
    }

    @Test func `A score of the last run is not read again, unless its file has changed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try store()
        try write(Self.picture, "scores/a.png")
        try write(Self.picture + [0], "scores/b.png")
        let before = try names(shelf(store))
        #expect(before.map(\.title) == ["a", "b"])
        // No picture any more, which nobody sees who does not look; the other one is a second younger.
        let junk = [UInt8](repeating: 120, count: Self.picture.count)
        try write(junk, "scores/a.png")
        try write(junk + [0], "scores/b.png", at: Date(timeIntervalSince1970: 1e9 + 1))
        #expect(try names(shelf(store)) == [before[0]])
    }

    @Test func `A file with the content of another is the same score, by either name`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Self.picture, "scores/Blues.png")
        try write(Self.picture, "scores/Blues-reprise.png")
        let shelf = try shelf(try store())
        shelf.look()
        let list = shelf.list()
        #expect(list.scores.count == 1)
        for name in ["Blues", "blues-reprise"] { #expect(list.score(named: name) == list.scores[0].id) }
        #expect(list.score(named: "Sonata") == nil)
    }

    @Test func `A score that was renamed keeps its id`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try store()
        try write(Self.picture, "scores/a.png")
        let before = try names(shelf(store))
        try FileManager.default.moveItem(
            at: folder.appending(path: "scores/a.png"), to: folder.appending(path: "scores/b.png"))
        let after = try names(shelf(store))
        #expect(after.map(\.id) == before.map(\.id) && after.map(\.title) == ["b"])
    }

    @Test func `Files that are no scores are told with the reason, and so is how many were not read`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Self.picture, "scores/a.png")
        try write(Array("a letter".utf8), "scores/old/b.pdf")
        try write(Self.picture + [0], "scores/z.png")
        try write(Array("notes".utf8), "scores/notes.txt")
        try write(Array("a secret".utf8), "secret.pdf")
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "scores/c.pdf"), withDestinationURL: folder.appending(path: "secret.pdf"))
        let shelf = try ScoreShelf(
            folder: folder.appending(path: "scores").path(), store: try store(),
            cache: folder.appending(path: "cache").path(), most: 3)
        #expect(names(shelf).map(\.title) == ["a"])
        let told = shelf.list().leftOut
        #expect(told.unread == 1 && told.further == 0)
        #expect(told.files.map(\.file) == ["c.pdf", "old/b.pdf"])
        #expect(told.files.last?.problem == "it is no PDF, PNG or JPEG")
        #expect(told.files.first?.problem.hasPrefix("it is a link that leads out of the folder") == true)
        // Mended, it is a score.
        try write(Self.picture + [1], "scores/old/b.pdf", at: Date(timeIntervalSince1970: 1e9 + 1))
        #expect(names(shelf).map(\.title) == ["a", "b"])
        #expect(shelf.list().leftOut.files.map(\.file) == ["c.pdf"])
    }

    @Test func `Pictures that were cut short and pipes are told, and no path of this machine is`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Array(Self.picture.dropLast(6)), "scores/cut.png")
        try write(Array("a secret".utf8), "secret.pdf")
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "scores/link.pdf"), withDestinationURL: folder.appending(path: "secret.pdf"))
        #expect(mkfifo(folder.appending(path: "scores/pipe.pdf").path(), 0o600) == 0)
        let shelf = try shelf(try store())
        #expect(names(shelf).isEmpty)
        let told = shelf.list().leftOut.files
        #expect(Set(told.map(\.file)) == ["cut.png", "link.pdf", "pipe.pdf"])
        #expect(told.first { $0.file == "cut.png" }?.problem == "it is a picture that was cut short")
        #expect(told.allSatisfy { !$0.problem.contains("/") && !$0.remedy.contains("/") })
    }

    @Test func `Before the first look something is coming, and nobody is told of an empty folder`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Self.picture, "scores/a.png")
        let shelf = try shelf(try store())
        #expect(shelf.list().scores.isEmpty && shelf.list().leftOut.coming > 0)
        #expect(names(shelf).map(\.title) == ["a"] && shelf.list().leftOut.coming == 0)
    }

    @Test func `Copies of another name and links to folders or to nothing are told`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Self.picture, "scores/a.png")
        try write(Self.picture, "scores/old/b.png")
        try write(Self.picture, "scores/old/a.png")
        for (link, end) in [("band", "old"), ("gone.pdf", "nowhere.pdf")] {
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "scores/\(link)"),
                withDestinationURL: folder.appending(path: "scores/\(end)"))
        }
        let shelf = try shelf(try store())
        #expect(names(shelf).map(\.title) == ["a"])
        let told = Dictionary(uniqueKeysWithValues: shelf.list().leftOut.files.map { ($0.file, $0.problem) })
        #expect(
            told == [
                "band": "it is a link to a folder", "gone.pdf": "it is neither a file nor a link to one",
                "old/b.png": "it is the same file as \"a.png\"",
            ])
    }

    @Test func `A name that begins with a combining mark is a score like any other`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // With the slash before it the mark is one Character.
        try write(Self.picture, "scores/\u{301}a.png")
        let shelf = try shelf(try store())
        #expect(names(shelf).map(\.title) == ["\u{301}a"] && shelf.list().leftOut.files.isEmpty)
    }

    @Test func `Files of one title are told apart, and a name turns no text around`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Self.picture, "scores/a.png")
        try write(Self.picture + [1], "scores/old/a.png")
        try write(Self.picture + [2], "scores/b.png")
        let scores = names(try shelf(try store()))
        #expect(scores.map(\.title) == ["a", "a", "b"])
        #expect(scores.map(\.file) == ["a.png", "old/a.png", nil])
        // U+202E: right to left from here on.
        #expect(ScoreFolder.title(of: "scores/x\u{202E}fdp.png") == "x?fdp")
    }

    @Test func `A folder that cannot be read, and names that are no text, are told; the rest is there`() throws {
        let closed = folder.appending(path: "scores/private")
        defer {
            chmod(closed.path(), 0o700)
            try? FileManager.default.removeItem(at: folder)
        }
        try write(Self.picture, "scores/a.png")
        try write(Self.picture + [0], "scores/deep/er/b.png")
        try write(Self.picture + [1], "scores/.hidden/c.png")
        try write(Self.picture + [2], "scores/private/d.png")
        let odd = folder.appending(path: "scores/").path().utf8CString.dropLast() + [CChar(bitPattern: 0xE9)]
        let descriptor = open(Array(odd) + ".pdf".utf8CString, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        chmod(closed.path(), 0)
        let shelf = try shelf(try store())
        // Whoever is root may read everything.
        let isRoot = geteuid() == 0
        #expect(names(shelf).map(\.title) == ["a", "b"] + (isRoot ? ["d"] : []))
        let told = shelf.list().leftOut.files
        let problems = ["its name is not UTF-8"] + (isRoot ? [] : ["cannot look into it (Permission denied)"])
        #expect(Set(told.map(\.problem)) == Set(problems) && told.count == problems.count)
    }

    @Test func `A file that could not be read is tried again after a while`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try store()
        func shelf(_ patience: Duration) throws -> ScoreShelf {
            try ScoreShelf(
                folder: folder.appending(path: "scores").path(), store: store,
                cache: folder.appending(path: "cache").path(), patience: patience)
        }
        for (patience, isRead) in [(Duration.seconds(3_600), false), (.zero, true)] {
            try write([UInt8](repeating: 120, count: Self.picture.count), "scores/a.png")
            let shelf = try shelf(patience)
            #expect(names(shelf).isEmpty)
            // Nothing that a look at the folder shows has changed.
            try write(Self.picture, "scores/a.png")
            #expect(names(shelf).count == (isRead ? 1 : 0))
        }
    }
}
