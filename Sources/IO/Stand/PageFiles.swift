/// The files of the page, compiled in.
enum PageFiles {
    struct File: Sendable {
        let contentType: String
        let bytes: [UInt8]
    }

    private static let html = "text/html; charset=utf-8"
    private static let javaScript = "text/javascript; charset=utf-8"

    /// Every file that is served, by its path.
    static let all: [String: File] = [
        "/": File(contentType: html, bytes: PackageResources.index_html)
    ]
}
