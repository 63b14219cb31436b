/// What `pdfinfo` says of a PDF: `Pages: 2`, `Page 1 size: 595.3 x 841.9 pts (A4)`, `Page 1 rot: 90`.
struct PDFInfo {
    private(set) var pageCount = 0
    /// In points, as the pages are shown.
    private(set) var sizes: [ScoreDocument.PageSize] = []

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count == 2, words[0] == "Pages:", let count = Int(words[1]), count >= 0 {
                pageCount = count
            } else if words.count >= 6, words[0] == "Page", Int(words[1]) == sizes.count + 1, words[2] == "size:",
                let width = Double(words[3]), let height = Double(words[5]), width > 0, height > 0,
                width.isFinite, height.isFinite
            {
                sizes.append(ScoreDocument.PageSize(width: width, height: height))
            } else if words.count == 4, words[0] == "Page", Int(words[1]) == sizes.count, words[2] == "rot:",
                let turn = Int(words[3]), turn % 180 != 0, let last = sizes.popLast()
            {
                sizes.append(ScoreDocument.PageSize(width: last.height, height: last.width))
            }
        }
    }
}
