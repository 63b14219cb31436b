import Foundation

/// PDF files as a test writes them: a page, or what a hostile page asks for.
struct PDFDraft {
    /// The objects from number 3 on: the page, its content, and what those name.
    private let objects: [String]
    private let kids: String

    private init(_ objects: [String], kids: String = "/Kids [3 0 R] /Count 1") {
        (self.objects, self.kids) = (objects, kids)
    }

    /// A page of this size in points, with this content.
    private init(box: String = "0 0 595 842", content: String, resources: String = "", others: [String] = []) {
        self.init(
            [
                "<< /Type /Page /Parent 2 0 R /MediaBox [\(box)] /Contents 4 0 R /Resources << \(resources) >> >>",
                Self.stream(content),
            ] + others)
    }

    /// The file.
    var data: Data {
        var text = "%PDF-1.4\n"
        let all = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages \(kids) >>"] + objects
        var places: [Int] = []
        for (number, object) in all.enumerated() {
            places.append(text.utf8.count)
            text += "\(number + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = text.utf8.count
        text += "xref\n0 \(all.count + 1)\n0000000000 65535 f \n"
        for place in places { text += String(format: "%010d 00000 n \n", place) }
        text += "trailer << /Size \(all.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Data(text.utf8)
    }

    private static func stream(_ content: String, _ entries: String = "") -> String {
        "<< /Length \(content.utf8.count) \(entries) >> stream\n\(content)\nendstream"
    }

    private static let line = "100 100 m 500 800 l S"

    /// A line from one corner to the other.
    static let plain = PDFDraft(content: line)

    /// Pages of different sizes; the second lies on its side.
    static let sizes = PDFDraft(
        [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Rotate 90 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /CropBox [0 0 200 100] >>",
        ], kids: "/Kids [3 0 R 4 0 R 5 0 R] /Count 3")

    /// A page that one picture of 59 x 84 pixels covers.
    static let scan = PDFDraft(
        content: "595 0 0 842 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>",
        others: [
            stream(
                String(repeating: "00ff", count: 59 * 42) + ">",
                "/Type /XObject /Subtype /Image /Width 59 /Height 84 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /ASCIIHexDecode"
            )
        ])

    private static func form(_ content: String, calling other: Int) -> String {
        stream(
            content,
            "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /A \(other) 0 R >> >>")
    }

    /// Files that ask for more than a score does, by what they ask for.
    static let hostile: [(name: String, file: PDFDraft)] = [
        ("a page of 2,000,000 points", PDFDraft(box: "0 0 2000000 2000000", content: line)),
        ("a page 200,000 times as high as wide", PDFDraft(box: "0 0 10 2000000", content: line)),
        (
            "a form that calls itself",
            PDFDraft(content: "/A Do", resources: "/XObject << /A 5 0 R >>", others: [form("/A Do /A Do", calling: 5)])
        ),
        (
            "ten to the power of eleven forms",
            PDFDraft(
                content: "/A Do", resources: "/XObject << /A 5 0 R >>",
                others: (0..<11).map { level in
                    form(level < 10 ? String(repeating: "/A Do ", count: 10) : "0 0 1 1 re f", calling: 6 + level)
                } + [stream("")])
        ),
        (
            "a picture of 30,000 x 30,000 pixels",
            PDFDraft(
                content: "595 0 0 842 0 0 cm /I Do", resources: "/XObject << /I 5 0 R >>",
                others: [
                    stream(
                        "00>",
                        "/Type /XObject /Subtype /Image /Width 30000 /Height 30000 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /ASCIIHexDecode"
                    )
                ])
        ),
        (
            "400,000 lines",
            PDFDraft(
                content: (0..<400_000).map { "\($0 % 595) \($0 % 842) m \($0 * 7 % 595) \($0 * 11 % 842) l S" }
                    .joined(separator: "\n"))
        ),
        ("a tree of pages that is its own branch", PDFDraft([], kids: "/Kids [2 0 R] /Count 1000000")),
        ("a billion pages", PDFDraft(["<< >>"], kids: "/Kids [3 0 R] /Count 1000000000")),
        ("no page", PDFDraft([], kids: "/Kids [] /Count 0")),
    ]
}
