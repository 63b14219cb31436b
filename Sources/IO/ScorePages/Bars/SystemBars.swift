/// The bar lines of a system: what all its staves agree on.
struct SystemBars {
    /// One bar line: a single stroke, or the strokes of a double bar, a repeat sign or an end.
    struct Line {
        /// The edges of its strokes, in pixels of the upright page.
        var left: Double, right: Double
        /// The width of its thickest stroke, in pixels.
        var thickest: Int
        var middle: Double { (left + right) / 2 }
    }

    /// From left to right, without the stroke at the beginning of the system.
    let lines: [Line]

    /// - Parameters:
    ///   - strokes: of each staff.
    ///   - thickness: of the page's bar lines, in pixels.
    init(of system: [Staff], strokes: [[BarLineFinder.Stroke]], thickness: Double) {
        let strokes = strokes.enumerated().map { index, strokes in
            strokes.filter { stroke in
                // A flag comes near the next bar line, and the wall of a hollow head near its stem. Stems are engraved at
                // seven tenths of a bar line or less.
                guard stroke.contact == .none || stroke.contact == .near && stroke.thickness >= 0.85 * thickness else {
                    return false
                }
                // At the outer ends of a system a bar line ends with the staff; between staves it may go on.
                return (index > 0 || !stroke.goesAbove) && (index + 1 < system.count || !stroke.goesBelow)
            }
        }
        guard let first = strokes.first, let staff = system.first else {
            lines = []
            return
        }
        let space = staff.space
        let agreed = first.filter { stroke in
            strokes.dropFirst().allSatisfy { others in
                others.contains { abs($0.middle - stroke.middle) < 0.5 * space }
            }
        }
        var lines: [Line] = []
        for stroke in agreed {
            if let last = lines.last, Double(stroke.left) - last.right < 1.3 * space {
                lines[lines.count - 1].right = Double(stroke.right)
                lines[lines.count - 1].thickest = max(last.thickest, stroke.width)
            } else {
                lines.append(Line(left: Double(stroke.left), right: Double(stroke.right), thickest: stroke.width))
            }
        }
        let start = Double(system.map(\.left).min() ?? 0)
        self.lines = lines.filter { $0.middle - start > 1.5 * space }
    }
}
