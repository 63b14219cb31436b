import Foundation
import Music
import Rhythm
import TakeReports
import TerminalUI
import TestNotes
import Testing
import Transcription

@Suite struct MelodySummaryTests {
    /// 28 quarters at 96: degree 3 is 12 cents sharp, the third beat of each bar 20 ms late. Without a tempo they keep to none.
    private func summary(
        tempo: Double? = 96, tonic: Int? = 0, places: [Double] = (0..<28).map(Double.init)
    ) -> MelodySummary {
        let tones = playedTones(
            at: places, tempo: 96, late: { tempo == nil ? uneven($0) : $0 % 4 == 2 ? 0.02 : 0 },
            cents: { $0 % 14 == 2 || $0 % 14 == 12 ? 12 : 0 })
        let melody = PlayedMelody(
            tones, beats: tempo.map { .given(tempo: $0) } ?? .heard(TempoReport(sampleRate: 48.kilohertz)),
            meter: MelodyGrid.Meter(beats: 4, value: 4), hasKey: true, tonic: tonic,
            levels: LevelCurve(sampleRate: 48.kilohertz))
        return MelodySummary(melody, tolerance: 5.cents, isHinted: false, isKeyGiven: tonic != nil)
    }

    @Test func `The head tells key, notes, intonation, vibrato, tempo, timing and dynamics in a line each`() {
        let lines = summary().head.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "  key       C major", "  notes     28, C4 to C5, in 7 bars of 4/4",
                "  in tune   24 of 28 notes within 5 cents; mean +1.7, sd 4.2 cents",
                "  vibrato   on 7 of 28 notes: 5.5 Hz ± 20 cents (medians)", "  tempo     96.0 BPM, as given",
                "  timing    sd 8.8 ms about the beats; beat 3 15.0 ms late on average",
                "  dynamics  notes from -29.0 to -20.0 dB, a range of 9.0 dB",
            ], "\(lines)")
    }

    @Test func `Without a tempo the timing is left out, with one sentence, and so are beats and bars`() throws {
        let summary = summary(tempo: nil, tonic: nil)
        let head = summary.head
        #expect(head.contains("timing    left out, as no tempo was found with confidence: --tempo 97 gives one"))
        #expect(head.contains("C major, by its notes; --key names another") && !head.contains("  tempo "))
        #expect(!summary.tables.contains(" beat ") && !summary.tables.contains(" bar "))
        let object = try #require(JSONSerialization.jsonObject(with: Data(summary.json.utf8)) as? [String: Any])
        #expect(object["bars"] == nil && object["tempo_bpm"] == nil && (object["degrees"] as? [Any])?.count == 7)
    }

    @Test func `A sudden change of the tempo is told in text and JSON, and hints count quarters`() throws {
        // Eighths, 64 beats of three a minute; from the 61st on a twentieth of a second longer, 55.2 beats a minute.
        let tones = playedTones(
            at: (0..<120).map { Double($0) / 2 }, tempo: 96, late: { max(0, Double($0) - 60) * 0.05 }, cents: { _ in 0 }
        )
        let melody = PlayedMelody(
            tones, beats: .heard(TempoReport(sampleRate: 48.kilohertz)), meter: MelodyGrid.Meter(beats: 6, value: 8),
            hasKey: true, tonic: 0, levels: LevelCurve(sampleRate: 48.kilohertz))
        let summary = MelodySummary(melody, tolerance: 5.cents, isHinted: false, isKeyGiven: true)
        #expect(summary.head.contains("64.00 BPM, from 19.") && summary.head.contains(" s on 55.17"), "\(summary.head)")
        #expect(summary.head.contains("--around 48, --around 192"))
        let object = try #require(JSONSerialization.jsonObject(with: Data(summary.json.utf8)) as? [String: Any])
        let changes = try #require(object["tempo_changes"] as? [[String: Double]])
        // The line through 60 exact notes.
        #expect(changes.count == 1 && abs((changes[0]["tempo_bpm"] ?? 0) - 55.172) < 0.01)
        #expect(abs((changes[0]["start_s"] ?? 0) - 19.25) < 0.02, "\(changes)")
    }

    @Test func `The tables have a row for each degree, beat and bar`() {
        let rows = summary().tables.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains { $0.starts(with: ["3", "E", "4", "+12.0", "0.0"]) })
        #expect(rows.contains(["3", "7", "+15.0", "0.0", "-26.0"]))
        #expect(rows.contains { $0.first == "7" && $0.dropFirst(2).starts(with: ["4", "+0.0", "10.0"]) }, "\(rows)")
    }

    @Test func `JSON and CSV tell each note with its place and lateness`() throws {
        let summary = summary()
        let object = try #require(JSONSerialization.jsonObject(with: Data(summary.json.utf8)) as? [String: Any])
        let played = try #require(object["played"] as? [[String: Any]])
        #expect(played.count == 28 && played[6]["beat"] as? String == "3" && played[6]["bar"] as? Int == 2)
        #expect(abs((played[6]["late_ms"] as? Double ?? 0) - 15) < 0.01)
        let beats = try #require(object["beats"] as? [[String: Any]])
        #expect(beats.count == 4 && abs((beats[2]["mean_late_ms"] as? Double ?? 0) - 15) < 0.01)
        let rows = summary.csv(file: "a,b.wav")
        #expect(rows.count == 28 && rows[2].hasPrefix("\"a,b.wav\",1.77"))
        #expect(rows[2].contains(",E4,64,3,12.00,1,3,15.00,"))
        let fields = MelodySummary.csvHeader.split(separator: ",")
        #expect(fields.count == 13 && MelodySummary.meanings.map(\.name) == fields.dropFirst().map(String.init))
        #expect(summary.list.split(separator: "\n").count == 29)
    }
}
