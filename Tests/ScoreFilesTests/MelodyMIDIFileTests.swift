import Music
import ScoreFiles
import TestSignals
import Testing

/// What a synthesizer makes of a melody's file: each note with its times in microseconds and the wheel's place.
private func played(_ bytes: [UInt8]) throws -> [(start: Double, end: Double, key: Int, velocity: Int, cents: Double)] {
    let division = Double(Int(bytes[12]) << 8 | Int(bytes[13]))
    var at = 22
    var (time, tempo, wheel) = (0.0, 500_000.0, 8_192)
    var sounding: [Int: (start: Double, velocity: Int, cents: Double)] = [:]
    var notes: [(start: Double, end: Double, key: Int, velocity: Int, cents: Double)] = []
    while at < bytes.count {
        var distance = 0
        while true {
            distance = distance << 7 | Int(bytes[at] & 0x7F)
            at += 1
            if bytes[at - 1] & 0x80 == 0 { break }
        }
        time += Double(distance) * tempo / division
        let status = bytes[at]
        switch status {
        case 0xFF:
            let length = Int(bytes[at + 2])
            if bytes[at + 1] == 0x51 { tempo = Double(bytes[(at + 3)..<(at + 6)].reduce(0) { $0 << 8 | Int($1) }) }
            at += 3 + length
        case 0xE0:
            wheel = Int(bytes[at + 1]) | Int(bytes[at + 2]) << 7
            at += 3
        case 0x90:
            #expect(sounding.isEmpty)
            sounding[Int(bytes[at + 1])] = (time, Int(bytes[at + 2]), Double(wheel - 8_192) / 8_192 * 200)
            at += 3
        case 0x80:
            let key = Int(bytes[at + 1])
            let ended = sounding.removeValue(forKey: key)
            let note = try #require(ended)
            notes.append((note.start, time, key, note.velocity, note.cents))
            at += 3
        default:
            #expect(status == 0xB0)
            at += 3
        }
    }
    #expect(sounding.isEmpty && Array(bytes.suffix(3)) == [0xFF, 0x2F, 0])
    return notes
}

@Suite struct MelodyMIDIFileTests {
    @Test(arguments: [nil, 60.0, 97.3, 211] as [Double?])
    func `Every note is played at its time, as its key and with its velocity, at any tempo`(tempo: Double?) throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<100 {
            var time = 0.0
            let notes = (0..<20).map { _ in
                time += Double.random(in: 0.05...0.8, using: &generator)
                let length = Double.random(in: 0.03...0.05, using: &generator)
                return MelodyNote(
                    start: .seconds(time), end: .seconds(time + length),
                    note: Note(midi: Int.random(in: 21...108, using: &generator)),
                    deviation: Double.random(in: -50...50, using: &generator).cents,
                    velocity: Int.random(in: 1...127, using: &generator))
            }
            let heard = try played(MelodyMIDIFile(notes, tempo: tempo, bends: true).bytes)
            #expect(heard.count == notes.count)
            // Half of a tick: 960 in a quarter, which the file's tempo rounds to a microsecond.
            let half = (60e6 / (tempo ?? 120)).rounded() / 960 / 2 + 0.01
            for (note, heard) in zip(notes, heard) {
                #expect(abs(heard.start - note.start / .microseconds(1)) <= half)
                #expect(abs(heard.end - note.end / .microseconds(1)) <= half)
                #expect(heard.key == note.note.midi && heard.velocity == note.velocity)
                // Half a step of the wheel, of which 8192 make two semitones.
                let halfStep = 100.0 / 8_192
                #expect(abs(heard.cents - note.deviation.value) <= halfStep + 1e-9)
            }
        }
    }

    @Test func `One note sounds at a time, and without bends the wheel rests`() throws {
        let notes = [0.0, 0.4].map {
            MelodyNote(
                start: .seconds($0), end: .seconds($0 + 0.6), note: Note(midi: 60), deviation: 30.cents, velocity: 80)
        }
        let heard = try played(MelodyMIDIFile(notes).bytes)
        #expect(heard.count == 2 && heard[0].end == heard[1].start && heard.allSatisfy { $0.cents == 0 })
    }

    @Test func `Keys that MIDI does not have are left out`() throws {
        let notes = [-3, 60, 130].map {
            MelodyNote(start: .zero, end: .seconds(1), note: Note(midi: $0), deviation: 0.cents, velocity: 500)
        }
        let heard = try played(MelodyMIDIFile(notes).bytes)
        #expect(heard.map(\.key) == [60] && heard.map(\.velocity) == [127])
    }

    @Test(
        arguments: [
            (4, 4, [4, 2, 24, 8]), (3, 4, [3, 2, 24, 8]), (6, 8, [6, 3, 36, 8]), (7, 8, [7, 3, 12, 8]),
            (2, 2, [2, 1, 48, 8]),
        ] as [(Int, Int, [UInt8])])
    func `Where there are bars the file has their meter, and it always has the key of the notes`(
        beats: Int, value: Int, meter: [UInt8]
    ) throws {
        // G major: a sharp.
        let notes = [67, 69, 71, 72, 74, 76, 78, 79].enumerated().map { index, midi in
            MelodyNote(
                start: .seconds(Double(index)), end: .seconds(Double(index + 1)), note: Note(midi: midi),
                deviation: 0.cents, velocity: 80)
        }
        let bytes = MelodyMIDIFile(notes, tempo: 60, meter: (beats, value)).bytes
        // After the header: the tempo, the meter, the key, each at tick 0.
        #expect(Array(bytes[22..<29]) == [0, 0xFF, 0x51, 0x03, 0x0F, 0x42, 0x40])
        #expect(Array(bytes[29..<37]) == [0, 0xFF, 0x58, 0x04] + meter)
        #expect(Array(bytes[37..<43]) == [0, 0xFF, 0x59, 0x02, 1, 0])
        #expect(try played(bytes).count == 8)
        let plain = MelodyMIDIFile(notes).bytes
        #expect(Array(plain[29..<35]) == [0, 0xFF, 0x59, 0x02, 1, 0])
    }
}
