internal import Music

/// The bytes of one track of a Standard MIDI File.
internal struct MIDIEvents {
    private var data: [UInt8] = []
    /// The tick of the newest event.
    private(set) var lastTick: Int64 = 0

    var isEmpty: Bool { data.isEmpty }

    /// Adds an event at a tick, or at that of the newest one if it is later.
    mutating func add(_ bytes: [UInt8], at tick: Int64) {
        // A delta time has 28 bits; empty text events divide a longer one.
        while tick - lastTick > 0xFFF_FFFF {
            data += Self.variableLength(0xFFF_FFFF) + [0xFF, 0x01, 0x00]
            lastTick += 0xFFF_FFFF
        }
        data += Self.variableLength(UInt64(max(0, tick - lastTick)))
        data += bytes
        lastTick = max(lastTick, tick)
    }

    /// A tempo in microseconds per quarter, of which the format holds 24 bits.
    static func tempo(_ microsecondsPerQuarter: Int) -> [UInt8] {
        [0xFF, 0x51, 0x03] + (0..<3).map { UInt8(microsecondsPerQuarter >> (16 - 8 * $0) & 0xFF) }
    }

    /// A meter of up to 255 beats, each a power of two as a share of a whole: 6 and 8 for 6/8. A click is a beat: of three eighths
    /// in 6/8, 9/8 and 12/8.
    static func meter(beats: Int, value: Int) -> [UInt8] {
        let isCompound = value >= 8 && beats > 3 && beats % 3 == 0
        // 24 MIDI clocks and 8 32nds per quarter.
        let clocks = 96 / max(1, value) * (isCompound ? 3 : 1)
        return [
            0xFF, 0x58, 0x04, UInt8(clamping: beats), UInt8(max(1, value).trailingZeroBitCount), UInt8(max(1, clocks)),
            8,
        ]
    }

    /// A key signature.
    static func key(_ key: KeySignature) -> [UInt8] {
        [0xFF, 0x59, 0x02, UInt8(bitPattern: Int8(clamping: key.fifths)), key.isMinor ? 1 : 0]
    }

    static let endOfTrack: [UInt8] = [0xFF, 0x2F, 0x00]

    /// A file of format 0.
    func file(ticksPerQuarter: Int) -> [UInt8] {
        func big(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        return Array("MThd".utf8) + big(6, 4) + big(0, 2) + big(1, 2) + big(ticksPerQuarter, 2) + Array("MTrk".utf8)
            + big(data.count, 4) + data
    }

    /// A variable-length quantity: seven bits per byte, the highest first, with the eighth bit set in all but the last.
    private static func variableLength(_ value: UInt64) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }
}
