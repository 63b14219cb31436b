/// A MIDI file of one track, read as a player does. One that is wrong in any length ends the process.
/// - SeeAlso: Standard MIDI Files 1.0, MIDI Manufacturers Association, RP-001.
struct ReadMIDI {
    /// A message of a channel: its tick, its status byte, and what follows that.
    struct Message {
        let tick: Int
        let status: UInt8
        let data: [UInt8]
    }

    let ticksPerQuarter: Int
    private(set) var messages: [Message] = []
    /// Microseconds of a quarter; the last that the file says.
    private(set) var tempo = 500_000

    init(_ bytes: [UInt8]) {
        func big(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        precondition(Array(bytes[0..<4]) == Array("MThd".utf8) && big(4..<8) == 6 && big(10..<12) == 1)
        ticksPerQuarter = big(12..<14)
        precondition((1...32_767).contains(ticksPerQuarter))
        precondition(Array(bytes[14..<18]) == Array("MTrk".utf8) && big(18..<22) == bytes.count - 22)
        var (at, tick, isEnded) = (22, 0, false)
        func length() -> Int {
            var value = 0
            for _ in 0..<4 {
                value = value << 7 | Int(bytes[at] & 0x7F)
                at += 1
                if bytes[at - 1] & 0x80 == 0 { break }
            }
            return value
        }
        while at < bytes.count {
            precondition(!isEnded, "an event after the end of the track")
            tick += length()
            let status = bytes[at]
            at += 1
            if status == 0xFF {
                let kind = bytes[at]
                isEnded = kind == 0x2F
                at += 1
                let count = length()
                if kind == 0x51 { tempo = big(at..<at + count) }
                at += count
            } else {
                precondition(status >= 0x80 && status < 0xF0, "a message without a status byte")
                // Programs and pressure have one byte after the status, all others of a channel two.
                let count = status & 0xE0 == 0xC0 ? 1 : 2
                let data = Array(bytes[at..<at + count])
                precondition(data.allSatisfy { $0 < 0x80 })
                messages.append(Message(tick: tick, status: status, data: data))
                at += count
            }
        }
        precondition(isEnded && at == bytes.count, "the track does not end")
    }
}
