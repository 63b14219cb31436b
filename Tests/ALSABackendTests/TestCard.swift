import Foundation
import Synchronization

/// The sound card inside this process (Tests/Rigs/pcm_testcard.c). It is compiled once, and `ALSA_CONFIG_PATH` makes it the
/// only one, before alsa-lib reads its configuration.
final class TestCard: Sendable {
    /// The card of this process. Throws an error with what to install if something is missing.
    static func shared() throws -> TestCard { try outcome.get() }

    private static let outcome = Result { try TestCard() }

    private let folder: URL
    private let definitions = Mutex<(text: String, count: Int)>(("", 0))

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "test-card-\(getpid())")
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Rigs/test-card.sh").path(percentEncoded: false)
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [script, "build", folder.path(percentEncoded: false)]
        process.standardError = errors
        try process.run()
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Missing(complaint: complaint) }
        definitions.withLock { $0.text = (try? String(contentsOf: configuration, encoding: .utf8)) ?? "" }
        setenv("ALSA_CONFIG_PATH", configuration.path(percentEncoded: false), 1)
        atexit {
            try? FileManager.default.removeItem(
                at: FileManager.default.temporaryDirectory.appending(path: "test-card-\(getpid())"))
        }
    }

    private var configuration: URL { folder.appending(path: "asound.conf") }

    /// Makes a device with these settings (see pcm_testcard.c) and returns its name.
    func device(_ settings: String) throws -> String {
        try definitions.withLock { all in
            all.count += 1
            all.text += "pcm.card\(all.count) { type testcard \(settings) }\n"
            // alsa-lib tells a change by inode and time in whole seconds, and the inode of a file that was replaced can come
            // back within the second: each file has a second of its own.
            let new = folder.appending(path: "asound.new")
            try Data(all.text.utf8).write(to: new)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(all.count))], ofItemAtPath: new.path())
            guard rename(new.path(), configuration.path()) == 0 else { throw CocoaError(.fileWriteUnknown) }
            return "card\(all.count)"
        }
    }

    /// Writes `bytes` to a file for a card's `infile`.
    func file(_ name: String, _ bytes: Data) throws -> String {
        let url = folder.appending(path: name)
        try bytes.write(to: url)
        return url.path(percentEncoded: false)
    }

    /// A name for a new file.
    func newFile(_ name: String) -> String { "\(UUID().uuidString)-\(name)" }

    /// A path for a card's `outfile`.
    func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    func bytes(of name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }
}

/// What the machine lacks.
struct Missing: Error, CustomStringConvertible {
    let complaint: String
    var description: String { complaint }
}

extension Data {
    /// Floats as the card's FLOAT_LE frames.
    init(floats: [Float]) { self = floats.withUnsafeBytes { Data($0) } }

    var floats: [Float] {
        withUnsafeBytes { raw in
            (0..<(count / 4)).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }
}
