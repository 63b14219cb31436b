/// A picture of a page, opened to be read in pieces: a whole one can have 32 MiB, and many devices read slowly.
package final class PictureFile: Sendable {
    private let file: ScoreFile
    /// `image/png` or `image/jpeg`.
    package let contentType: String

    init(_ file: consuming ScoreFile, contentType: String) {
        self.file = file
        self.contentType = contentType
    }

    package var byteCount: Int { file.byteCount }

    /// At most `count` bytes from `offset` on; fewer where the file was cut short since. Blocks.
    package func read(from offset: Int, atMost count: Int) throws(ScorePageError) -> [UInt8] {
        try file.read(from: offset, atMost: count)
    }
}
