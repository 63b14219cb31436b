/// Finds the bar lines of one staff: strokes over its full height that nothing touches.
///
/// The stem of a note can be as long. It has a head, a flag or a beam, which touches it at one side for at least half a staff
/// space; a bar line is touched by staff lines and ties, which are thinner.
struct BarLineFinder {
    private let gray: GrayImage
    private let ink: InkImage
    /// Only what is darker than the blurred edges of the ink.
    private let core: InkImage
    private let staff: Staff
    private let top: Int, bottom: Int

    init(_ page: UprightPage, staff: Staff) {
        (gray, ink, core, self.staff) = (page.gray, page.ink, page.core, staff)
        (top, bottom) = (Int(staff.top.rounded()), Int(staff.bottom.rounded()))
    }

    /// Whether anything thicker than a tie lies beside a stroke.
    enum Contact: Int, Comparable {
        case none
        /// So near that it may touch: a hollow head, or a flag before the next bar line.
        case near
        /// It touches: a head, a beam.
        case firm

        static func < (first: Contact, second: Contact) -> Bool { first.rawValue < second.rawValue }
    }

    /// A vertical stroke across the staff, and where it leaves the staff.
    struct Stroke {
        /// The first and the last column.
        let left: Int, right: Int
        /// Whether it goes on above the staff, or below.
        let goesAbove: Bool, goesBelow: Bool
        let contact: Contact
        /// In pixels, to a fraction.
        let thickness: Double
        var width: Int { right - left + 1 }
        var middle: Double { Double(left + right) / 2 }
    }

    /// From left to right.
    var strokes: [Stroke] {
        let all = fullStrokes
        return all.indices.compactMap { index in
            let columns = all[index]
            // The thick stroke of a final bar has 0.6 spaces; a block of ink is something else.
            guard Double(columns.count) < 1.0 * staff.space else { return nil }
            let left = index > 0 ? all[index - 1].upperBound : -1
            let right = index + 1 < all.count ? all[index + 1].lowerBound : ink.width
            let above = extent(of: columns, from: top, by: -1), below = extent(of: columns, from: bottom, by: 1)
            let contact = max(
                contact(columns, by: -1, until: left, above: above, below: below),
                contact(columns, by: 1, until: right, above: above, below: below))
            // A stroke may stand out by the thickness of a line, and blur adds to that.
            let limit = 0.6 * staff.space
            return Stroke(
                left: columns.lowerBound, right: columns.upperBound, goesAbove: Double(above) > limit,
                goesBelow: Double(below) > limit, contact: contact, thickness: thickness(of: columns))
        }
    }

    /// The columns that are inked over the height of the staff, joined where they are neighbours.
    private var fullStrokes: [ClosedRange<Int>] {
        let height = Double(bottom - top + 1)
        var strokes: [ClosedRange<Int>] = []
        // The stroke that ends a system can stand at the very end of the lines.
        let reach = Int(staff.space / 2)
        for x in max(0, staff.left - reach)...min(ink.width - 1, staff.right + reach) {
            let alone = Double(ink.inkRows(inColumn: x, from: top, through: bottom)) / height
            guard alone >= 0.4 else { continue }
            // A stroke that leans changes its column on its way down.
            let before = Double(ink.inkRows(inColumn: x - 1, from: top, through: bottom, reach: 1)) / height
            let after = Double(ink.inkRows(inColumn: x, from: top, through: bottom, reach: 1)) / height
            guard alone >= 0.93 || max(before, after) >= 0.97 else { continue }
            if let last = strokes.last, x - last.upperBound <= 1 {
                strokes[strokes.count - 1] = last.lowerBound...x
            } else {
                strokes.append(x...x)
            }
        }
        return strokes
    }

    /// How many rows the stroke goes on from an end of the staff, outwards.
    private func extent(of columns: ClosedRange<Int>, from row: Int, by step: Int) -> Int {
        var (count, misses) = (0, 0)
        for distance in 1...max(1, Int(4 * staff.space)) {
            let isThere = columns.contains { ink.isInk($0, row + step * distance) }
            misses = isThere ? 0 : misses + 1
            // A speck of dust is no end.
            if misses > 1 { break }
            if isThere { count = distance }
        }
        return count
    }

    /// What is beside the stroke at one side.
    private func contact(
        _ columns: ClosedRange<Int>, by step: Int, until next: Int, above: Int, below: Int
    ) -> Contact {
        let edge = step < 0 ? columns.lowerBound : columns.upperBound
        let window = max(2, Int((0.26 * staff.space).rounded()))
        // The first column may be the blurred edge of the stroke itself.
        let skipped = staff.space >= 9 ? 1 : 0
        let xs = (1...window).map { edge + step * ($0 + skipped) }.filter { step < 0 ? $0 > next : $0 < next }
        guard xs.count >= 2 else { return .none }
        let outside = Int(0.7 * staff.space)
        var (near, firm) = (Run(), Run())
        for y in top - max(outside, above)...bottom + max(outside, below) {
            let isNear = 2 * xs.count(where: { ink.isInk($0, y) }) > xs.count
            near.add(isNear)
            firm.add(isNear && core.isInk(edge + step, y))
        }
        // A staff line has 0.1 to 0.2 spaces, a beam or a flag half a space, a head one.
        let limit = 0.45 * staff.space
        return Double(firm.longest) > limit ? .firm : Double(near.longest) > limit ? .near : .none
    }

    /// The longest run of rows, in which one row may be missing.
    private struct Run {
        private(set) var longest = 0
        private var current = 0, gap = 0

        mutating func add(_ isInk: Bool) {
            if isInk {
                current += 1 + gap
                gap = 0
                longest = max(longest, current)
            } else if current > 0, gap == 0 {
                gap = 1
            } else {
                (current, gap) = (0, 0)
            }
        }
    }

    /// The thickness of a stroke to a fraction of a pixel: the darkness across it, in the median of the rows between the lines.
    private func thickness(of columns: ClosedRange<Int>) -> Double {
        let xs = max(0, columns.lowerBound - 2)...min(gray.width - 1, columns.upperBound + 2)
        let rows = staff.rows.dropLast().flatMap { line in
            Int(line + 0.3 * staff.space)...Int(line + 0.7 * staff.space)
        }
        let sums = rows.filter { (0..<gray.height).contains($0) }.map { y in
            xs.reduce(0) { $0 + 255 - Int(gray.pixels[y * gray.width + $1]) }
        }
        return sums.isEmpty ? 0 : Double(sums.sorted()[sums.count / 2]) / 255
    }
}
