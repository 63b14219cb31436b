internal import Glibc

/// Makes pictures of the pages of scores: PDF by programs of the system, PNG and JPEG as they are.
///
/// ```swift
/// let renderer = try PageRenderer(cache: PageRenderer.standardCache)
/// let score = try renderer.document(at: "scores/bourree.pdf", inside: "scores")
/// let page = try renderer.page(1, of: score, width: 1_640, isDark: false)  // a file to serve
/// ```
///
/// Its functions block, for a tenth of a second a page and for two minutes at most; call them on a thread that may wait.
package struct PageRenderer: Sendable {
    /// `$XDG_CACHE_HOME/well-tempered/pages`.
    package static var standardCache: String { PageCache.standardFolder }
    /// At 150 dots per inch a staff space has ten pixels, which the bar detector needs.
    private static let detectionDensity = 150.0
    /// What the detector is given of a picture, in pixels: A4 at 200 dots per inch.
    private static let detectionPixels = 4_000_000

    private let cache: PageCache
    private let tools: PageTools
    private let queue = RenderQueue()
    private let decoder: String?

    /// A renderer with a cache in this folder.
    ///
    /// - Parameters:
    ///   - limit: the size of the cache in bytes.
    ///   - decoder: a program that calls `ImageDecodingProcess.runIfAsked`; `nil`: this one.
    package init(
        cache folder: String, limit: Int? = nil, decoder: String? = nil
    ) throws(ScorePageError) {
        try self.init(cache: folder, limit: limit, decoder: decoder, tools: PageTools())
    }

    init(cache folder: String, limit: Int?, decoder: String?, tools: PageTools) throws(ScorePageError) {
        cache = try PageCache(folder, limit: limit ?? PageCache.standardLimit)
        (self.tools, self.decoder) = (tools, decoder)
    }

    /// Whether PDF is read in a sandbox, beside its limits.
    package var isSandboxed: Bool { tools.isSandboxed }

    /// Ends the programs that draw and read pages; no others run from now on, and what is asked for fails.
    package func stop() { tools.programs.stop() }

    /// The document in a file: its kind, by its content, and its pages.
    ///
    /// - Parameter folder: the folder in which the file must lie when symbolic links have been followed; `nil`: anywhere.
    package func document(at path: String, inside folder: String? = nil) throws(ScorePageError) -> ScoreDocument {
        let file = try ScoreFile(path, inside: folder)
        guard let hash = ContentHash.ofFile(file.descriptor) else {
            throw ScorePageError(problem: "cannot read \"\(path)\"", remedy: "name another file")
        }
        // The header of a JPEG picture stands behind its Exif, which can have 64 KiB, and its colour profile.
        let beginning = try file.read(atMost: 4 << 20)
        if let header = ImageHeader(beginning) {
            guard header.width <= ImageDecoder.mostPixels / header.height else {
                throw ScorePageError(problem: "\"\(path)\" has more than 64 megapixels", remedy: "make it smaller")
            }
            let size = header.shownSize
            guard file.byteCount <= RenderedPage.mostBytes else {
                throw ScorePageError(problem: "\"\(path)\" has more than 32 MiB", remedy: "make it smaller")
            }
            guard try ImageEnd.isThere(in: file, header) else {
                throw ScorePageError(
                    problem: "\"\(path)\" is a picture that was cut short", remedy: "copy or download it anew")
            }
            return ScoreDocument(
                path: file.path, folder: folder, hash: hash, kind: header.format == .png ? .png : .jpeg,
                pageSizes: [.init(width: Double(size.width), height: Double(size.height))])
        }
        // Some programs write a line or two before it; readers look for it in the first 1024 bytes.
        guard String(decoding: beginning.prefix(1_024), as: UTF8.self).contains("%PDF-") else {
            throw ScorePageError(problem: "\"\(path)\" is no PDF, PNG or JPEG", remedy: "name a file of these kinds")
        }
        let sizes = try queue.run("\(Self.name(hash)) sizes") { () throws(ScorePageError) in
            try PDFPages(tools).sizes(file)
        }
        return ScoreDocument(path: file.path, folder: folder, hash: hash, kind: .pdf, pageSizes: sizes)
    }

    /// The path of a file without symbolic links, if it lies in a folder, as `document` tells it.
    package static func path(_ path: String, inside folder: String) throws(ScorePageError) -> String {
        try ScoreFile(path, inside: folder).path
    }

    /// A picture of a page.
    ///
    /// - Parameters:
    ///   - number: 1 for the first.
    ///   - width: in pixels; a picture that is a file already keeps its own, unless it is made dark.
    ///   - isDark: light notes on a dark page.
    package func page(
        _ number: Int, of document: ScoreDocument, width: Int, isDark: Bool
    ) throws(ScorePageError) -> RenderedPage {
        guard document.pageSizes.indices.contains(number - 1), (1...8_192).contains(width) else {
            throw ScorePageError(
                problem: "\"\(document.path)\" has no page \(number) of \(width) pixels",
                remedy: "ask for 1 to \(document.pageSizes.count), 1 to 8192 pixels wide")
        }
        if let page = drawnPage(number, of: document, width: width, isDark: isDark) { return page }
        let (name, size) = (Self.name(number, document, width, isDark), document.pageSizes[number - 1])
        return try queue.run(name) { () throws(ScorePageError) in
            // Another device may have asked for it, and waited for.
            if let page = cache.page(name) { return page }
            let file = try ScoreFile(document.path, inside: document.folder)
            let isScan =
                document.kind == .pdf
                ? try PDFPages(tools).isScan(number, of: size, file) : document.kind == .jpeg
            let image = isDark ? try gray(number, of: document, width: width, file).dark : nil
            return try cache.add(name, isScan ? .jpeg : .png) { path throws(ScorePageError) in
                if let image {
                    // Where it fails the file is no picture, and `add` says so.
                    _ = ImageWriter.write(image, as: isScan ? .jpeg : .png, to: path)
                } else {
                    let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                    defer { close(output) }
                    try PDFPages(tools).draw(number, width: width, isScan: isScan, file, into: output)
                }
            }
        }
    }

    /// A picture of a page that need not be drawn: one that was drawn before, or a score that is a picture.
    package func drawnPage(_ number: Int, of document: ScoreDocument, width: Int, isDark: Bool) -> RenderedPage? {
        guard document.pageSizes.indices.contains(number - 1) else { return nil }
        guard document.kind != .pdf, !isDark else { return cache.page(Self.name(number, document, width, isDark)) }
        let size = document.pageSizes[number - 1]
        var page = RenderedPage(
            path: document.path, contentType: document.kind == .png ? "image/png" : "image/jpeg",
            width: Int(size.width), height: Int(size.height))
        page.folder = document.folder
        return page
    }

    /// The gray values of a page for the bar detector: of a PDF at 150 dots per inch.
    package func grayImage(ofPage number: Int, of document: ScoreDocument) throws(ScorePageError) -> GrayImage {
        guard document.pageSizes.indices.contains(number - 1) else {
            throw ScorePageError(
                problem: "\"\(document.path)\" has no page \(number)",
                remedy: "ask for 1 to \(document.pageSizes.count)")
        }
        let width = document.pageSizes[number - 1].width / 72 * Self.detectionDensity
        // A poster is no wider than two pages of A3.
        return try queue.run("\(Self.name(document.hash)) \(number) gray") { () throws(ScorePageError) in
            let file = try ScoreFile(document.path, inside: document.folder)
            return try gray(number, of: document, width: Int(min(5_000, max(100, width))), file)
        }
    }

    private static func name(_ number: Int, _ document: ScoreDocument, _ width: Int, _ isDark: Bool) -> String {
        "\(name(document.hash))-\(number)-\(width)\(isDark ? "d" : "")"
    }

    /// In hexadecimal digits.
    private static func name(_ hash: [UInt8]) -> String {
        hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func gray(
        _ number: Int, of document: ScoreDocument, width: Int, _ file: borrowing ScoreFile
    ) throws(ScorePageError) -> GrayImage {
        guard document.kind != .pdf else { return try PDFPages(tools).gray(number, width: width, file) }
        return try ImageDecodingProcess.image(file, mostWanted: Self.detectionPixels, program: decoder, tools)
    }
}
