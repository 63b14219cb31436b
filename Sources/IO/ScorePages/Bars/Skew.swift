/// How far the page is turned: a scanner takes it in by half a degree, a hand with a telephone by more.
struct Skew {
    /// The slope of the staff lines: pixels down for each pixel to the right.
    let slope: Double
    private let width: Int, height: Int

    /// No turn at all.
    init(slope: Double, width: Int, height: Int) { (self.slope, self.width, self.height) = (slope, width, height) }

    /// The slope within ±0.05 (2.9°) at which the rows of the page hold the most ink or none.
    ///
    /// - SeeAlso: Postl, "Detection of Linear Oblique Structures and Skew Scan in Digitized Documents", ICPR 1986.
    init(of ink: InkImage) {
        let strips = Strips(ink)
        func best(_ candidates: StrideThrough<Double>) -> Double {
            candidates.map { (slope: $0, sharpness: strips.sharpness(at: $0)) }.max { $0.sharpness < $1.sharpness }?
                .slope ?? 0
        }
        let coarse = best(stride(from: -0.05, through: 0.05, by: 0.001))
        let fine = best(stride(from: coarse - 0.001, through: coarse + 0.001, by: 0.0001))
        // Half a pixel on a whole page is no turn.
        self.init(slope: abs(fine) * Double(ink.width) < 0.5 ? 0 : fine, width: ink.width, height: ink.height)
    }

    /// Where a point of the upright page lies on the page as it is.
    func turned(x: Double, y: Double) -> (x: Double, y: Double) {
        let cosine = 1 / (1 + slope * slope).squareRoot(), sine = slope * cosine
        let (right, down) = (x - Double(width) / 2, y - Double(height) / 2)
        return (Double(width) / 2 + cosine * right - sine * down, Double(height) / 2 + sine * right + cosine * down)
    }

    /// The picture turned upright, white where nothing was. A shear would lean the bar lines.
    func upright(_ image: GrayImage) -> GrayImage {
        guard slope != 0 else { return image }
        let origin = turned(x: 0, y: 0)
        let (next, below) = (turned(x: 1, y: 0), turned(x: 0, y: 1))
        let (right, down) = (
            (x: next.x - origin.x, y: next.y - origin.y), (x: below.x - origin.x, y: below.y - origin.y)
        )
        let pixels = image.pixels.span
        return GrayImage(width: image.width, height: image.height) { y, row in
            for x in 0..<image.width {
                let fromX = origin.x + Double(x) * right.x + Double(y) * down.x
                let fromY = origin.y + Double(x) * right.y + Double(y) * down.y
                let (left, top) = (Int(fromX.rounded(.down)), Int(fromY.rounded(.down)))
                guard left >= 0, top >= 0, left + 1 < image.width, top + 1 < image.height else {
                    row[x] = 255
                    continue
                }
                let (share, part) = (Float(fromX - Double(left)), Float(fromY - Double(top)))
                let place = top * image.width + left
                let above = Float(pixels[place]) * (1 - share) + Float(pixels[place + 1]) * share
                let under =
                    Float(pixels[place + image.width]) * (1 - share) + Float(pixels[place + image.width + 1]) * share
                row[x] = UInt8(above * (1 - part) + under * part + 0.5)
            }
        }
    }
}

/// The row profiles of vertical strips of a page, which are shifted against each other to try a slope.
private struct Strips {
    private static let count = 24
    private let profiles: [[Double]]
    private let centres: [Double]
    private let height: Int, margin: Int

    init(_ ink: InkImage) {
        let edges = (0...Self.count).map { $0 * ink.width / Self.count }
        let ranges = zip(edges, edges.dropFirst()).map { $0..<$1 }
        profiles = ranges.map { ink.rowProfile(columns: $0).map(Double.init) }
        centres = ranges.map { Double($0.lowerBound + $0.upperBound - ink.width) / 2 }
        height = ink.height
        margin = Int(0.06 * Double(ink.width) / 2) + 2
    }

    /// The sum of the squares of the rows' ink, when each strip is shifted up by what the slope makes of its place.
    func sharpness(at slope: Double) -> Double {
        var sum = [Double](repeating: 0, count: height + 2 * margin)
        for (profile, centre) in zip(profiles, centres) {
            let shift = Double(margin) - slope * centre
            let whole = Int(shift.rounded(.down))
            let share = shift - Double(whole)
            guard whole >= 0, whole + height < sum.count else { continue }
            for y in 0..<height {
                sum[whole + y] += profile[y] * (1 - share)
                sum[whole + y + 1] += profile[y] * share
            }
        }
        return sum.reduce(0) { $0 + $1 * $1 }
    }
}
