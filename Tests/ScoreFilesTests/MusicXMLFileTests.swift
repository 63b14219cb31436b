import Foundation
import Music
import ScoreFiles
import Testing

@Suite struct MusicXMLFileTests {
    private func score(_ keys: [Int], tempo: Double = 97, title: String = "A") -> String {
        let notes = keys.enumerated().map { index, key in
            MelodyNote(
                start: .seconds(0.5 * Double(index)), end: .seconds(0.5 * Double(index) + 0.45), note: Note(midi: key),
                deviation: 0.cents, velocity: 80)
        }
        let positions = BeatPositions(tempo: 120, origin: .zero)
        let melody = NotatedMelody(notes, on: positions, beats: 3, beatType: 4, shortest: 16)
        return MusicXMLFile(melody, title: title, tempi: [TempoMark(perMinute: tempo)], software: "tests").text
    }

    @Test func `The document is well formed, with its elements in the order of the standard`() throws {
        let text = score([60, 62, 64, 65, 67, 69, 71, 72], title: "Tom & Jerry <1> \"x\"")
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE score-partwise PUBLIC"))
        let reader = try ElementReader(text)
        #expect(reader.text["work-title"] == ["Tom &amp; Jerry &lt;1&gt; &quot;x&quot;"])
        #expect(reader.children["score-partwise"]?.first == ["work", "identification", "part-list", "part"])
        #expect(reader.children["attributes"] == [["divisions", "key", "time", "clef"]])
        let order = [
            "pitch", "rest", "duration", "tie", "voice", "type", "dot", "accidental", "time-modification", "notations",
        ]
        for note in reader.children["note"] ?? [] {
            let places = note.compactMap(order.firstIndex)
            #expect(places.count == note.count && places == places.sorted())
        }
        #expect(reader.text["beats"] == ["3"] && reader.text["per-minute"] == ["97"])
        // Three bars of three quarters, of four divisions each.
        #expect((reader.text["duration"] ?? []).compactMap { Int($0) }.reduce(0, +) == 36)
    }

    @Test func `The key signature is that of the notes`() {
        let major = [0, 2, 4, 5, 7, 9, 11, 12, 7, 4, 0]
        for (tonic, fifths) in [(60, 0), (62, 2), (65, -1), (67, 1), (63, -3), (69, 3)] {
            let text = score(major.map { tonic + $0 })
            #expect(text.contains("<fifths>\(fifths)</fifths>"))
            #expect(!text.contains("<accidental>"))
        }
        let minor = score([57, 59, 60, 62, 64, 65, 67, 69, 64, 60, 57, 57])
        #expect(minor.contains("<fifths>0</fifths>") && minor.contains("<mode>minor</mode>"))
    }

    @Test func `An accidental is written once in a bar, and taken back by a natural`() {
        let text = score([60, 66, 66, 65, 64, 62, 60, 64, 67, 60, 67, 64, 60, 62, 64, 65, 67, 60])
        #expect(text.components(separatedBy: "<accidental>sharp").count == 2)
        #expect(text.contains("<step>F</step>\n     <alter>1</alter>"))
    }

    @Test func `Low melodies are in the bass clef`() {
        #expect(score([40, 43, 45]).contains("<sign>F</sign>") && score([60, 64, 67]).contains("<sign>G</sign>"))
    }

    @Test func `A later tempo stands where it begins`() throws {
        let notes = (0..<8).map {
            MelodyNote(
                start: .seconds(0.5 * Double($0)), end: .seconds(0.5 * Double($0) + 0.45), note: Note(midi: 60),
                deviation: 0.cents, velocity: 80)
        }
        let melody = NotatedMelody(
            notes, on: BeatPositions(tempo: 120, origin: .zero), beats: 3, beatType: 4, shortest: 16)
        let tempi = [
            TempoMark(perMinute: 120), TempoMark(quarter: 3, perMinute: 90), TempoMark(quarter: 7, perMinute: 60),
        ]
        let text = MusicXMLFile(melody, title: "A", tempi: tempi, software: "tests").text
        let reader = try ElementReader(text)
        #expect(reader.text["per-minute"] == ["120", "90", "60"])
        // The last one a quarter of four steps after the third bar line.
        #expect(reader.text["offset"] == ["4"])
        let bars = text.components(separatedBy: "<measure")
        #expect(bars.count == 4 && bars[2].contains("<per-minute>90") && bars[3].contains("<per-minute>60"))
    }

    @Test(arguments: [
        ("Bb clarinet", ["-1", "-2"]), ("alto sax", ["-5", "-9"]), ("tenor sax", ["-1", "-2", "-1"]),
        ("Eb clarinet", ["2", "3"]),
        ("piccolo", ["0", "0", "1"]), ("horn", ["-4", "-7"]),
    ])
    func `A score for an instrument tells how it sounds`(name: String, interval: [String]) throws {
        let melody = NotatedMelody(
            [MelodyNote(start: .zero, end: .seconds(1), note: Note(midi: 72), deviation: 0.cents, velocity: 80)],
            on: BeatPositions(tempo: 60, origin: .zero), beats: 3, beatType: 4, shortest: 16)
        let text = MusicXMLFile(
            melody, title: "A", tempi: [], software: "tests", transposition: try Transposition(named: name)
        ).text
        let reader = try ElementReader(text)
        #expect(reader.children["attributes"] == [["divisions", "key", "time", "clef", "transpose"]])
        let read = ["diatonic", "chromatic", "octave-change"].compactMap { reader.text[$0]?.first }
        #expect(read == interval)
    }

    @Test(arguments: [
        ("bass clarinet", "G"), ("baritone sax", "G"), ("horn", "G"), ("double bass", "F"), ("concert", "F"),
    ])
    func `A low part of a transposing instrument is in the treble clef, unless it sounds an octave lower`(
        name: String, sign: String
    ) throws {
        let melody = NotatedMelody(
            [MelodyNote(start: .zero, end: .seconds(1), note: Note(midi: 50), deviation: 0.cents, velocity: 80)],
            on: BeatPositions(tempo: 60, origin: .zero), beats: 3, beatType: 4, shortest: 16)
        let transposition = try Transposition(named: name)
        let file = MusicXMLFile(melody, title: "A", tempi: [], software: "tests", transposition: transposition)
        #expect(try ElementReader(file.text).text["sign"] == [sign])
    }

    @Test func `The bar of an upbeat is not counted, and a later tempo keeps its place`() throws {
        let notes = (0..<8).map {
            MelodyNote(
                start: .seconds(Double($0)), end: .seconds(Double($0) + 0.95), note: Note(midi: 60), deviation: 0.cents,
                velocity: 80)
        }
        let positions = BeatPositions(tempo: 60, origin: .zero).counted(from: 2)
        let melody = NotatedMelody(notes, on: positions, beats: 3, beatType: 4, shortest: 16)
        let tempi = [
            TempoMark(perMinute: 60), TempoMark(quarter: -1, perMinute: 90), TempoMark(quarter: 3, perMinute: 50),
        ]
        let bars = MusicXMLFile(melody, title: "A", tempi: tempi, software: "tests").text
            .components(separatedBy: "<measure ").dropFirst()
        #expect(bars.map { String($0.prefix(10)) } == ["number=\"0\"", "number=\"1\"", "number=\"2\""])
        #expect(bars.map { $0.contains("implicit=\"yes\"") } == [true, false, false])
        let marks = [[60, 90], [], [50]].map { $0.map { "<per-minute>\($0)</per-minute>" } }
        for (bar, expected) in zip(bars, marks) {
            #expect(bar.components(separatedBy: "<per-minute>").count == expected.count + 1)
            #expect(expected.allSatisfy(bar.contains))
        }
        // The second a quarter of four steps after the first.
        #expect(bars.first?.contains("<offset sound=\"yes\">4</offset>") == true)
    }

    @Test func `A tempo has two decimals at most`() {
        for (tempo, text) in [(97.0, "97"), (97.5, "97.5"), (100.0 / 3, "33.33")] {
            #expect(score([60], tempo: tempo).contains("<per-minute>\(text)</per-minute>"))
        }
    }
}

/// The names of the elements in each element, and their texts.
private struct ElementReader {
    var children: [String: [[String]]] = [:]
    var text: [String: [String]] = [:]

    /// Reads a document, whose tags must be closed in the order in which they were opened.
    init(_ document: String) throws {
        var open: [(name: String, children: [String], start: String.Index)] = []
        for tag in document.matches(of: /<(\/?)([\w-]+)((?:\s[\w-]+="[^"<]*")*)(\/?)>/) {
            let name = String(tag.2)
            if tag.1.isEmpty {
                if !open.isEmpty { open[open.count - 1].children.append(name) }
                if tag.4.isEmpty { open.append((name, [], tag.range.upperBound)) }
                continue
            }
            let last = open.popLast()
            let element = try #require(last)
            #expect(element.name == name)
            children[name, default: []].append(element.children)
            text[name, default: []].append(String(document[element.start..<tag.range.lowerBound]))
        }
        #expect(open.isEmpty)
    }
}
