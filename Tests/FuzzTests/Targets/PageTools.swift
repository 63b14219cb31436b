@testable import ScorePages

extension FuzzTarget {
    /// What `pdfinfo`, `pdfimages -list`, `pdftoppm`, `mutool` and the decoder of pictures print.
    static let pageTools = FuzzTarget(name: "page-tools", longest: 4_096) { bytes in
        let text = bytes.text
        let info = PDFInfo(text)
        precondition(info.pageCount >= 0)
        precondition(info.sizes.allSatisfy { $0.width > 0 && $0.height > 0 && ($0.width + $0.height).isFinite })
        let list = PDFImageList(text)
        let (page, turned) = (
            ScoreDocument.PageSize(width: 595, height: 842), ScoreDocument.PageSize(width: 842, height: 595)
        )
        precondition(list.covers(page) == list.covers(turned), "a page is covered, and not when it is turned")
        precondition(!list.covers(page) || text.contains("image"), "a page without a picture is covered by one")
        guard let image = GrayImage(portableGraymap: Array(bytes)) else { return }
        precondition(image.width > 0 && image.height > 0 && image.pixels.count == image.width * image.height)
        precondition(image.pixels.elementsEqual(bytes.suffix(image.pixels.count)))
        precondition(GrayImage(portableGraymap: image.portableGraymap) == image, "written, it is another picture")
        let small = image.shrunk(by: 2)
        precondition(small.pixels.count == small.width * small.height)
    }
}
