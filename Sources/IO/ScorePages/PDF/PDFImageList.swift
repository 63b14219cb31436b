/// The pictures of a page, as `pdfimages -list` lists them.
struct PDFImageList {
    /// In points, as they are drawn.
    private let sizes: [ScoreDocument.PageSize]

    init(_ text: String) {
        // page num type width height color comp bpc enc interp object ID x-ppi y-ppi size ratio
        sizes = text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            // An image has a mask in a line of its own; an inline image has one word less.
            guard words.count >= 14, words[2] == "image", let width = Double(words[3]), let height = Double(words[4]),
                let across = Double(words[words.count - 4]), let down = Double(words[words.count - 3]), across > 0,
                down > 0
            else { return nil }
            return ScoreDocument.PageSize(width: 72 * width / across, height: 72 * height / down)
        }
    }

    /// Whether there is one picture, over nine tenths of the page both ways.
    func covers(_ page: ScoreDocument.PageSize) -> Bool {
        guard sizes.count == 1, let only = sizes.first else { return false }
        return only.width >= 0.9 * page.width && only.height >= 0.9 * page.height
            || only.height >= 0.9 * page.width && only.width >= 0.9 * page.height
    }
}
