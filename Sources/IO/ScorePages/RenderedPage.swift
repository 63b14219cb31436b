/// A picture of a page, in a file that can be served as it is.
package struct RenderedPage: Sendable, Hashable {
    package let path: String
    /// The folder that the file must lie in when it is opened; `nil`: anywhere.
    package var folder: String?
    /// `image/png` or `image/jpeg`.
    package let contentType: String
    /// As it is shown, in pixels.
    package let width: Int, height: Int

    /// 32 MiB: a picture of 64 megapixels, or a page that was drawn.
    package static let mostBytes = 32 << 20

    init(path: String, contentType: String, width: Int, height: Int) {
        (self.path, self.contentType, self.width, self.height) = (path, contentType, width, height)
    }

    /// Opens the file, to be read in pieces.
    package func open() throws(ScorePageError) -> PictureFile {
        let file = try ScoreFile(path, inside: folder)
        guard file.byteCount <= Self.mostBytes else {
            throw ScorePageError(problem: "\"\(path)\" has more than 32 MiB", remedy: "make it smaller")
        }
        return PictureFile(file, contentType: contentType)
    }
}
