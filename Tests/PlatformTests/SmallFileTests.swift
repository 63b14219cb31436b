import Foundation
import Glibc
import Music
import Platform
import Testing

struct SmallFileTests {
    private func refusal(_ action: () throws(SmallFile.Failure) -> Void) -> SmallFile.Failure? {
        do { try action() } catch { return error }
        return nil
    }

    @Test func `What is written is read again, and replaces what was there`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "well-tempered-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try SmallFile.write(bytes, to: path)
        #expect(try SmallFile.read(path, kind: "a map") == bytes)
        try SmallFile.write([1, 2, 3], to: path)
        #expect(try SmallFile.read(path, kind: "a map") == [1, 2, 3])
    }

    @Test func `Each way in which a file cannot be read has its sentence`() throws {
        let missing = try #require(
            refusal { () throws(SmallFile.Failure) in _ = try SmallFile.read("/none", kind: "a map") })
        #expect(missing.message == "there is no file \"/none\": check the name" && !missing.isOutput)
        let directory = try #require(
            refusal { () throws(SmallFile.Failure) in _ = try SmallFile.read("/tmp", kind: "a map") })
        #expect(directory.message == "\"/tmp\" is a directory: name a map in it" && !directory.isOutput)
    }

    @Test func `A file that never ends is given up at 2 MiB`() throws {
        let endless = try #require(
            refusal { () throws(SmallFile.Failure) in _ = try SmallFile.read("/dev/zero", kind: "a map") })
        #expect(endless.message == "\"/dev/zero\" has more than 2 MiB: name a map" && !endless.isOutput)
    }

    @Test func `A full disk and a missing folder are errors`() throws {
        for path in ["/dev/full", "/none/at/all"] {
            let refusal = try #require(refusal { () throws(SmallFile.Failure) in try SmallFile.write([1], to: path) })
            #expect(refusal.isOutput && refusal.message.hasPrefix("cannot write \"\(path)\" ("))
        }
    }

    @Test func `A pipe where a regular file belongs is refused, to read and to write, and does not make anybody wait`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "well-tempered-\(UUID())").path()
        try SmallFile.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        for isOutput in [false, true] {
            let refusal = try #require(
                refusal { () throws(SmallFile.Failure) in
                    if isOutput { return try SmallFile.replace([1], at: path) }
                    _ = try SmallFile.read(path, kind: "a map", mayBePipe: false)
                })
            #expect(
                refusal.isOutput == isOutput
                    && refusal.message
                        == "\"\(path)\" is not a regular file: move it away: an ordinary file belongs there"
            )
        }
    }

    @Test func `A replaced file keeps its mode and the links to it, and leaves no draft behind`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "well-tempered-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // With its parents, for the owner alone.
        try SmallFile.makeFolder(folder + "/a/b")
        try SmallFile.makeFolder(folder + "/a/b")
        var status = stat()
        for part in ["", "/a", "/a/b"] {
            #expect(stat(folder + part, &status) == 0 && status.st_mode & 0o777 == 0o700)
        }
        let (path, link) = (folder + "/a/b/list", folder + "/link")
        try SmallFile.replace([1], at: path)
        chmod(path, 0o640)
        #expect(symlink(path, link) == 0)
        try SmallFile.replace([2, 3], at: link)
        #expect(try SmallFile.read(path, kind: "a map") == [2, 3])
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a/b") == ["list"])
        // A folder in the way is named by its own path, not by that of the draft.
        let blocked = try #require(
            refusal { () throws(SmallFile.Failure) in try SmallFile.replace([1], at: "/none/at/all") })
        #expect(blocked.isOutput && blocked.message.hasPrefix("cannot write \"/none/at/all\" ("))
        let file = try #require(
            refusal { () throws(SmallFile.Failure) in try SmallFile.makeFolder(path + "/more/folders") })
        #expect(file.isOutput && file.message.hasPrefix("cannot write \"\(path)/more"), "\(file.message)")
    }

    @Test func `Whether a file can be written is told without touching it`() throws {
        let folder = "/tmp/small-file-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try SmallFile.makeFolder(folder)
        defer { rmdir(folder) }
        try SmallFile.checkWritable(folder + "/new")
        #expect(access(folder + "/new", F_OK) != 0)
        try SmallFile.write([1, 2], to: folder + "/old")
        defer { unlink(folder + "/old") }
        try SmallFile.checkWritable(folder + "/old")
        #expect(try SmallFile.read(folder + "/old", kind: "a map") == [1, 2])
        try SmallFile.checkWritable("/dev/null")
        for path in [folder, folder + "/none/new", folder + "/old/new"] {
            let failure = try #require(refusal { () throws(SmallFile.Failure) in try SmallFile.checkWritable(path) })
            #expect(failure.isOutput && failure.problem.contains(path))
        }
    }
}
