/// The distance between two staff lines: the commonest distance, downwards, from the beginning of one stretch of ink to the
/// beginning of the next.
///
/// - SeeAlso: Fujinaga, "Staff Detection and Removal", in: Visual Perception of Music Notation, IRM Press 2004.
enum StaffSpace {
    /// From 4 pixels, where a line and a space can just be told apart, to 100, a staff that fills a page.
    static let range = 4...100

    /// The distance in pixels; `nil` where the page has no regular lines.
    static func measure(_ ink: InkImage) -> Int? {
        var histogram = [Int](repeating: 0, count: range.upperBound + 2)
        // The margins hold no staves; a column in seven tells enough.
        var last = [Int](repeating: -1, count: ink.width)
        let columns = stride(from: ink.width / 8, to: ink.width * 7 / 8, by: 7)
        for y in 1..<max(1, ink.height) {
            let (row, above) = (y * ink.width, (y - 1) * ink.width)
            for x in columns where ink.pixels[row + x] != 0 && ink.pixels[above + x] == 0 {
                if last[x] >= 0, y - last[x] <= range.upperBound { histogram[y - last[x]] += 1 }
                last[x] = y
            }
        }
        let best = range.max { histogram[$0] + histogram[$0 + 1] < histogram[$1] + histogram[$1 + 1] }
        guard let best else { return nil }
        // A tenth of the columns crosses one staff, at least.
        let columnCount = ink.width * 6 / 8 / 7
        guard histogram[best] + histogram[best + 1] >= max(4, columnCount * 4 / 10) else { return nil }
        return histogram[best] >= histogram[best + 1] ? best : best + 1
    }
}
