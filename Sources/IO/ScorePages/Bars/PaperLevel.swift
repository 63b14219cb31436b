/// How bright the paper is across a page: a shadow, or the edge of a lamp's light, changes it slowly.
struct PaperLevel {
    /// The side of a block in pixels. Some staff spaces, so that each block holds paper and not only ink.
    private static let side = 64
    private let columns: Int, rows: Int
    /// The brightness of the paper in each block.
    private let values: [Double]

    init(_ image: GrayImage) {
        columns = (image.width + Self.side - 1) / Self.side
        rows = (image.height + Self.side - 1) / Self.side
        var values: [Double] = []
        values.reserveCapacity(columns * rows)
        var histogram = [Int](repeating: 0, count: 256)
        for row in 0..<rows {
            for column in 0..<columns {
                for value in 0..<256 { histogram[value] = 0 }
                let xs = column * Self.side..<min(image.width, (column + 1) * Self.side)
                for y in row * Self.side..<min(image.height, (row + 1) * Self.side) {
                    for x in xs { histogram[Int(image.pixels[y * image.width + x])] += 1 }
                }
                values.append(Double(Self.quantile(histogram)))
            }
        }
        self.values = values
    }

    /// The value that a fifth of the pixels exceed: paper, even where more than half is ink, and no white speck.
    private static func quantile(_ histogram: [Int]) -> Int {
        var left = histogram.reduce(0, +) / 5
        for value in stride(from: 255, through: 1, by: -1) {
            left -= histogram[value]
            if left < 0 { return value }
        }
        return 1
    }

    /// The picture divided by the brightness of its paper.
    func levelled(_ image: GrayImage) -> GrayImage {
        // Black stays black: what is far darker than the brightest paper is a picture or the table, and no paper.
        let floor = max(64, 0.4 * (values.max() ?? 255))
        var level = [Double](repeating: 0, count: image.width)
        return GrayImage(width: image.width, height: image.height) { y, row in
            let (top, bottom, share) = Self.neighbours(y, count: rows)
            for x in 0..<image.width {
                let (left, right, part) = Self.neighbours(x, count: columns)
                let above = values[top * columns + left] * (1 - part) + values[top * columns + right] * part
                let below = values[bottom * columns + left] * (1 - part) + values[bottom * columns + right] * part
                level[x] = max(floor, above * (1 - share) + below * share)
            }
            for x in 0..<image.width {
                row[x] = UInt8(min(255, Double(image.pixels[y * image.width + x]) * 255 / level[x]))
            }
        }
    }

    /// The blocks whose centres lie around a pixel, and how far it is from the first to the second.
    private static func neighbours(_ place: Int, count: Int) -> (first: Int, second: Int, share: Double) {
        let position = min(max(0, (Double(place) + 0.5) / Double(side) - 0.5), Double(count - 1))
        let first = Int(position)
        return (first, min(count - 1, first + 1), position - Double(first))
    }
}
