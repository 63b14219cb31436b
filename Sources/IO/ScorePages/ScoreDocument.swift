/// A score file, and the sizes of its pages.
package struct ScoreDocument: Sendable, Hashable {
    /// What the file is.
    package enum Kind: Sendable, Hashable {
        case pdf, png, jpeg
    }

    /// The width and height of a page: in points (1/72 inch) for PDF, otherwise in pixels.
    package struct PageSize: Sendable, Hashable {
        package let width: Double, height: Double

        package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
    }

    /// Without symbolic links.
    package let path: String
    /// The folder that it must lie in whenever it is opened; `nil`: anywhere.
    package let folder: String?
    /// 16 bytes that are the same for the same content.
    package let hash: [UInt8]
    package let kind: Kind
    package let pageSizes: [PageSize]

    package init(path: String, folder: String?, hash: [UInt8], kind: Kind, pageSizes: [PageSize]) {
        (self.path, self.folder, self.hash) = (path, folder, hash)
        (self.kind, self.pageSizes) = (kind, pageSizes)
    }
}
