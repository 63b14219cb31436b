/// Finds systems and bars on a page of printed music: a clean one, or a scan that is a little turned, blurred or unevenly lit.
///
/// ```swift
/// // At 150 dots per inch, where a staff space has ten pixels.
/// func barCount(of page: GrayImage) -> Int {
///     BarDetector().systems(in: page).reduce(0) { $0 + $1.bars.count }
/// }
/// ```
///
/// Staff lines are rows of long runs of ink, five at one distance; bar lines are strokes over the full height of every staff of a
/// system that nothing but thin lines touch. Nothing is learnt, so nothing has to be downloaded.
///
/// - Complexity: a few passes over the pixels, and memory for four pictures of the page.
package struct BarDetector: Sendable {
    /// A page of A3 at 200 dots per inch. Larger pictures are made smaller first.
    private static let mostPixels = 8_000_000
    /// The sides of a picture that can be a page of music, in pixels. A strip of paper a hundred times as long as wide is none, and
    /// would need memory for each of its rows.
    private static let sides = 32...20_000

    package init() {}

    /// The systems of a page from the top; none where there is no printed music.
    package func systems(in image: GrayImage) -> [FoundSystem] {
        var factor = 1
        while image.width / factor * (image.height / factor) > Self.mostPixels { factor += 1 }
        let image = image.shrunk(by: factor)
        guard Self.sides.contains(image.width), Self.sides.contains(image.height) else { return [] }
        return Page(image).systems
    }

    /// A page turned upright, with what is found on it.
    private struct Page {
        private let page: UprightPage
        private let skew: Skew
        private let staves: [Staff]

        init(_ image: GrayImage) {
            let binarisation = Binarisation(image)
            skew = Skew(of: binarisation.ink)
            let page = UprightPage(skew.upright(binarisation.levelled), threshold: binarisation.threshold)
            staves = StaffSpace.measure(page.ink).map { StaffFinder(page.ink, space: $0).staves } ?? []
            self.page = page
        }

        var systems: [FoundSystem] {
            let groups = SystemFinder(page.ink).systems(of: staves)
            let head = SystemHead(page.ink, systems: groups)
            let strokes = groups.map { group in group.map { BarLineFinder(page, staff: $0).strokes } }
            let thickness = Self.thickness(strokes.flatMap { $0.joined() })
            let lines = groups.indices.map { index -> [SystemBars.Line] in
                let lines = SystemBars(of: groups[index], strokes: strokes[index], thickness: thickness).lines
                guard let first = lines.first, head.holds(first, of: index) else { return lines }
                return Array(lines.dropFirst())
            }
            let doubts = BarCounts(lines.map(\.count)).doubts
            return groups.indices.map { index in
                found(groups[index], lines: lines[index], isDoubtful: doubts[index])
            }
        }

        /// The thickness of the bar lines of the page: of most strokes that nothing touches.
        private static func thickness(_ strokes: [BarLineFinder.Stroke]) -> Double {
            let free = strokes.filter { $0.contact == .none }.map(\.thickness).sorted()
            return free.isEmpty ? 0 : free[free.count / 2]
        }

        private func found(_ staves: [Staff], lines: [SystemBars.Line], isDoubtful: Bool) -> FoundSystem {
            let top = staves.map(\.top).min() ?? 0, bottom = staves.map(\.bottom).max() ?? 0
            let left = Double(staves.map(\.left).min() ?? 0), right = Double(staves.map(\.right).max() ?? 0)
            // On a turned page a place is that at half the height of the system.
            let height = (top + bottom) / 2
            func across(_ x: Double) -> Int { part(skew.turned(x: x, y: height).x, of: page.ink.width) }
            let middle = skew.turned(x: (left + right) / 2, y: height).y
            let edges = [left] + lines.map(\.middle)
            return FoundSystem(
                x0: across(left), y0: part(middle - (bottom - top) / 2, of: page.ink.height), x1: across(right),
                y1: part(middle + (bottom - top) / 2, of: page.ink.height), staffCount: staves.count,
                bars: zip(edges, edges.dropFirst()).map { FoundBar(x0: across($0), x1: across($1)) },
                isDoubtful: isDoubtful)
        }

        /// The middle of a pixel in 1/65536 of a side.
        private func part(_ place: Double, of side: Int) -> Int {
            min(65_536, max(0, Int(((place + 0.5) / Double(side) * 65_536).rounded())))
        }
    }
}
