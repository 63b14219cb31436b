import Foundation
import BarDetection

/// What a scanner makes of a page: turned, blurred, unevenly lit, noisy.
struct Degradation {
    /// In degrees, to either side.
    var turn = 0.0
    /// The standard deviation of the blur in pixels; 0 for none.
    var blur = 0.0
    /// How much darker the left edge is than the right, of white.
    var shade = 0.0
    /// The standard deviation of the noise in gray values; one pixel in 500 becomes black or white besides.
    var noise = 0.0

    /// A scan with these turns, as the design sheet measures it.
    static func scan(turn: Double) -> Degradation { Degradation(turn: turn, blur: 0.8, shade: 0.4, noise: 14) }

    /// The page and its truth, changed.
    func applied(to page: PageWithTruth, using generator: inout some RandomNumberGenerator) -> PageWithTruth {
        let angle = (Bool.random(using: &generator) ? turn : -turn) * .pi / 180
        var page = page
        let (width, height) = (Double(page.image.width), Double(page.image.height))
        for index in page.systems.indices {
            let system = page.systems[index]
            let down = (system.top + system.bottom) / 2 - height / 2, half = (system.bottom - system.top) / 2
            // A page turned clockwise.
            page.systems[index].bars = system.bars.map {
                width / 2 + ($0 - width / 2) * cos(angle) - down * sin(angle)
            }
            // Its middle lies near the middle of the page's width, which does not move up or down.
            let middle = height / 2 + down * cos(angle)
            (page.systems[index].top, page.systems[index].bottom) = (middle - half, middle + half)
        }
        page.image = blurred(turned(page.image, by: angle)) ?? page.image
        page.image = shaded(page.image, using: &generator) ?? page.image
        return page
    }

    private func turned(_ image: GrayImage, by angle: Double) -> GrayImage {
        guard angle != 0 else { return image }
        var pixels = [UInt8](repeating: 255, count: image.pixels.count)
        let (midX, midY) = (Double(image.width - 1) / 2, Double(image.height - 1) / 2)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let fromX = midX + (Double(x) - midX) * cos(angle) + (Double(y) - midY) * sin(angle)
                let fromY = midY - (Double(x) - midX) * sin(angle) + (Double(y) - midY) * cos(angle)
                guard fromX >= 0, fromY >= 0, Int(fromX) + 1 < image.width, Int(fromY) + 1 < image.height else {
                    continue
                }
                let (left, top) = (Int(fromX), Int(fromY))
                let (share, part) = (fromX - Double(left), fromY - Double(top))
                func pixel(_ x: Int, _ y: Int) -> Double { Double(image.pixels[y * image.width + x]) }
                let above = pixel(left, top) * (1 - share) + pixel(left + 1, top) * share
                let below = pixel(left, top + 1) * (1 - share) + pixel(left + 1, top + 1) * share
                pixels[y * image.width + x] = UInt8(above * (1 - part) + below * part + 0.5)
            }
        }
        return GrayImage(width: image.width, height: image.height, pixels: pixels) ?? image
    }

    private func blurred(_ image: GrayImage) -> GrayImage? {
        guard blur > 0 else { return image }
        let reach = Int((3 * blur).rounded(.up))
        let raw = (-reach...reach).map { exp(-Double($0 * $0) / (2 * blur * blur)) }
        let weights = raw.map { $0 / raw.reduce(0, +) }
        var pixels = image.pixels.map(Double.init)
        for (step, count, lines, next) in [
            (1, image.width, image.height, image.width), (image.width, image.height, image.width, 1),
        ] {
            var line = [Double](repeating: 0, count: count)
            for start in 0..<lines {
                for n in 0..<count { line[n] = pixels[start * next + n * step] }
                for n in 0..<count {
                    var sum = 0.0
                    for (k, weight) in weights.enumerated() {
                        sum += weight * line[min(count - 1, max(0, n + k - reach))]
                    }
                    pixels[start * next + n * step] = sum
                }
            }
        }
        return GrayImage(width: image.width, height: image.height, pixels: pixels.map { UInt8($0 + 0.5) })
    }

    private func shaded(_ image: GrayImage, using generator: inout some RandomNumberGenerator) -> GrayImage? {
        guard shade > 0 || noise > 0 else { return image }
        var pixels = image.pixels
        for index in pixels.indices {
            let across = Double(index % image.width) / Double(image.width)
            let light = 0.75 + 0.25 * (1 - shade * (1 - across))
            // Box and Muller.
            let length = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
            let value =
                Double(pixels[index]) * light - 10
                + noise * length * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
            let speck = Int.random(in: 0..<1_000, using: &generator)
            pixels[index] = speck == 0 ? 0 : speck == 1 ? 255 : UInt8(min(255, max(0, value)))
        }
        return GrayImage(width: image.width, height: image.height, pixels: pixels)
    }
}
