extension GrayImage {
    /// A binary portable graymap of 8 bits (`P5`, netpbm), as `pdftoppm` and `mutool` write it.
    init?(portableGraymap bytes: [UInt8]) {
        var place = 0
        func word() -> [UInt8]? {
            while place < bytes.count, bytes[place] <= 32 || bytes[place] == UInt8(ascii: "#") {
                if bytes[place] == UInt8(ascii: "#") {
                    while place < bytes.count, bytes[place] != 10 { place += 1 }
                } else {
                    place += 1
                }
            }
            let rest = bytes[place...].prefix(10).prefix { $0 > 32 }
            place += rest.count
            return rest.isEmpty ? nil : Array(rest)
        }
        func number() -> Int? { word().flatMap { Int(String(decoding: $0, as: UTF8.self)) } }
        guard word() == Array("P5".utf8), let width = number(), let height = number(), number() == 255,
            (1...65_535).contains(width), (1...65_535).contains(height), bytes.count - place - 1 == width * height
        else { return nil }
        self.init(width: width, height: height, pixels: Array(bytes[(place + 1)...]))
    }

    /// The picture as a portable graymap.
    var portableGraymap: [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + pixels }
}
