import Foundation
import Testing

/// Every input that ever failed, and the seeds of `make fuzz`, are read once more. A fault ends the test process.
@Suite struct ReplayTests {
    private static let corpora = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/corpora")

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `The inputs of a target are read without a fault`(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let folder = Self.corpora.appending(path: name)
        let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path() < $1.path() }
        #expect(!inputs.isEmpty, "\(name) has no seeds")
        for input in inputs {
            // Named before it is read, so that a crash tells which one it was.
            print("replay: \(name)/\(input.lastPathComponent)")
            let bytes = [UInt8](try Data(contentsOf: input))
            bytes.withUnsafeBytes { target.read($0) }
            // Cut short, as a full disk leaves it, and with a byte turned over.
            bytes.prefix(bytes.count / 2).withUnsafeBytes { target.read($0) }
            var turned = bytes
            if !turned.isEmpty { turned[turned.count / 2] ^= 0xFF }
            turned.withUnsafeBytes { target.read($0) }
        }
    }
}
