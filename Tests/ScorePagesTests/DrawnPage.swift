import Foundation
import TestSignals
import Testing

@testable import ScorePages

/// A page of staves, bar lines and notes that a test draws itself, so that it knows where everything is.
struct DrawnPage {
    struct System {
        let staffCount: Int
        let top: Double, bottom: Double
        /// The middles of the bar lines.
        let bars: [Double]
    }

    let width: Int, height: Int
    /// The distance between two staff lines in pixels.
    let space: Double
    private(set) var systems: [System] = []
    /// 0 is paper, 1 is ink.
    private var canvas: [Double]

    /// Random systems of `staffCount` staves.
    init(space: Double, staffCount: Int, using generator: inout SeededGenerator) {
        self.space = space
        (width, height) = (Int(90 * space), Int(100 * space))
        canvas = [Double](repeating: 0, count: width * height)
        let staffHeight = 4 * space, gap = 6.5 * space
        let systemHeight = Double(staffCount) * staffHeight + Double(staffCount - 1) * gap
        var top = Double.random(in: 7...9, using: &generator) * space
        while top + systemHeight < Double(height) - 7 * space {
            let tops = (0..<staffCount).map { top + Double($0) * (staffHeight + gap) }
            draw(tops, using: &generator)
            top += systemHeight + Double.random(in: 8...11, using: &generator) * space
        }
    }

    private mutating func draw(_ tops: [Double], using generator: inout SeededGenerator) {
        let left = 6 * space, right = Double(width) - 6 * space
        let bottom = (tops.last ?? 0) + 4 * space, top = tops.first ?? 0
        for staff in tops {
            for line in 0..<5 {
                let y = staff + Double(line) * space
                fill(left...right, y - 0.06 * space...y + 0.06 * space)
            }
        }
        if tops.count > 1 { fill(left...left + 0.16 * space, top...bottom) }
        // Between 1 and 7 bars of at least nine spaces.
        let count = Int.random(in: 1...7, using: &generator)
        let free = (right - left) / space - 9 * Double(count)
        let cuts = (0..<count).map { _ in Double.random(in: 0...free, using: &generator) }.sorted()
        var bars: [Double] = []
        for (index, cut) in cuts.enumerated() {
            let isLast = index == count - 1
            let x = isLast ? right - 0.1 * space : left + (cut + 9 * Double(index + 1)) * space
            // Bar lines go through a system of two staves, as a piano has, and end with each staff of a choir.
            let stretches = tops.count == 2 ? [top...bottom] : tops.map { $0...$0 + 4 * space }
            for rows in stretches { fill(x - 0.1 * space...x + 0.1 * space, rows) }
            let begin = (bars.last ?? left) + 2 * space
            for staff in tops { notes(begin...x - 2 * space, staff, using: &generator) }
            bars.append(x)
        }
        systems.append(System(staffCount: tops.count, top: top, bottom: bottom, bars: bars))
    }

    /// Notes with stems as long as a staff is high, or longer, anywhere in a bar.
    private mutating func notes(_ place: ClosedRange<Double>, _ staff: Double, using generator: inout SeededGenerator) {
        var x = place.lowerBound
        while x < place.upperBound {
            // From a ledger line above to one below; the stem leads over the staff.
            let step = Double(Int.random(in: -2...10, using: &generator)) / 2
            let y = staff + step * space
            let length = Double.random(in: 3.5...6, using: &generator) * space
            disc(x, y)
            let stem = step < 2 ? x - 0.58 * space : x + 0.58 * space
            let rows = step < 2 ? y...y + length : y - length...y
            fill(stem - 0.065 * space...stem + 0.065 * space, rows)
            x += Double.random(in: 2.5...5, using: &generator) * space
        }
    }

    /// A head: an ellipse 1.3 spaces wide and one high.
    private mutating func disc(_ x: Double, _ y: Double) {
        for row in Int(y - space)...Int(y + space) {
            for column in Int(x - space)...Int(x + space) {
                let (across, down) = (
                    (Double(column) + 0.5 - x) / (0.65 * space), (Double(row) + 0.5 - y) / (0.5 * space)
                )
                if across * across + down * down < 1 { canvas[row * width + column] = 1 }
            }
        }
    }

    /// A rectangle, whose edges are gray where they fall between pixels.
    private mutating func fill(_ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>) {
        func share(_ pixel: Int, _ range: ClosedRange<Double>) -> Double {
            max(0, min(Double(pixel) + 1, range.upperBound) - max(Double(pixel), range.lowerBound))
        }
        for row in Int(ys.lowerBound)...Int(ys.upperBound) {
            for column in Int(xs.lowerBound)...Int(xs.upperBound) {
                let ink = share(column, xs) * share(row, ys)
                canvas[row * width + column] = max(canvas[row * width + column], ink)
            }
        }
    }

    /// The page, turned about its middle by an angle in radians, with noise of this standard deviation in gray values.
    func image(turnedBy angle: Double, noise: Double, using generator: inout SeededGenerator) throws -> GrayImage {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (right, down) = (Double(x) + 0.5 - Double(width) / 2, Double(y) + 0.5 - Double(height) / 2)
                let fromX = Double(width) / 2 + right * cos(angle) + down * sin(angle) - 0.5
                let fromY = Double(height) / 2 - right * sin(angle) + down * cos(angle) - 0.5
                let sum = (0..<4).reduce(0.0) { sum, corner in
                    let column = Int(fromX.rounded(.down)) + corner % 2, row = Int(fromY.rounded(.down)) + corner / 2
                    guard (0..<width).contains(column), (0..<height).contains(row) else { return sum }
                    let share = (1 - abs(fromX - Double(column))) * (1 - abs(fromY - Double(row)))
                    return sum + share * canvas[row * width + column]
                }
                // The sum of three has nearly a normal distribution.
                let random = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &generator) }
                pixels.append(UInt8(min(255, max(0, 235 - 225 * sum + noise * random))))
            }
        }
        return try #require(GrayImage(width: width, height: height, pixels: pixels))
    }

    /// Where the middle of a bar line of a system is on the turned page, in pixels.
    func turned(_ bar: Double, of system: System, by angle: Double) -> Double {
        let down = (system.top + system.bottom) / 2 - Double(height) / 2
        return Double(width) / 2 + (bar - Double(width) / 2) * cos(angle) - down * sin(angle)
    }
}
