/// The pages of a PDF, as the programs of poppler or mupdf see them.
struct PDFPages: Sendable {
    /// More pages than any score has: an opera in full score has 900.
    private static let mostPages = 2_000
    /// In points: a quarter of an inch. Nothing can be read on less, and a page of no size has no picture.
    private static let leastSide = 18.0
    /// The package of poppler's programs.
    private static let poppler = "poppler-utils"
    private let tools: PageTools

    init(_ tools: PageTools) { self.tools = tools }

    /// The sizes of the pages in points, as they are shown.
    func sizes(_ file: borrowing ScoreFile) throws(ScorePageError) -> [ScoreDocument.PageSize] {
        let text = try output(of: "pdfinfo", ["-f", "1", "-l", "\(Self.mostPages)", "-"], file, "reading the pages")
        let info = PDFInfo(String(decoding: text, as: UTF8.self))
        guard info.pageCount <= Self.mostPages else {
            throw ScorePageError(
                problem: "\"\(file.path)\" has \(info.pageCount) pages", remedy: "take out those you play, at most 2000"
            )
        }
        guard !info.sizes.isEmpty, info.sizes.count == info.pageCount else { throw Self.damaged(file.path, "") }
        if let page = info.sizes.firstIndex(where: { min($0.width, $0.height) < Self.leastSide }) {
            throw ScorePageError(
                problem: "page \(page + 1) of \"\(file.path)\" is less than a quarter of an inch wide or high",
                remedy: "take that page out, or print it anew on a page of paper")
        }
        return info.sizes
    }

    /// Whether one picture covers a page: a scan.
    func isScan(_ page: Int, of size: ScoreDocument.PageSize, _ file: borrowing ScoreFile) throws(ScorePageError)
        -> Bool
    {
        let text = try output(of: "pdfimages", ["-list"] + Self.only(page) + ["-"], file, "reading page \(page)")
        return PDFImageList(String(decoding: text, as: UTF8.self)).covers(size)
    }

    /// Writes a picture of a page into an open file.
    func draw(
        _ page: Int, width: Int, isScan: Bool, _ file: borrowing ScoreFile, into output: Int32
    ) throws(ScorePageError) {
        let work = "drawing page \(page)"
        if !isScan, let command = try mupdf(page, format: "png", size: ["-w", "\(width)"]) {
            _ = try run(command, file, work, into: output)
            return
        }
        let format = isScan ? ["-jpeg", "-jpegopt", "quality=85"] : ["-png", "-gray"]
        let size = ["-cropbox", "-scale-to-x", "\(width)", "-scale-to-y", "-1"]
        let arguments = format + ["-singlefile"] + Self.only(page) + size + ["-", "-"]
        _ = try run(try tools.command("pdftocairo", package: Self.poppler, arguments), file, work, into: output)
    }

    /// The gray values of a page of this width.
    func gray(_ page: Int, width: Int, _ file: borrowing ScoreFile) throws(ScorePageError) -> GrayImage {
        let command = try pixelCommand(page, width: width)
        let bytes = try run(command, file, "drawing page \(page)", into: nil)
        guard let image = GrayImage(portableGraymap: bytes) else { throw Self.damaged(file.path, "") }
        return image
    }

    private func pixelCommand(_ page: Int, width: Int) throws(ScorePageError) -> [String] {
        if let command = try mupdf(page, format: "pgm", size: ["-w", "\(width)"]) { return command }
        let size = ["-scale-to-x", "\(width)", "-scale-to-y", "-1"]
        return try tools.command(
            "pdftoppm", package: Self.poppler, ["-gray", "-cropbox"] + Self.only(page) + size + ["-"])
    }

    /// mupdf draws ten times as fast; `nil` where it is not installed.
    private func mupdf(_ page: Int, format: String, size: [String]) throws(ScorePageError) -> [String]? {
        guard tools.path(of: "mutool") != nil else { return nil }
        let arguments = ["draw", "-q", "-F", format, "-c", "gray"] + size + ["-o", "-", "/dev/stdin", "\(page)"]
        return try tools.command("mutool", package: "mupdf-tools", arguments)
    }

    private static func only(_ page: Int) -> [String] { ["-f", "\(page)", "-l", "\(page)"] }

    private func output(
        of program: String, _ arguments: [String], _ file: borrowing ScoreFile, _ work: String
    ) throws(ScorePageError) -> [UInt8] {
        try run(try tools.command(program, package: Self.poppler, arguments), file, work, into: nil)
    }

    private func run(
        _ command: [String], _ file: borrowing ScoreFile, _ work: String, into output: Int32?
    ) throws(ScorePageError) -> [UInt8] {
        // 32 MiB: A4 at 400 dots per inch in gray has half.
        let child = ChildProcess(
            command: command, input: file.descriptor, outputFile: output, mostOutput: 32 << 20, programs: tools.programs
        )
        let outcome = try child.run()
        switch outcome.end {
        case .exited(0): return outcome.output
        case .exited where outcome.complaint.contains("ncorrect password") || outcome.complaint.contains("uthenticate"):
            throw ScorePageError(problem: "\"\(file.path)\" needs a password", remedy: "save it without one")
        // A sandbox gives the signal that ended its child as shells do.
        case .exited(let status) where status <= 128: throw Self.damaged(file.path, outcome.complaint)
        case .exited, .killed, .timedOut, .tooMuch:
            throw ScorePageError(
                problem: "\(work) of \"\(file.path)\" takes more time or memory than a score needs",
                remedy: "print it to a new PDF")
        }
    }

    private static func damaged(_ path: String, _ complaint: String) -> ScorePageError {
        let line = complaint.split(whereSeparator: \.isNewline).first.map { " (\($0.prefix(100)))" } ?? ""
        return ScorePageError(
            problem: "\"\(path)\" is no PDF, or a damaged one\(line)",
            remedy: "print it to a new PDF, or name another file")
    }
}
