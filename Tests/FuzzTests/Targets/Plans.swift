import Music
import Notation
import ScoreFiles
import Timebase

extension FuzzTarget {
    /// A tempo map, klick's or ours. The strokes of one that is read come in order.
    static let tempoMap = FuzzTarget(name: "tempo-map", longest: 4_096) { bytes in
        guard let grid = try? TempoMap.sections(parsing: bytes.text, file: "fuzz", seed: 1),
            let schedule = try? BeatSchedule(grid, sampleRate: 48.kilohertz)
        else { return }
        check(schedule)
    }

    /// The MIDI file of a tempo map: its lengths are right, and it ends with the end of its track.
    static let midi = FuzzTarget(name: "midi", longest: 2_048) { bytes in
        guard let grid = try? TempoMap.sections(parsing: bytes.text, file: "fuzz", seed: 1),
            let schedule = try? BeatSchedule(grid, sampleRate: 48.kilohertz)
        else { return }
        // Not days of strokes, which are written like the first: with them one input takes three seconds.
        guard schedule.endFrame ?? 0 < 48_000 * 100, let file = try? StandardMIDIFile(grid, limit: .seconds(20)) else {
            return
        }
        checkMIDI(file.bytes)
    }

    /// The notation of a tempo, a meter, accents, subdivisions and practice.
    static let notation = FuzzTarget(name: "notation", longest: 256) { bytes in
        let text = bytes.text
        let words = text.split(separator: " ").map(String.init)
        let plain = try? Tempo(parsing: text)
        precondition(plain.map { $0.beatsPerMinute.value > 0 } ?? true)
        let tempo = (try? TempoWords(parsing: words))?.tempo ?? (try? TempoNotation(parsing: "120"))
        guard let tempo else { preconditionFailure("120 is a tempo") }
        var options = PlanOptions(tempo: tempo)
        options.meter = try? Meter(parsing: text)
        options.accents = try? AccentPattern(parsing: text)
        if let subdivision = try? Subdivision(parsing: text) { options.subdivision = subdivision }
        options.steps = try? TempoSteps(parsing: text)
        if let voices = try? CrossRhythm.voices(parsing: text) { options.cross = .polyrhythm(voices) }
        if let plan = try? options.plan(), let schedule = try? BeatSchedule(plan, sampleRate: 48.kilohertz) {
            check(schedule)
        }
    }

    private static func check(_ schedule: consuming BeatSchedule) {
        var strokes = PlanStrokes(schedule)
        var last = Int64.min
        for _ in 0..<200 {
            guard let stroke = strokes.next() else { break }
            precondition(stroke.frame >= last, "a stroke at \(stroke.frame) follows one at \(last)")
            last = stroke.frame
        }
    }

    /// Reads a file of one track as a player does (Standard MIDI Files 1.0).
    private static func checkMIDI(_ bytes: [UInt8]) {
        func big(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        precondition(Array(bytes[0..<4]) == Array("MThd".utf8) && big(4..<8) == 6 && big(10..<12) == 1)
        precondition((1...32_767).contains(big(12..<14)))
        precondition(Array(bytes[14..<18]) == Array("MTrk".utf8) && big(18..<22) == bytes.count - 22)
        var (at, isEnded) = (22, false)
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
            _ = length()
            let status = bytes[at]
            at += 1
            if status == 0xFF {
                isEnded = bytes[at] == 0x2F
                at += 1
                let count = length()
                at += count
            } else {
                precondition(status & 0xE0 == 0x80 && bytes[at] < 0x80 && bytes[at + 1] < 0x80)
                at += 2
            }
        }
        precondition(isEnded && at == bytes.count, "the track does not end")
    }
}
