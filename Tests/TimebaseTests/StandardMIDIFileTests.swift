import TestSignals
import Testing
import Timebase

/// What a player makes of a Standard MIDI File of one track: the instant of each note in microseconds, and the meters.
private func played(_ bytes: [UInt8]) throws -> (notes: [(microseconds: Double, note: UInt8)], meters: [[UInt8]]) {
    var at = 0
    func big(_ count: Int) -> Int {
        defer { at += count }
        return bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) }
    }
    func variable() -> Int {
        var value = 0
        while true {
            let byte = bytes[at]
            at += 1
            value = value << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
    }
    #expect(Array(bytes.prefix(4)) == Array("MThd".utf8))
    at = 8
    #expect(big(2) == 0 && big(2) == 1)
    let division = Double(big(2))
    at += 4
    #expect(big(4) == bytes.count - at)
    var (time, tempo) = (0.0, 500_000.0)
    var notes: [(Double, UInt8)] = []
    var meters: [[UInt8]] = []
    while at < bytes.count {
        time += Double(variable()) * tempo / division
        let status = bytes[at]
        at += 1
        if status == 0xFF {
            let kind = bytes[at]
            at += 1
            let length = variable()
            if kind == 0x51 { tempo = Double(bytes[at..<(at + 3)].reduce(0) { $0 << 8 | Int($1) }) }
            if kind == 0x58 { meters.append(Array(bytes[at..<(at + 2)])) }
            at += length
        } else {
            if status == 0x99 { notes.append((time, bytes[at])) }
            at += 2
        }
    }
    return (notes, meters)
}

@Suite struct StandardMIDIFileTests {
    private let minute = TimeSpan(seconds: Ratio(60))

    @Test(arguments: ["97.3", "100/3", "133.7", "250.7", "80..160/8b", "60-90/0.5", "1.7"])
    func `Every beat of an hour is played back within a microsecond`(tempo: String) throws {
        var options = PlanOptions(tempo: try TempoNotation(parsing: tempo))
        options.end = .time(try TimeSpan(parsing: "1h"))
        let plan = try options.plan()
        let file = StandardMIDIFile(checked: plan)
        let notes = try played(try #require(file).bytes).notes
        let exact = try strokes(of: plan, sampleRate: 1_000_000, limit: notes.count)
        #expect(notes.count > 100)
        let worst =
            zip(notes, exact).map { abs($0.microseconds - Double($1.floorFrame) - $1.fraction) }.max() ?? .infinity
        print("MIDI file \(tempo): \(notes.count) notes in an hour, worst \(worst) µs")
        // Half of a microsecond in each quarter; a beat slower than 3.6 a minute is written as several of them.
        #expect(worst <= (tempo == "1.7" ? 2 : 1))
    }

    @Test func `Meters are written where they change, and parts of a beat on their ticks`() throws {
        let plan = try TempoMap(parsing: "#: sub=triplet\n2 3/4 120\n2 7/8 140\n1 120", file: "meters").plan
        let file = try #require(StandardMIDIFile(checked: plan))
        let (notes, meters) = try played(file.bytes)
        #expect(meters == [[3, 2], [7, 3], [4, 2]])
        #expect(notes.count == 18 + 14 + 4)
        // A triplet of a half second: a sixth of a second, on a tick of 521 µs, of which there are 320.
        #expect(abs(notes[1].microseconds - 166_666.7) < 1)
        #expect(notes[0].note == 76 && notes[1].note == 77)
    }

    @Test func `A meter that MIDI cannot say is written as the nearest, and ends the one before`() throws {
        let text = "1 7/8 120\n1 4/3 120\n1 7/8 120\n1 4/100 120\n1 300/64 900\n1 1000/1 9000\n1 5/5 120\n1 5/6 120"
        let plan = try TempoMap(parsing: text, file: "meters").plan
        let meters = try played(try #require(StandardMIDIFile(checked: plan)).bytes).meters
        #expect(meters == [[7, 3], [4, 2], [7, 3], [4, 7], [150, 5], [255, 0], [5, 2], [5, 3]])
    }

    @Test func `Silent and muted strokes are not written`() throws {
        var options = PlanOptions(tempo: try TempoNotation(parsing: "120"))
        options.accents = try AccentPattern(parsing: "X.x.")
        options.gap = try GapPlan(parsing: "1:1")
        options.end = .bars(4)
        let file = try #require(StandardMIDIFile(checked: try options.plan()))
        #expect(try played(file.bytes).notes.count == 4)
    }
}

extension StandardMIDIFile {
    /// A file of a plan that is known to be sound.
    fileprivate init?(checked plan: PracticePlan) {
        guard let minute = TimeSpan(seconds: Ratio(60)), let file = try? StandardMIDIFile(plan, limit: minute) else {
            return nil
        }
        self = file
    }
}
