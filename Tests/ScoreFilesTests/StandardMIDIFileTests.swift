import Notation
import ScoreFiles
import TestPlans
import TestSignals
import Testing
import Timebase

/// A note of a file: its instant in microseconds, and its place in quarters.
private struct PlayedNote {
    var microseconds: Double
    var quarters: Double
    var note: UInt8
    var velocity: UInt8
}

/// What a player makes of a Standard MIDI File of one track: its notes, the meters and the tempi in microseconds per quarter.
private func played(_ bytes: [UInt8]) throws -> (notes: [PlayedNote], meters: [[UInt8]], tempi: [Int]) {
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
    var (time, tempo, ticks) = (0.0, 500_000.0, 0)
    var notes: [PlayedNote] = []
    var meters: [[UInt8]] = []
    var tempi: [Int] = []
    while at < bytes.count {
        let distance = variable()
        #expect(distance < 1 << 28)
        ticks += distance
        time += Double(distance) * tempo / division
        let status = bytes[at]
        at += 1
        if status == 0xFF {
            let kind = bytes[at]
            at += 1
            let length = variable()
            if kind == 0x51 {
                tempi.append(bytes[at..<(at + 3)].reduce(0) { $0 << 8 | Int($1) })
                tempo = Double(tempi[tempi.count - 1])
            }
            if kind == 0x58 { meters.append(Array(bytes[at..<(at + 3)])) }
            at += length
        } else {
            if status == 0x99 {
                notes.append(
                    PlayedNote(
                        microseconds: time, quarters: Double(ticks) / division, note: bytes[at],
                        velocity: bytes[at + 1]))
            }
            at += 2
        }
    }
    return (notes, meters, tempi)
}

@Suite struct StandardMIDIFileTests {
    /// Half a microsecond in each quarter is what a MIDI tempo is rounded by.
    private func tolerance(_ exact: BeatEvent, _ tempi: [Int], isSteady: Bool) -> Double {
        let instant = Double(exact.floorFrame) + exact.fraction
        return isSteady ? 1 + 0.5 * instant / Double(tempi.min() ?? 1) : 1.001
    }

    @Test(arguments: ["97.3", "100/3", "133.7", "250.7", "120", "1.7", "3/4 4=97.3", "12/8 4.=60", "7/8 4=133.7"])
    func `A file of a steady tempo has one tempo event, and plays within its rounding`(words: String) throws {
        let said = try TempoWords(parsing: words.split(separator: " ").map(String.init))
        for (parts, swing) in [("1", nil), ("6", nil), ("2", "66.67"), ("4", "57.31")] as [(String, String?)] {
            var options = PlanOptions(tempo: said.tempo)
            options.meter = said.meter
            options.subdivision = try Subdivision(parsing: parts)
            if let swing { options.swing = try Swing(parsing: swing) }
            options.end = .time(try Duration(parsing: "1h"))
            let plan = try options.plan()
            let (notes, _, tempi) = try played(try #require(StandardMIDIFile(checked: plan)).bytes)
            let exact = try strokes(of: plan, sampleRate: 1_000_000, limit: notes.count)
            #expect(tempi.count == 1 && notes.count > 100, "\(words), \(parts) parts: \(tempi.count) tempo events")
            // A swung part lies on the nearest tick: half of one of the 960 or more in a quarter.
            let tick = swing == nil ? 0 : 0.5 * Double(tempi[0]) / 960
            for (note, stroke) in zip(notes, exact) {
                let error = abs(note.microseconds - Double(stroke.floorFrame) - stroke.fraction)
                #expect(error <= tick + tolerance(stroke, tempi, isSteady: true))
                guard error <= tick + tolerance(stroke, tempi, isSteady: true) else { break }
            }
        }
    }

    @Test(arguments: ["80..160/8b", "60-90/0.5"])
    func `Every beat of an hour of changing tempi is played back within a microsecond`(tempo: String) throws {
        var options = PlanOptions(tempo: try TempoNotation(parsing: tempo))
        options.end = .time(try Duration(parsing: "1h"))
        let plan = try options.plan()
        let file = StandardMIDIFile(checked: plan)
        let (notes, _, tempi) = try played(try #require(file).bytes)
        let exact = try strokes(of: plan, sampleRate: 1_000_000, limit: notes.count)
        #expect(notes.count > 100)
        // The goal of the ramp is steady, and rounded for the rest of the hour.
        let ramp = zip(exact, exact.dropFirst()).prefix { $0.tempo != $1.tempo }.count
        #expect(ramp > 10 && ramp < 200)
        for (index, (note, stroke)) in zip(notes, exact).enumerated() {
            let error = abs(note.microseconds - Double(stroke.floorFrame) - stroke.fraction)
            #expect(error <= tolerance(stroke, tempi, isSteady: index > ramp), "note \(index)")
            guard error < 10_000 else { break }
        }
    }

    @Test(
        arguments: [
            ("20", "7", nil, nil, 1_000), ("4", "11", nil, nil, 100), ("61.7", "12", "66.67", nil, 1_000),
            ("97.3", "4", "57.31", [3, 5, 7], 1_000), ("80..160/16b", "6", nil, [5, 4], 1_000),
            ("30-10/0.5:", "10", "2:1", nil, 100), ("240..30/20s:exp", "9", nil, [7, 4], 100),
        ] as [(String, String, String?, [Int]?, Int)])
    func `Every part of a beat is played back within the rounding of its tempo, at its place in the beat`(
        tempo: String, parts: String, swing: String?, voices: [Int]?, atLeast: Int
    ) throws {
        let tempo = tempo.hasSuffix(":") ? String(tempo.dropLast()) : tempo
        var options = PlanOptions(tempo: try TempoNotation(parsing: tempo))
        options.subdivision = try Subdivision(parsing: parts)
        if let swing { options.swing = try Swing(parsing: swing) }
        options.accents = .every(4)
        options.cross = voices.map { .polyrhythm($0) }
        options.end = .time(try Duration(parsing: "20m"))
        let plan = try options.plan()
        let file = try #require(StandardMIDIFile(checked: plan))
        let (notes, _, tempi) = try played(file.bytes)
        let exact = try strokes(of: plan, sampleRate: 1_000_000, limit: notes.count)
        #expect(notes.count > atLeast)
        // Half a tick where the tempo is steady and the grid does not hold the swing.
        let tick = swing == nil || swing == "2:1" ? 0 : 0.5 * Double(tempi.max() ?? 0) / 27_720
        let worst =
            zip(notes, exact).map {
                abs($0.microseconds - Double($1.floorFrame) - $1.fraction) - tolerance($1, tempi, isSteady: true) - tick
            }.max() ?? .infinity
        // Places in quarters: those of the same plan at one tempo, a second a quarter.
        var even = options
        even.tempo = try TempoNotation(parsing: "60")
        let places = try strokes(of: try even.plan(), sampleRate: 1_000_000, limit: notes.count)
        let misplaced =
            zip(notes, places).map { abs($0.quarters - (Double($1.floorFrame) + $1.fraction) / 1e6) }.max() ?? .infinity
        print("MIDI \(tempo) in \(parts): \(notes.count) notes, \(worst) µs within tolerance, \(misplaced) quarters")
        // A tempo is a whole number of microseconds; the place is exact, or within half a tick of 27,720.
        #expect(worst <= 0 && misplaced <= 0.5001 / 27_720)
        if swing == nil || swing == "2:1" { #expect(misplaced < 1e-9) }
    }

    @Test func `A beat of days is written, and velocities keep their proportions`() throws {
        let plan = try PracticePlan(tempoMap: "1 1/4 0.0001 X 4\n1 2/4 120 XX 2\n1 1/4 120 X 1", file: "slow")
        let notes = try played(try #require(StandardMIDIFile(checked: plan)).bytes).notes
        #expect(notes.map(\.velocity) == [127, 64, 64, 32])
        // A quarter of a week, in tempi of at most 16.7 s a quarter.
        #expect(abs(notes[1].microseconds / 6e11 - 1) < 1e-6)
    }

    @Test func `Meters are written where they change, and parts of a beat on their ticks`() throws {
        let plan = try PracticePlan(tempoMap: "#: sub=triplet\n2 3/4 120\n2 7/8 140\n1 120", file: "meters")
        let file = try #require(StandardMIDIFile(checked: plan))
        let (notes, meters, _) = try played(file.bytes)
        #expect(meters.map { Array($0.prefix(2)) } == [[3, 2], [7, 3], [4, 2]])
        #expect(notes.count == 18 + 14 + 4)
        // A triplet of a half second: a sixth of a second, on a tick of 521 µs, of which there are 320.
        #expect(abs(notes[1].microseconds - 166_666.7) < 1)
        #expect(notes[0].note == 76 && notes[1].note == 77)
    }

    @Test func `A meter that MIDI cannot say is written as the nearest, and ends the one before`() throws {
        let text = "1 7/8 120\n1 4/3 120\n1 7/8 120\n1 4/100 120\n1 300/64 900\n1 1000/1 9000\n1 5/5 120\n1 5/6 120"
        let plan = try PracticePlan(tempoMap: text, file: "meters")
        let meters = try played(try #require(StandardMIDIFile(checked: plan)).bytes).meters
        #expect(
            meters.map { Array($0.prefix(2)) } == [
                [7, 3], [4, 2], [7, 3], [4, 7], [150, 5], [255, 0], [5, 2], [5, 3],
            ])
    }

    @Test(
        arguments: [
            ("8=140", [4, 3, 12], 0.5), ("8.=96", [12, 4, 18], 0.75), ("4.=60", [12, 3, 36], 1.5),
            ("2..=40", [28, 3, 84], 3.5),
            ("120", [4, 2, 24], 1),
        ] as [(String, [UInt8], Double)])
    func `The counted note is the beat of the file, a dotted one by the clocks of its click`(
        tempo: String, meter: [UInt8], quarters: Double
    ) throws {
        let plan = try plan(tempo) { $0.end = .bars(2) }
        let (notes, meters, _) = try played(try #require(StandardMIDIFile(checked: plan)).bytes)
        #expect(meters == [meter] && notes.count == 8)
        let exact = try strokes(of: plan, sampleRate: 1_000_000)
        for (index, (note, stroke)) in zip(notes, exact).enumerated() {
            #expect(note.quarters == quarters * Double(index))
            // Half a microsecond in each quarter since the beginning.
            let tolerance = max(1, quarters / 2 * Double(index + 1))
            #expect(abs(note.microseconds - Double(stroke.floorFrame) - stroke.fraction) <= tolerance)
        }
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
        guard let file = try? StandardMIDIFile(PlanGrid(plan), limit: .seconds(60)) else { return nil }
        self = file
    }
}
