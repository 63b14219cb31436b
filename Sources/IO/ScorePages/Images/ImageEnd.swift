/// Whether a PNG or JPEG file has its end: of one that was cut short, as by a broken download, browsers show an empty sheet, or
/// its top.
///
/// - SeeAlso: ISO/IEC 15948 (PNG), clauses 5.3 and 11.2.5; ITU-T T.81 (JPEG), B.1.1.2: no marker stands in coded data.
enum ImageEnd {
    /// What may stand behind the end of a JPEG picture: a telephone's second picture, a maker's notes.
    private static let mostBehind = 4 << 20
    /// A PNG file of 32 MiB in pieces of 8 KiB has 4,096.
    private static let mostChunks = 100_000

    /// - Parameter header: that of the file.
    static func isThere(in file: borrowing ScoreFile, _ header: ImageHeader) throws(ScorePageError) -> Bool {
        switch header.format {
        case .png: try hasLastChunk(file)
        case .jpeg: try hasEndMarker(file, behind: header.end)
        }
    }

    /// Goes from chunk to chunk: four bytes of length, four of type, the data, four of checksum.
    private static func hasLastChunk(_ file: borrowing ScoreFile) throws(ScorePageError) -> Bool {
        var place = 8
        for _ in 0..<mostChunks {
            let head = try file.read(from: place, atMost: 8)
            guard head.count == 8 else { return false }
            let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            place += 12 + length
            guard place <= file.byteCount else { return false }
            if head.suffix(4).elementsEqual("IEND".utf8) { return true }
        }
        return false
    }

    private static func hasEndMarker(_ file: borrowing ScoreFile, behind end: Int) throws(ScorePageError) -> Bool {
        let start = max(end, file.byteCount - mostBehind)
        let bytes = try file.read(from: start, atMost: mostBehind)
        return zip(bytes, bytes.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
    }
}
