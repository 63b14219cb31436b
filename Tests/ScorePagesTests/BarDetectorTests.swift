import Foundation
import TestSignals
import Testing

@testable import ScorePages

@Suite struct BarDetectorTests {
    @Test(arguments: [0.0, 0.009, -0.02])
    func `It finds each system and each bar of 40 random pages, straight and turned`(_ angle: Double) throws {
        let seed: UInt64 = 18
        print("seed \(seed)")
        var (systems, bars, missed, invented, worst) = (0, 0, 0, 0, 0.0)
        for number in 0..<40 {
            var generator = SeededGenerator(seed: seed + UInt64(number))
            let page = DrawnPage(
                space: .random(in: 8...13, using: &generator), staffCount: 1 + number % 4, using: &generator)
            let image = try page.image(turnedBy: angle, noise: 12, using: &generator)
            let found = BarDetector().systems(in: image)
            try #require(found.count == page.systems.count, "page \(number)")
            for (system, truth) in zip(found, page.systems) {
                systems += 1
                #expect(system.staffCount == truth.staffCount, "page \(number)")
                let top = Double(system.y0) / 65_536 * Double(page.height)
                #expect(abs(top - truth.top) < 2 * page.space, "page \(number)")
                var lines = system.bars.map { Double($0.x1) / 65_536 * Double(page.width) }
                for bar in truth.bars {
                    bars += 1
                    let place = page.turned(bar, of: truth, by: angle)
                    guard let index = lines.firstIndex(where: { abs($0 - place) < page.space }) else {
                        missed += 1
                        continue
                    }
                    worst = max(worst, abs(lines.remove(at: index) - place) / page.space)
                }
                invented += lines.count
                // Each bar begins where the one before it ends.
                #expect(zip(system.bars, system.bars.dropFirst()).allSatisfy { $0.x1 == $1.x0 })
            }
        }
        #expect(systems > 100 && bars > 300, "the pages are not empty")
        print("\(systems) systems, \(bars) bars: \(missed) missed, \(invented) invented; at most \(worst) spaces off")
        // What is asked of engraved pages.
        #expect(Double(missed) <= 0.005 * Double(bars), "\(missed) of \(bars) missed")
        #expect(Double(invented) <= 0.005 * Double(bars), "\(invented) invented")
        // One pixel of the coarsest page.
        #expect(worst < 0.1, "\(worst) staff spaces")
    }

    @Test func `A page without music has no systems`() throws {
        var generator = SeededGenerator(seed: 1)
        for kind in 0..<4 {
            let pixels = (0..<400 * 300).map { index -> UInt8 in
                switch kind {
                case 0: 255
                case 1: 0
                case 2: UInt8.random(in: 0...255, using: &generator)
                // Ruled paper: lines all over the page are no staves of five.
                default: index / 400 % 12 == 0 ? 0 : 255
                }
            }
            let image = try #require(GrayImage(width: 400, height: 300, pixels: pixels))
            let bars = BarDetector().systems(in: image).flatMap(\.bars)
            #expect(bars.isEmpty, "kind \(kind)")
        }
    }

    @Test func `Pictures of every size are read, down to one pixel`() throws {
        var generator = SeededGenerator(seed: 2)
        for width in [1, 2, 31, 32, 63, 64, 65, 200, 50_000] {
            for height in [1, 2, 33, 64, 129] {
                let pixels = (0..<width * height).map { _ in Bool.random(using: &generator) ? UInt8(0) : 255 }
                let image = try #require(GrayImage(width: width, height: height, pixels: pixels))
                for system in BarDetector().systems(in: image) {
                    #expect((0...65_536).contains(system.x0) && (0...65_536).contains(system.y1))
                }
            }
        }
        #expect(
            GrayImage(width: 2, height: 2, pixels: [0, 0, 0]) == nil
                && GrayImage(width: 0, height: 0, pixels: []) == nil)
    }

    @Test func `A picture larger than any page is made smaller first`() throws {
        var generator = SeededGenerator(seed: 3)
        let page = DrawnPage(space: 12, staffCount: 2, using: &generator)
        let image = try page.image(turnedBy: 0, noise: 0, using: &generator)
        // Each pixel becomes nine: 12 megapixels.
        let large = GrayImage(width: 3 * image.width, height: 3 * image.height) { y, row in
            for x in row.indices { row[x] = image.pixels[y / 3 * image.width + x / 3] }
        }
        let (found, expected) = (BarDetector().systems(in: large), BarDetector().systems(in: image))
        #expect(!expected.isEmpty && found.map(\.bars.count) == expected.map(\.bars.count))
        #expect(zip(found, expected).allSatisfy { abs($0.y0 - $1.y0) < 100 && abs($0.x1 - $1.x1) < 100 })
        let strip = try #require(
            GrayImage(width: 1, height: 9_000_000, pixels: [UInt8](repeating: 255, count: 9_000_000)))
        #expect(BarDetector().systems(in: strip).isEmpty)
    }

    @Test(arguments: ["lead", "piano"])
    func `It finds every bar of a page of LilyPond, and leaves out a repeat sign before the first note`(_ name: String)
        throws
    {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "png", subdirectory: "Fixtures"))
        let image = try #require(ImageDecoder().image([UInt8](try Data(contentsOf: url))))
        let truth = try String(
            contentsOf: url.deletingPathExtension().appendingPathExtension("csv"), encoding: .utf8)
        var expected: [[Double]] = []
        for line in truth.split(separator: "\n") {
            let fields = line.split(separator: ",")
            if fields.first == "system" { expected.append([]) }
            if fields.first == "bar", let x = fields.last.flatMap({ Double($0) }) {
                expected[expected.count - 1].append(x)
            }
        }
        let found = BarDetector().systems(in: image).map { system in
            system.bars.map { Double($0.x1) / 65_536 * Double(image.width) }
        }
        try #require(found.map(\.count) == expected.map(\.count))
        for (found, expected) in zip(found.joined(), expected.joined()) {
            // A tenth of a staff space.
            #expect(abs(found - expected) < 1.1)
        }
    }
}
