import Foundation
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

    @Test func `A file that never ends is given up at 16 MiB`() throws {
        let endless = try #require(
            refusal { () throws(SmallFile.Failure) in _ = try SmallFile.read("/dev/zero", kind: "a map") })
        #expect(endless.message == "\"/dev/zero\" has more than 16 MiB: name a map" && !endless.isOutput)
    }

    @Test func `A full disk and a missing folder are errors`() throws {
        for path in ["/dev/full", "/none/at/all"] {
            let refusal = try #require(refusal { () throws(SmallFile.Failure) in try SmallFile.write([1], to: path) })
            #expect(refusal.isOutput && refusal.message.hasPrefix("cannot write \"\(path)\" ("))
        }
    }
}
