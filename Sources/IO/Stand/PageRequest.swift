/// `/page/<id of the score>/<number>/<width>[d].png`: a picture of a page. The id is one of the database, the width one of five.
struct PageRequest: Sendable, Hashable {
    let score: String
    /// From 1.
    let number: Int
    let width: Int
    let isDark: Bool

    static let widths = [640, 1024, 1640, 2048, 2732]

    /// Reads a path; `nil` for any other.
    init?(path: Substring) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "page", Self.isIdentity(parts[2]) else { return nil }
        guard parts[3].utf8.count <= 4, let number = Int(parts[3]), number >= 1, "\(number)" == parts[3] else {
            return nil
        }
        guard parts[4].hasSuffix(".png") else { return nil }
        var name = parts[4].dropLast(4)
        isDark = name.hasSuffix("d")
        if isDark { name = name.dropLast() }
        guard let width = Self.widths.first(where: { "\($0)" == name }) else { return nil }
        (score, self.number, self.width) = (String(parts[2]), number, width)
    }

    /// 32 hexadecimal digits in small letters.
    static func isIdentity(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
