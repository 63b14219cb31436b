import Foundation
import TestCommands
import Testing

@testable import ScorePages

@Suite struct PageRendererTests {
    private static let decoder = BuiltCommand("page-probe").executable.path()

    /// A renderer with its cache in a folder.
    private func renderer(_ folder: URL, limit: Int? = nil, tools: PageTools = PageTools()) throws -> PageRenderer {
        try PageRenderer(
            cache: folder.appending(path: "cache").path(), limit: limit, decoder: Self.decoder, tools: tools)
    }

    private func write(_ data: Data, _ name: String, in folder: URL) throws -> String {
        let url = folder.appending(path: name)
        try data.write(to: url)
        return url.path()
    }

    /// The gray values of a picture that was made.
    private func pixels(_ page: RenderedPage) throws -> GrayImage {
        try #require(ImageDecoder().image([UInt8](try Data(contentsOf: URL(filePath: page.path)))))
    }

    /// The problem of what `body` throws.
    private func problem(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as ScorePageError {
            return error.remedy.isEmpty ? nil : error.problem
        } catch {
            return nil
        }
    }

    @Test func `A PDF has the sizes of its pages as they are shown`() throws {
        try withTemporaryFolder { folder in
            let path = try write(PDFDraft.sizes.data, "a.pdf", in: folder)
            let document = try renderer(folder).document(at: path)
            #expect(document.kind == .pdf && document.hash.count == 16)
            let sizes = document.pageSizes.map { [$0.width, $0.height] }
            #expect(sizes == [[595, 842], [400, 300], [200, 100]], "the second is turned, the third is cropped")
            let again = try renderer(folder).document(at: try write(PDFDraft.sizes.data, "b.pdf", in: folder))
            let other = try renderer(folder).document(at: try write(PDFDraft.plain.data, "c.pdf", in: folder))
            #expect(again.hash == document.hash && other.hash != document.hash)
            for (index, size) in document.pageSizes.enumerated() {
                let page = try renderer(folder).page(index + 1, of: document, width: 640, isDark: false)
                #expect(abs(Double(page.height) - 640 * size.height / size.width) <= 1, "page \(index + 1)")
            }
        }
    }

    @Test func `A page is drawn once for a width and a kind, dark in soft contrast`() throws {
        try withTemporaryFolder { folder in
            let renderer = try renderer(folder)
            let document = try renderer.document(at: try write(PDFDraft.plain.data, "a.pdf", in: folder))
            let light = try renderer.page(1, of: document, width: 640, isDark: false)
            #expect(light.contentType == "image/png" && light.width == 640)
            let image = try pixels(light)
            #expect(image.width == light.width && image.height == light.height)
            #expect(image.pixels.contains { $0 < 64 } && image.pixels.count { $0 == 255 } > image.pixels.count * 9 / 10)
            let dark = try pixels(renderer.page(1, of: document, width: 640, isDark: true))
            #expect(dark.pixels.min() == 24 && (dark.pixels.max() ?? 0) > 170, "paper is 24, ink up to 222")
            // What is in the cache is not drawn again: without any tools.
            let later = try PageRenderer(
                cache: folder.appending(path: "cache").path(), limit: nil, decoder: nil, tools: PageTools(folders: []))
            #expect(try later.page(1, of: document, width: 640, isDark: false) == light)
            #expect(throws: ScorePageError.self) { try later.page(1, of: document, width: 1_024, isDark: false) }
            for number in [0, 2, -1] {
                #expect(throws: ScorePageError.self) {
                    try renderer.page(number, of: document, width: 640, isDark: true)
                }
            }
            let drafts = try FileManager.default.contentsOfDirectory(atPath: folder.path() + "/cache")
                .filter { $0.hasPrefix(".") }
            #expect(drafts.isEmpty)
        }
    }

    @Test func `A page that one picture covers becomes JPEG`() throws {
        try withTemporaryFolder { folder in
            let renderer = try renderer(folder)
            let document = try renderer.document(at: try write(PDFDraft.scan.data, "a.pdf", in: folder))
            for isDark in [false, true] {
                let page = try renderer.page(1, of: document, width: 640, isDark: isDark)
                #expect(page.contentType == "image/jpeg" && page.width == 640)
                #expect(try pixels(page).width == 640)
            }
        }
    }

    @Test func `The gray page of a PDF has 150 dots per inch`() throws {
        try withTemporaryFolder { folder in
            let renderer = try renderer(folder)
            let document = try renderer.document(at: try write(PDFDraft.plain.data, "a.pdf", in: folder))
            let image = try renderer.grayImage(ofPage: 1, of: document)
            #expect(abs(image.width - 595 * 150 / 72) <= 1 && abs(image.height - 842 * 150 / 72) <= 2)
            #expect(image.pixels.contains { $0 < 64 })
        }
    }

    @Test(arguments: PDFDraft.hostile.indices)
    func `A hostile PDF ends in a picture or an error with a remedy`(_ index: Int) throws {
        let (name, file) = PDFDraft.hostile[index]
        try withTemporaryFolder { folder in
            let tools = PageTools(processorSeconds: 2)
            let renderer = try renderer(folder, tools: tools)
            let path = try write(file.data, "a.pdf", in: folder)
            let said = problem {
                let document = try renderer.document(at: path)
                let page = try renderer.page(1, of: document, width: 640, isDark: false)
                #expect(try pixels(page).width == page.width, "\(name)")
            }
            print("\(name): \(said ?? "a picture")")
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))?
                    .contains(folder.lastPathComponent) == true
            }
            #expect(open.isEmpty, "\(name) leaves no file open")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path() + "/cache")
            #expect(left.count == (said == nil ? 1 : 0), "\(name)")
        }
    }

    @Test func `What is no score says so`() throws {
        try withTemporaryFolder { folder in
            let renderer = try renderer(folder)
            let plain = PDFDraft.plain.data
            let files = [
                ("empty", Data()), ("text", Data("Dear Sir".utf8)), ("half", plain.prefix(plain.count / 2)),
                ("head", Data("%PDF-1.7\n".utf8)),
                ("png", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0])),
            ]
            for (name, data) in files {
                let path = try write(data, name, in: folder)
                let said = problem { _ = try renderer.document(at: path) }
                #expect(said?.contains(path) == true, "\(name): \(said ?? "")")
            }
            #expect(problem { _ = try renderer.document(at: folder.path() + "/none.pdf") }?.contains("no file") == true)
            #expect(problem { _ = try renderer.document(at: folder.path()) }?.contains("regular") == true)
            let pipe = folder.path() + "/pipe"
            mkfifo(pipe, 0o600)
            #expect(problem { _ = try renderer.document(at: pipe) }?.contains("regular") == true)
            // A PNG header that claims 70 megapixels.
            var header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            header += [0, 0, 0x27, 0x10, 0, 0, 0x1B, 0x58, 8, 0, 0, 0, 0]
            let large = try write(Data(header), "large.png", in: folder)
            #expect(problem { _ = try renderer.document(at: large) }?.contains("64 megapixels") == true)
        }
    }

    @Test func `A symbolic link is followed inside the folder of the scores and not out of it`() throws {
        try withTemporaryFolder { folder in
            let renderer = try renderer(folder)
            let scores = folder.appending(path: "scores")
            for name in ["scores", "scores-of-others"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: name), withIntermediateDirectories: true)
            }
            _ = try write(PDFDraft.plain.data, "scores/a.pdf", in: folder)
            _ = try write(PDFDraft.plain.data, "scores-of-others/b.pdf", in: folder)
            for (link, target) in [
                ("inside.pdf", "a.pdf"), ("outside.pdf", "../scores-of-others/b.pdf"),
                ("folder", "../scores-of-others"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: scores.path() + "/" + link, withDestinationPath: target)
            }
            func said(_ name: String) -> String? {
                problem { _ = try renderer.document(at: scores.path() + "/" + name, inside: scores.path()) }
            }
            #expect(said("a.pdf") == nil && said("inside.pdf") == nil)
            for name in ["outside.pdf", "folder/b.pdf", "../scores-of-others/b.pdf"] {
                #expect(said(name)?.contains("out of the folder") == true, "\(name)")
            }
        }
    }

    @Test func `A missing program is named, with the package that has it`() throws {
        try withTemporaryFolder { folder in
            let path = try write(PDFDraft.plain.data, "a.pdf", in: folder)
            let bare = try renderer(folder, tools: PageTools(folders: []))
            let error = #expect(throws: ScorePageError.self) { try bare.document(at: path) }
            #expect(error?.problem.contains("pdfinfo") == true && error?.remedy.contains("poppler-utils") == true)
        }
    }

    @Test func `Poppler alone draws the same page as mupdf`() throws {
        try withTemporaryFolder { folder in
            let programs = folder.appending(path: "bin")
            try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
            for name in ["pdfinfo", "pdfimages", "pdftocairo", "pdftoppm", "prlimit", "nice"] {
                try FileManager.default.createSymbolicLink(
                    atPath: programs.path() + "/" + name, withDestinationPath: "/usr/bin/" + name)
            }
            let tools = PageTools(folders: [programs.path()])
            #expect(!tools.isSandboxed)
            let renderer = try renderer(folder, tools: tools)
            let document = try renderer.document(at: try write(PDFDraft.plain.data, "a.pdf", in: folder))
            let images = try [false, true].map { try pixels(renderer.page(1, of: document, width: 640, isDark: $0)) }
            let other = try self.renderer(folder.appending(path: "other"))
            let reference = try pixels(other.page(1, of: document, width: 640, isDark: false))
            #expect(abs(images[0].height - reference.height) <= 1 && images[0].width == reference.width)
            #expect(images[1].width == 640)
            // Where one has ink the other has ink within a pixel or two: the line is as thin as that.
            let (mine, theirs) = (images[0].shrunk(by: 8), reference.shrunk(by: 8))
            let difference = zip(mine.pixels, theirs.pixels).map { abs(Int($0) - Int($1)) }.max()
            #expect((difference ?? 255) < 60)
        }
    }

    @Test func `PNG and JPEG files are served as they are, and their dark pages are decoded by a child`() throws {
        try withTemporaryFolder { folder in
            let renderer = try renderer(folder)
            let image = GrayImage(width: 900, height: 600) { y, row in for x in 0..<900 { row[x] = y < 300 ? 0 : 255 } }
            for (name, format, type) in [("a.png", PageCache.Format.png, "image/png"), ("b.jpg", .jpeg, "image/jpeg")] {
                let path = folder.path() + "/" + name
                #expect(ImageWriter.write(image, as: format, to: path))
                let document = try renderer.document(at: path)
                #expect(document.pageSizes == [.init(width: 900, height: 600)])
                let light = try renderer.page(1, of: document, width: 640, isDark: false)
                #expect(light == RenderedPage(path: document.path, contentType: type, width: 900, height: 600))
                let dark = try renderer.page(1, of: document, width: 640, isDark: true)
                let pixels = try pixels(dark)
                #expect(dark.contentType == type && abs(Int(pixels.pixels[0]) - 222) < 4)
                #expect(abs(Int(pixels.pixels[pixels.pixels.count - 1]) - 24) < 4)
                let gray = try renderer.grayImage(ofPage: 1, of: document)
                #expect(gray.width == 900 && gray.height == 600)
            }
            // What is damaged behind its header, but has its end.
            var whole = try Data(contentsOf: folder.appending(path: "a.png"))
            let middle = whole.count / 2
            whole.replaceSubrange(middle..<middle + 20, with: repeatElement(0x55, count: 20))
            let broken = try renderer.document(at: try write(whole, "c.png", in: folder))
            #expect(
                problem { _ = try renderer.page(1, of: broken, width: 640, isDark: true) }?.contains("damaged") == true)
        }
    }

    @Test func `A picture that was cut short is no score, wherever it was cut`() throws {
        try withTemporaryFolder { folder in
            let renderer = try renderer(folder)
            let image = GrayImage(width: 90, height: 60) { y, row in for x in 0..<90 { row[x] = UInt8(x * y & 255) } }
            for (name, format) in [("a.png", PageCache.Format.png), ("b.jpg", .jpeg)] {
                let path = folder.path() + "/" + name
                #expect(ImageWriter.write(image, as: format, to: path))
                let whole = try Data(contentsOf: URL(filePath: path))
                for count in stride(from: 0, to: whole.count - 1, by: 7) {
                    let cut = try write(whole.prefix(count), "cut-\(name)", in: folder)
                    #expect(problem { _ = try renderer.document(at: cut) } != nil, "\(count) of \(whole.count)")
                }
                // A telephone writes more behind the picture.
                let more = try write(whole + Data([0, 1, 2, 3]), "more-\(name)", in: folder)
                #expect(try renderer.document(at: more).pageSizes == [.init(width: 90, height: 60)])
            }
        }
    }

    @Test func `The cache forgets what was asked for longest ago`() throws {
        try withTemporaryFolder { folder in
            // A dark page of 640 pixels has some kilobytes: three fit.
            let path = try write(PDFDraft.plain.data, "a.pdf", in: folder)
            let first = try renderer(folder)
            let document = try first.document(at: path)
            let page = try first.page(1, of: document, width: 640, isDark: false)
            let bytes = try Data(contentsOf: URL(filePath: page.path)).count
            let renderer = try renderer(folder, limit: 7 * bytes / 2)
            var pages = [page]
            for width in [641, 642] { pages.append(try renderer.page(1, of: document, width: width, isDark: false)) }
            // The first is asked for again, so the second is the oldest.
            usleep(20_000)
            _ = try renderer.page(1, of: document, width: 640, isDark: false)
            pages.append(try renderer.page(1, of: document, width: 643, isDark: false))
            let isThere = pages.map { FileManager.default.fileExists(atPath: $0.path) }
            #expect(isThere == [true, false, true, true])
        }
    }
}
