import AudioIO
import Foundation
import Music
import TestCommands
import Testing

/// Melodies whose tempo, cents, lateness, vibrato and levels are known.
@Suite struct AnalyzeMelodyTests {
    private let tuner = BuiltCommand("tuner")
    private static let rate = 48_000.0, tempo = 97.0

    /// A note with six partials, so many seconds after the start.
    private struct Tone {
        var start: Double, seconds: Double, midi: Int, cents = 0.0, decibels = -20.0, vibrato = 0.0
    }

    private func write(_ tones: [Tone], to file: URL) throws -> String {
        let length = (tones.last.map { $0.start + $0.seconds } ?? 0) + 1
        var samples = [Float](repeating: 0, count: Int(length * Self.rate))
        for tone in tones {
            // Six partials of amplitude a/k have a power of 0.746 a².
            let amplitude = (pow(10, tone.decibels / 10) / 0.746).squareRoot()
            var phase = 0.0
            let first = Int((tone.start * Self.rate).rounded(.up)), count = Int(tone.seconds * Self.rate)
            for n in 0..<count {
                let time = Double(first + n) / Self.rate - tone.start
                let cents = tone.cents + tone.vibrato * sin(2 * .pi * 6 * time)
                phase += 2 * .pi * 440 * exp2((Double(tone.midi - 69) + cents / 100) / 12) / Self.rate
                let fade = min(1, time / 0.01, (tone.seconds - time) / 0.03)
                let sum = (1...6).reduce(0.0) { $0 + sin(Double($1) * phase) / Double($1) }
                samples[first + n] += Float(amplitude * max(0, fade) * sum)
            }
        }
        var writer = try AudioFileWriter(path: file.path(), sampleRate: Self.rate.hertz)
        try writer.write(samples.span)
        try writer.finish()
        return file.path()
    }

    /// Sixteen bars of C D E F G F E D: E is 12 cents sharp, the third beat of a bar 20 ms late, the second and fourth 6 dB
    /// softer; the first has a vibrato of 6 Hz and 20 cents.
    private var known: [Tone] {
        (0..<64).map { index in
            let midi = 60 + [0, 2, 4, 5, 7, 5, 4, 2][index % 8]
            return Tone(
                start: 0.5 + 60 / Self.tempo * Double(index) + (index % 4 == 2 ? 0.02 : 0), seconds: 0.55, midi: midi,
                cents: midi == 64 ? 12 : 0, decibels: index % 2 == 0 ? -20 : -26, vibrato: index % 4 == 0 ? 20 : 0)
        }
    }

    private func melody(_ file: String, _ options: [String] = []) throws -> [String: Any] {
        let outcome = try tuner.run(["analyze", "--json", file] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return object?["melody"] as? [String: Any] ?? [:]
    }

    @Test func `The table of notes has those that were played, however widely they sway`() throws {
        try withTemporaryFolder { folder in
            let tones = (0..<16).map { index in
                Tone(
                    start: 0.5 + Double(index), seconds: 0.95, midi: 57 + [0, 3, 7, 10][index % 4], vibrato: 75)
            }
            let file = try write(tones, to: folder.appending(path: "wide.wav"))
            let outcome = try tuner.run(["analyze", file])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let table = outcome.output.components(separatedBy: "  note   seconds").last ?? ""
            let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
            #expect(rows.compactMap { $0.first.map(String.init) } == ["A3", "C4", "E4", "G4"], "\(outcome.output)")
            // A note or two are no melody, and sway all the same.
            let two = try tuner.run(["analyze", file, "--to", "2.4"])
            #expect(two.output.components(separatedBy: "  note   seconds").last?.contains("A#3") == false)
            #expect(two.output.contains("C4") && !two.output.contains("C#4"), "\(two.output)")
            for row in rows {
                // Four notes of 0.95 s, 5.7 periods each: a rest of 0.7 of a period moves their mean by up to 8 cents.
                let (seconds, mean) = (Double(row[1]) ?? 0, Double(row[2]) ?? 99)
                #expect(seconds > 3 && abs(mean) < 10, "\(outcome.output)")
            }
        }
    }

    @Test func `A melody of semitones that are slurred is a melody`() throws {
        try withTemporaryFolder { folder in
            // A4 A#4 A4 G#4, four times, half a second each, from note to note in 30 ms.
            let cents = (0..<16).map { [0.0, 100, 0, -100][$0 % 4] }
            var (samples, phase) = ([Float](repeating: 0, count: Int(9 * Self.rate)), 0.0)
            for n in 0..<Int(8 * Self.rate) {
                let time = Double(n) / Self.rate
                let index = min(15, Int(2 * time))
                let slur = min(1, (time - 0.5 * Double(index)) / 0.03)
                let last = cents[max(0, index - 1)]
                phase += 2 * Double.pi * 440 * exp2((last + slur * (cents[index] - last)) / 1_200) / Self.rate
                let sum = (1...6).reduce(0.0) { sum, k in sum + sin(Double(k) * phase) / Double(k) }
                samples[Int(0.5 * Self.rate) + n] = Float(0.2 * min(1, time / 0.01) * sum)
            }
            let file = folder.appending(path: "semitones.wav").path()
            var writer = try AudioFileWriter(path: file, sampleRate: Self.rate.hertz)
            try writer.write(samples.span)
            try writer.finish()
            let melody = try melody(file, ["--tempo", "120"])
            #expect((melody["played"] as? [[String: Any]])?.count == 16 && melody["bars"] != nil, "\(melody)")
        }
    }

    @Test func `Tempo, cents by degree, lateness by beat, vibrato and levels are those that were played`() throws {
        try withTemporaryFolder { folder in
            let file = try write(known, to: folder.appending(path: "known.wav"))
            for options in [["--around", "97.5"], ["--tempo", "97"]] {
                let melody = try melody(file, options + ["--key", "C"])
                // 64 notes, each known to a fraction of a millisecond, over 39 s.
                #expect(abs((melody["tempo_bpm"] as? Double ?? 0) - Self.tempo) < 0.02)
                #expect(melody["key"] as? String == "C major" && melody["meter"] as? String == "4/4")
                let degrees = try #require(melody["degrees"] as? [[String: Any]])
                #expect(degrees.compactMap { $0["degree"] as? String } == ["1", "2", "3", "4", "5"])
                for degree in degrees {
                    let name = try #require(degree["degree"] as? String)
                    // The mean over a vibrato that is cut within a cycle is up to 20/(2π · 3.3 cycles) off: 1 cent, and
                    // what the first readings of a note add; without a vibrato a tenth.
                    let limit = ["1", "5"].contains(name) ? 2.0 : 0.2
                    #expect(abs((degree["mean_cents"] as? Double ?? 99) - (name == "3" ? 12 : 0)) < limit, "\(degree)")
                }
                let beats = try #require(melody["beats"] as? [[String: Any]])
                #expect(beats.compactMap { $0["notes"] as? Int } == [16, 16, 16, 16])
                for (index, beat) in beats.enumerated() {
                    // Relative to the mean of all notes, 5 ms. An onset that rises for 10 ms is known to 1 ms.
                    let late = try #require(beat["mean_late_ms"] as? Double)
                    #expect(abs(late - (index == 2 ? 15 : -5)) < 1.5, "\(beat)")
                    let level = try #require(beat["level_db"] as? Double)
                    #expect(abs(level - (index % 2 == 0 ? -20 : -26)) < 1.5, "\(beat)")
                }
                let all = try #require(melody["all"] as? [String: Any])
                #expect(all["vibrato_notes"] as? Int == 16)
                #expect(abs((all["vibrato_hz"] as? Double ?? 0) - 6) < 0.2)
                // The detector's window of a hop or two flattens it a little.
                #expect(abs((all["vibrato_cents"] as? Double ?? 0) - 20) < 2)
                #expect((melody["bars"] as? [Any])?.count == 16 && (melody["played"] as? [Any])?.count == 64)
            }
        }
    }

    /// Baroque pitch, half a semitone above today's, where a nearest key by 440 Hz is a guess, and old church pitch.
    @Test(arguments: [415.0, 452.9, 466])
    func `A melody at another A4 has the notes and the cents that were played`(a4: Double) throws {
        try withTemporaryFolder { folder in
            let shift = 1_200 * log2(a4 / 440)
            let tones = known.map { tone in
                var tone = tone
                tone.cents += shift
                return tone
            }
            let file = try write(tones, to: folder.appending(path: "known.wav"))
            let melody = try melody(file, ["--tempo", "97", "--key", "C", "--a4", "\(a4)"])
            let played = try #require(melody["played"] as? [[String: Any]])
            #expect(played.compactMap { $0["midi"] as? Int } == known.map(\.midi))
            for note in played {
                let cents = try #require(note["cents"] as? Double)
                // As of the degrees at 440 Hz.
                #expect(abs(cents - (note["midi"] as? Int == 64 ? 12 : 0)) < 2, "\(note)")
            }
        }
    }

    @Test func `The summary is for people, with the picture of a melody, and lists notes on request`() throws {
        try withTemporaryFolder { folder in
            let file = try write(known, to: folder.appending(path: "known.wav"))
            let picture = folder.appending(path: "take.svg")
            let outcome = try tuner.run(["analyze", file, "--around", "97", "--plot", picture.path()])
            for part in ["in tune   48 of 64", "beat 3 1", "97.0", "range of 6", "A4        "] {
                #expect(outcome.output.contains(part), "\(part): \(outcome.output)")
            }
            let svg = try String(contentsOf: picture, encoding: .utf8)
            for part in ["lateness, ms: early above, late below", "loudness, dB", "intonation by degree"] {
                #expect(svg.contains(part), "\(part)")
            }
            let check = try BuiltCommand(shell: ()).run(["-c", "rsvg-convert \"$0\" | wc -c", picture.path()])
            #expect(
                check.errors.isEmpty && (Int(check.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 5_000
            )
            let list = try tuner.run(["analyze", file, "--tempo", "97", "--notes"])
            #expect(list.lines.count == outcome.lines.count + 65, "\(list.output)")
            let csv = try tuner.run(["analyze", file, "--tempo", "97", "--notes", "--csv"])
            #expect(csv.lines.count == 65 && csv.lines[0].hasPrefix("file,start_s,end_s,note,midi,degree"))
            let part = try melody(file, ["--around", "97", "--from", "20", "--to", "30"])
            let starts = (part["played"] as? [[String: Any]] ?? []).compactMap { $0["start_s"] as? Double }
            #expect(starts.count >= 15 && starts.allSatisfy { (19.9...30).contains($0) }, "\(starts)")
        }
    }

    @Test func `Black keys are named as in the key of the melody, unless sharps or flats are asked for`() throws {
        try withTemporaryFolder { folder in
            // The scale of F major, up and down.
            let tones = [65, 67, 69, 70, 72, 74, 76, 77, 76, 74, 72, 70, 69, 67, 65].enumerated().map { index, midi in
                Tone(start: 0.5 + 0.5 * Double(index), seconds: 0.45, midi: midi)
            }
            let file = try write(tones, to: folder.appending(path: "scale.wav"))
            func notes(_ options: String...) throws -> [String] {
                try tuner.run(["transcribe", "--json", file] + options).output.split(separator: "\n").map { line in
                    let note = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    return note?["note"] as? String ?? ""
                }
            }
            #expect(try notes()[3] == "Bb4")
            #expect(try notes("--names", "flats")[3] == "Bb4")
            #expect(try notes("--names", "sharps")[3] == "A#4")
            #expect(try notes("--names", "german")[3] == "B4")
            // Written a whole tone higher, in G major.
            #expect(try notes("--transpose", "Bb clarinet")[6] == "F#5")
            // What is written at once is named before the key is known.
            #expect(try notes("--events").contains("A#4"))
            let table = try tuner.run(["transcribe", file]).output
            #expect(table.contains("Bb4") && !table.contains("A#4"), "\(table)")
            let picture = folder.appending(path: "scale.svg")
            let summary = try tuner.run(["analyze", "--notes", file, "--plot", picture.path()]).output
            #expect(summary.contains("Bb4") && !summary.contains("A#4") && summary.contains("F major"), "\(summary)")
            let drawn = try String(contentsOf: picture, encoding: .utf8)
            #expect(drawn.contains(">4 Bb<") && !drawn.contains("A#"))
            let sharps = try tuner.run(["analyze", "--notes", "--names", "sharps", file]).output
            #expect(sharps.contains("A#4") && !sharps.contains("Bb4"), "\(sharps)")
        }
    }

    @Test func `Where no tempo is found it says so and leaves timing out`() throws {
        try withTemporaryFolder { folder in
            var time = 0.5
            // Gaps that no beat divides: irrational steps.
            let tones = (0..<48).map { index in
                let start = time
                time += 0.35 + 0.9 * (Double(index) * 1.618_034).truncatingRemainder(dividingBy: 1)
                return Tone(start: start, seconds: 0.3, midi: 60 + [0, 4, 7, 2, 9][index % 5])
            }
            let file = try write(tones, to: folder.appending(path: "free.wav"))
            let outcome = try tuner.run(["analyze", file])
            #expect(outcome.output.contains("no tempo was found with confidence"), "\(outcome.output)")
            #expect(!outcome.output.contains("BPM") && outcome.output.contains("degree"))
            #expect(try tuner.run(["analyze", file, "--tempo", "90"]).output.contains("90.0 BPM, as given"))
        }
    }

    @Test func `Strings of an instrument, and a note or two, are no melody`() throws {
        try withTemporaryFolder { folder in
            let file = try write(known, to: folder.appending(path: "known.wav"))
            #expect(try melody(file, ["-i", "violin"]).isEmpty)
            let short = try write(Array(known.prefix(4)), to: folder.appending(path: "short.wav"))
            #expect(try melody(short).isEmpty)
            for (options, words) in [
                (["--tempo", "9"], "--tempo"), (["--around", "500"], "not 500"), (["--around", "nan"], "--around"),
                (["--meter", "4"], "--meter"),
                (["--tempo", "90", "--around", "90"], "--around"),
            ] {
                let wrong = try tuner.run(["analyze", file] + options)
                #expect(wrong.status == 2 && wrong.errors.contains(words), "\(wrong.errors)")
            }
        }
    }
}
