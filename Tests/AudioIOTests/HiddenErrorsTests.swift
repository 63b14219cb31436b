import AudioIO
import Foundation
import TestSignals
import Testing

/// What libraries print about a damaged file is hidden, and nothing else is.
@Suite struct HiddenErrorsTests {
    /// Replacing stderr of the whole process would fail here: two overlapping threads would leave it replaced, and hide all
    /// later errors and test results.
    @Test func `Files read on four threads hide their libraries' complaints, and what other threads print is seen`()
        async throws
    {
        let outcome = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            try write([Float](repeating: 0.1, count: 480_000), to: folder.path("m.mp3"), rate: 48_000, format: .mp3)
            var bytes = try folder.bytes(of: "m.mp3")
            for index in (bytes.count / 3)..<(2 * bytes.count / 3) { bytes[index] = 0 }
            let path = try folder.write(bytes, to: "broken.mp3")
            let readers = (0..<4).map { _ in
                ThreadHandle { for _ in 0..<50 { _ = try? readAll(path) } }
            }
            for number in 0..<2_000 {
                errno = 0
                perror("line \(number)")
            }
            for reader in readers { reader.join() }
            errno = 0
            perror("the last")
        }
        let text = String(decoding: try #require(outcome).standardErrorContent, as: UTF8.self)
        let lines = text.split(separator: "\n").map { String($0.prefix { $0 != ":" }) }
        #expect(lines == (0..<2_000).map { "line \($0)" } + ["the last"], "\(lines.count) lines")
    }
}
