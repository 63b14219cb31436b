/// A picture of ink and paper.
struct InkImage {
    let width: Int, height: Int
    /// 1 for ink, row by row.
    let pixels: [UInt8]

    /// The pixels of an image that are darker than a threshold.
    init(_ image: GrayImage, darkerThan threshold: UInt8) {
        (width, height) = (image.width, image.height)
        pixels = image.pixels.map { $0 < threshold ? 1 : 0 }
    }

    init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Whether there is ink; none lies outside the picture.
    func isInk(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && x < width && y >= 0 && y < height && pixels[y * width + x] != 0
    }

    /// How many of the rows from `top` to `bottom` have ink in column `x`, or in one of the `reach` columns after it.
    func inkRows(inColumn x: Int, from top: Int, through bottom: Int, reach: Int = 0) -> Int {
        guard top <= bottom else { return 0 }
        var count = 0
        for y in top...bottom where (0...reach).contains(where: { isInk(x + $0, y) }) { count += 1 }
        return count
    }

    /// The number of ink pixels of each row, within some columns.
    func rowProfile(columns: Range<Int>) -> [Int] {
        let columns = columns.clamped(to: 0..<width)
        return (0..<height).map { y in
            var sum = 0
            for x in columns { sum += Int(pixels[y * width + x]) }
            return sum
        }
    }

    /// Only the horizontal runs of at least `length` pixels. Gaps of at most `gap` pixels do not end a run.
    func horizontalRuns(atLeast length: Int, gap: Int) -> InkImage {
        var kept = [UInt8](repeating: 0, count: pixels.count)
        for y in 0..<height {
            let row = y * width
            var (start, end) = (-1, -1)
            func close(_ kept: inout [UInt8]) {
                if start >= 0, end - start >= length { for x in start..<end { kept[row + x] = 1 } }
            }
            for x in 0..<width where pixels[row + x] != 0 {
                if start < 0 || x - end > gap {
                    close(&kept)
                    start = x
                }
                end = x + 1
            }
            close(&kept)
        }
        return InkImage(width: width, height: height, pixels: kept)
    }
}
