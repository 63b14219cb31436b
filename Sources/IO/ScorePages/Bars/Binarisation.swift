/// Tells ink from paper, on a page that need not be lit evenly.
struct Binarisation {
    /// The picture, with its paper made white everywhere.
    let levelled: GrayImage
    /// What is darker is ink.
    let threshold: UInt8

    init(_ image: GrayImage) {
        levelled = PaperLevel(image).levelled(image)
        // A line of one pixel is gray, since it falls between two: the threshold lies a little above Otsu's, and where a page is
        // nearly empty not so high that paper counts as ink.
        threshold = UInt8(min(200, Self.otsuThreshold(levelled) + 10))
    }

    /// The ink of the levelled picture.
    var ink: InkImage { InkImage(levelled, darkerThan: threshold) }

    /// The gray value that separates two classes with the greatest variance between them.
    ///
    /// - SeeAlso: Otsu, "A Threshold Selection Method from Gray-Level Histograms", IEEE Trans. SMC 9(1), 1979.
    private static func otsuThreshold(_ image: GrayImage) -> Int {
        var histogram = [Double](repeating: 0, count: 256)
        for pixel in image.pixels { histogram[Int(pixel)] += 1 }
        let total = Double(image.pixels.count)
        let sum = histogram.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
        var (best, greatest, weight, mass) = (0, 0.0, 0.0, 0.0)
        for value in 0..<256 {
            weight += histogram[value]
            mass += Double(value) * histogram[value]
            guard weight > 0, weight < total else { continue }
            let difference = sum * weight / total - mass
            let variance = difference * difference / (weight * (total - weight))
            if variance > greatest { (best, greatest) = (value, variance) }
        }
        return best
    }
}
