/// The size of a PNG or JPEG picture, read from its first bytes without decoding it.
///
/// - SeeAlso: ISO/IEC 15948 (PNG), clause 11.2.2; ITU-T T.81 (JPEG), annex B; CIPA DC-008 (Exif), 4.6.4.
package struct ImageHeader: Sendable, Hashable {
    /// What decodes the file.
    package enum Format: Sendable, Hashable {
        case png, jpeg
    }

    /// How a picture has to be turned to be upright: the values of Exif, 1 for not at all.
    package typealias Turn = Int

    package let format: Format
    /// Of the stored picture, in pixels, before it is turned.
    package let width: Int, height: Int
    package let turn: Turn
    /// How many bytes of the file it takes.
    let end: Int

    /// The size of the picture as it is shown.
    package var shownSize: (width: Int, height: Int) { turn >= 5 ? (height, width) : (width, height) }

    /// The header of a file, of which `bytes` are the first; `nil` where they are no PNG, no JPEG, or end too soon.
    package init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        if reader.takes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            guard reader.skip(4), reader.takes(Array("IHDR".utf8)), let width = reader.number(bytes: 4),
                let height = reader.number(bytes: 4), (1..<1 << 31).contains(width), (1..<1 << 31).contains(height)
            else { return nil }
            (format, turn, self.width, self.height, end) = (.png, 1, width, height, reader.place)
        } else if reader.takes([0xFF, 0xD8]) {
            var turn = 1
            while true {
                guard let marker = reader.marker(), let length = reader.number(bytes: 2), length >= 2 else {
                    return nil
                }
                if Self.isFrame(marker) {
                    guard reader.skip(1), let height = reader.number(bytes: 2), let width = reader.number(bytes: 2),
                        width > 0, height > 0
                    else { return nil }
                    (format, self.turn, self.width, self.height) = (.jpeg, turn, width, height)
                    end = reader.place
                    return
                }
                guard marker != 0xD9, marker != 0xDA, let segment = reader.take(length - 2) else { return nil }
                if marker == 0xE1, let found = ExifTurn(segment)?.value { turn = found }
            }
        } else {
            return nil
        }
    }

    /// SOF0 to SOF15, without the tables (DHT, JPG, DAC) among their numbers.
    private static func isFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// Takes bytes from the front.
    private struct Reader {
        private let bytes: [UInt8]
        private(set) var place = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, bytes.count - place >= count else { return nil }
            place += count
            return bytes[place - count..<place]
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        mutating func takes(_ expected: [UInt8]) -> Bool {
            guard bytes.dropFirst(place).starts(with: expected) else { return false }
            return skip(expected.count)
        }

        /// A number whose first byte is the highest.
        mutating func number(bytes count: Int) -> Int? { take(count)?.reduce(0) { $0 << 8 | Int($1) } }

        /// The next marker of JPEG, which any number of 0xFF may precede, and which has a length.
        mutating func marker() -> Int? {
            guard takes([0xFF]) else { return nil }
            while let byte = take(1)?.first {
                if byte != 0xFF {
                    return (0xC0...0xFE).contains(byte) && !(0xD0...0xD8).contains(byte) ? Int(byte) : nil
                }
            }
            return nil
        }
    }
}
