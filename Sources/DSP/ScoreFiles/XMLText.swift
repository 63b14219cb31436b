/// Text of an XML document, written element by element.
internal struct XMLText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var open: [String] = []

    init(doctype: String) { text += doctype + "\n" }

    /// Writes an element and what `content` writes into it.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], _ content: (inout XMLText) -> Void
    ) {
        text += indent + start(name, attributes) + ">\n"
        open.append(name)
        content(&self)
        open.removeLast()
        text += indent + "</\(name)>\n"
    }

    /// Writes an element with text, or an empty one.
    mutating func element(_ name: String, _ attributes: [(String, String)] = [], text content: String? = nil) {
        let end = content.map { ">\(Self.escaped($0))</\(name)>" } ?? "/>"
        text += indent + start(name, attributes) + end + "\n"
    }

    private var indent: String { String(repeating: " ", count: open.count) }

    private func start(_ name: String, _ attributes: [(String, String)]) -> String {
        "<" + name + attributes.map { " \($0.0)=\"\(Self.escaped($0.1))\"" }.joined()
    }

    /// Text without what XML would read as markup, and without the control characters that it does not allow.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // A reader takes it for the end of a line.
            case "\r": result += "&#13;"
            case _ where scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar): result += "\u{FFFD}"
            case _ where scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
