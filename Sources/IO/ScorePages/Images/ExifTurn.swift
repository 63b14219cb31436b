/// How a telephone held the camera, as Exif says it in the segment APP1 of a JPEG file.
///
/// - SeeAlso: CIPA DC-008, tag 0x0112 (Orientation); TIFF 6.0, section 2.
struct ExifTurn {
    /// 1 to 8; 1 is upright.
    let value: Int

    /// `nil` where the segment is no Exif, or says nothing of the turn.
    init?(_ segment: ArraySlice<UInt8>) {
        let prefix = Array("Exif\0\0".utf8)
        guard segment.starts(with: prefix) else { return nil }
        let tiff = Array(segment.dropFirst(prefix.count))
        guard let order = tiff.first, order == UInt8(ascii: "I") || order == UInt8(ascii: "M") else { return nil }
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= tiff.count - count else { return nil }
            let field = tiff[place..<place + count]
            return (order == UInt8(ascii: "I") ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for entry in 0..<count {
            let place = directory + 2 + 12 * entry
            guard let tag = number(place, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            guard let value = number(place + 8, 2), (1...8).contains(value) else { return nil }
            self.value = value
            return
        }
        return nil
    }
}
