package import Music

/// The elements of an SVG picture, in the order they are drawn.
package struct SVG {
    package static let ink = "#1d2733", quiet = "#8a94a0", line = "#d9dee4", good = "#1b7f4d", fair = "#c07a00",
        bad = "#b3261e"

    private var elements = ""

    package init() {}

    /// The color of a deviation: green within the tolerance, amber within three times that, red beyond.
    package static func shade(_ deviation: Cents, tolerance: Cents) -> String {
        let size = abs(deviation.value) / tolerance.value
        return size <= 1 ? good : size <= 3 ? fair : bad
    }

    /// A number with one decimal at most.
    package static func number(_ value: Double) -> String {
        let text = fixedPoint(value, decimals: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    package func text(width: Double, height: Double) -> String {
        let (width, height) = (Self.number(width), Self.number(height))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="DejaVu Sans, Arial, sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="#ffffff"/>
            \(elements)</svg>

            """
    }

    package mutating func append(_ other: SVG) { elements += other.elements }

    package mutating func append(_ element: String) { elements += element + "\n" }

    /// Adds a line of width 1.
    package mutating func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String) {
        let (from, to) = ("\(Self.number(x1)) \(Self.number(y1))", "\(Self.number(x2)) \(Self.number(y2))")
        append("<path d=\"M\(from)L\(to)\" stroke=\"\(color)\" stroke-width=\"1\"/>")
    }

    package mutating func label(
        _ text: String, _ x: Double, _ y: Double, anchor: String = "start", size: Double = 12, color: String
    ) {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        // XML has no control characters, but a file name may.
        let clean = String(escaped.unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init))
        append(
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor)\" "
                + "font-size=\"\(Self.number(size))\" fill=\"\(color)\">\(clean)</text>")
    }
}
