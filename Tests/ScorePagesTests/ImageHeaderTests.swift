import Foundation
import TestCommands
import TestSignals
import Testing

@testable import ScorePages

@Suite struct ImageHeaderTests {
    /// The bytes of a picture that libpng or libjpeg-turbo has written.
    private func file(_ image: GrayImage, _ format: PageCache.Format) throws -> [UInt8] {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "picture").path()
            try #require(ImageWriter.write(image, as: format, to: path))
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        }
    }

    @Test func `What is transparent is mixed with white paper in the values of the file, as browsers do it`() throws {
        // Gray and alpha: 0 and 255, 0 and 128, 0 and 0, 100 and 51 (written by zlib and the words of PNG, third edition).
        let file =
            "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAQAAABTNcdGAAAAEUlEQVR4nGNg+M/QwMCQYgwACn0CF1rmAoYAAAAASUVORK5CYII="
        let bytes = [UInt8](try #require(Data(base64Encoded: file)))
        let image = try #require(ImageDecoder().image(bytes))
        // gray · alpha + 255 · (255 - alpha), over 255.
        #expect(image.pixels == [0, 127, 255, 224])
    }

    /// A JPEG picture with a segment of Exif that says how it is turned.
    private func turned(_ jpeg: [UInt8], by turn: UInt8, isBigEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        var tiff = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
        tiff += number(0x010F, 2) + number(2, 2) + number(4, 4) + number(0, 4)
        tiff += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(Int(turn), 2) + number(0, 2)
        let segment = Array("Exif\0\0".utf8) + tiff
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(segment.count >> 8), UInt8(segment.count & 0xFF) + 2] + segment
            + jpeg.dropFirst(2)
    }

    @Test func `The header has the size that the libraries wrote`() throws {
        var generator = SeededGenerator(seed: 4)
        print("seed 4")
        for number in 0..<100 {
            let (width, height) = (
                Int.random(in: 1...300, using: &generator), Int.random(in: 1...300, using: &generator)
            )
            let image = GrayImage(width: width, height: height) { y, row in
                for x in 0..<width { row[x] = UInt8((x + y) & 255) }
            }
            let format = number % 2 == 0 ? PageCache.Format.png : .jpeg
            let bytes = try file(image, format)
            let header = try #require(ImageHeader(bytes))
            #expect(header.width == width && header.height == height && header.turn == 1)
            let decoded = try #require(ImageDecoder().image(bytes))
            #expect(decoded.width == width && decoded.height == height)
            if format == .png { #expect(decoded == image) }
            // However short it is cut, it is read or refused.
            for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 20)) {
                _ = ImageHeader(Array(bytes.prefix(count)))
                _ = ImageDecoder().image(Array(bytes.prefix(count)))
            }
        }
    }

    /// Where the upper left corner of the stored picture is shown: CIPA DC-008, table 6.
    @Test(arguments: [(1, 0, 0), (2, 1, 0), (3, 1, 1), (4, 0, 1), (5, 0, 0), (6, 1, 0), (7, 1, 1), (8, 0, 1)])
    func `A picture is turned as Exif says`(_ turn: Int, _ right: Int, _ low: Int) throws {
        // Black in the upper left corner, gray along the rest of the upper edge.
        let image = GrayImage(width: 48, height: 32) { y, row in
            for x in 0..<48 { row[x] = y < 8 ? (x < 8 ? 0 : 128) : 255 }
        }
        for isBigEndian in [false, true] {
            let bytes = turned(try file(image, .jpeg), by: UInt8(turn), isBigEndian: isBigEndian)
            let header = try #require(ImageHeader(bytes))
            #expect(header.turn == turn)
            let shown = try #require(ImageDecoder().image(bytes))
            #expect(shown.width == header.shownSize.width && shown.height == header.shownSize.height)
            #expect(shown.width == (turn >= 5 ? 32 : 48))
            func pixel(_ x: Int, _ y: Int) -> UInt8 { shown.pixels[y * shown.width + x] }
            let (x, y) = (right == 1 ? shown.width - 4 : 3, low == 1 ? shown.height - 4 : 3)
            #expect(pixel(x, y) < 40, "the corner")
            // The upper edge of the stored picture goes on along the first row, or along a column.
            let (otherX, otherY) = turn >= 5 ? (x, shown.height - 1 - y) : (shown.width - 1 - x, y)
            #expect(abs(Int(pixel(otherX, otherY)) - 128) < 30, "the edge")
            #expect(pixel(shown.width - 1 - x, shown.height - 1 - y) > 220, "the opposite corner")
        }
    }

    @Test func `A large JPEG is decoded at a part of its size`() throws {
        let image = GrayImage(width: 1_600, height: 1_200) { y, row in for x in row.indices { row[x] = UInt8(y / 8) } }
        let bytes = try file(image, .jpeg)
        #expect(try #require(ImageDecoder().image(bytes, mostWanted: 1_000_000)).width == 1_600)
        let small = try #require(ImageDecoder().image(bytes, mostWanted: 100_000))
        #expect(small.width == 400 && small.height == 300)
        #expect(abs(Int(small.pixels[150 * 400 + 200]) - 75) <= 3, "the middle")
    }

    @Test func `What is no picture has no header`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<1_000 {
            let count = Int.random(in: 0...64, using: &generator)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            for start in [
                [], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE1], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            ] as [[UInt8]] {
                if let header = ImageHeader(start + noise) { #expect(header.width > 0 && header.height > 0) }
            }
        }
        #expect(ImageHeader([]) == nil && ImageHeader(Array("GIF89a".utf8)) == nil)
    }

    @Test func `A graymap is read as it was written, and nothing else is`() throws {
        let image = GrayImage(width: 3, height: 2) { y, row in for x in 0..<3 { row[x] = UInt8(10 * y + x) } }
        let bytes = image.portableGraymap
        #expect(GrayImage(portableGraymap: bytes) == image)
        #expect(GrayImage(portableGraymap: Array("P5 # a comment\n3 2 255\n".utf8) + image.pixels) == image)
        for count in 0..<bytes.count { #expect(GrayImage(portableGraymap: Array(bytes.prefix(count))) == nil) }
        for text in ["P5 0 2 255\n", "P5 99999 99999 255\n", "P5 3 2 65535\n", "P6 3 2 255\n", "P5 -3 2 255\n"] {
            #expect(GrayImage(portableGraymap: Array(text.utf8) + image.pixels) == nil)
        }
    }
}
