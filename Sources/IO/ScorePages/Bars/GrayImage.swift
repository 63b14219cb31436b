/// A gray picture, row by row from the top.
package struct GrayImage: Sendable, Hashable {
    /// In pixels.
    package let width: Int, height: Int
    /// `width * height` values: 0 is black, 255 is white.
    package let pixels: [UInt8]

    /// A picture of these pixels; `nil` where their number is not `width * height`, or there are none.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, width.multipliedReportingOverflow(by: height) == (pixels.count, false) else {
            return nil
        }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// A picture whose pixels are computed row by row, into `width` values.
    init(width: Int, height: Int, row: (_ y: Int, _ values: inout [UInt8]) -> Void) {
        precondition(width > 0 && height > 0)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        var values = [UInt8](repeating: 0, count: width)
        for y in 0..<height {
            row(y, &values)
            pixels.append(contentsOf: values)
        }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The picture made smaller by a whole factor: each pixel is the mean of a square.
    package func shrunk(by factor: Int) -> GrayImage {
        guard factor > 1, width >= factor, height >= factor else { return self }
        var sums = [Int](repeating: 0, count: width / factor)
        return GrayImage(width: width / factor, height: height / factor) { y, values in
            for x in sums.indices { sums[x] = 0 }
            for line in 0..<factor {
                let start = (y * factor + line) * width
                for x in sums.indices {
                    for offset in 0..<factor { sums[x] += Int(pixels[start + x * factor + offset]) }
                }
            }
            for x in sums.indices { values[x] = UInt8(sums[x] / (factor * factor)) }
        }
    }
}
