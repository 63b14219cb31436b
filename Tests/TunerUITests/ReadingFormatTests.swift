import Foundation
import Intonation
import Music
import TerminalUI
import TestNotes
import Testing

@testable import TunerUI

@Suite struct ReadingFormatTests {
    @Test func `A JSON line is one object that Foundation's parser reads back`() throws {
        let line = ReadingFormat.json.line(reading(at: 24_000, 441), file: "a \"b\"\\\u{1}é.wav")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(!line.contains("\n"))
        #expect(object["file"] as? String == "a \"b\"\\\u{1}é.wav")
        #expect(object["time_s"] as? Double == 0.5)
        #expect(object["note"] as? String == "A")
        #expect(object["octave"] as? Int == 4)
        #expect(object["midi"] as? Int == 69)
        // 1200 log2(441/440) = 3.93015..., written with four decimals.
        #expect(object["cents"] as? Double == 3.9302)
        #expect(object["hz"] as? Double == 441)
        #expect(object["target_hz"] as? Double == 440)
        #expect(object["standard_error_cents"] is NSNull, "unknown is not zero")
        #expect(object["confidence"] as? Double == 0.97)
        #expect(object["level_db"] as? Double == -20)
    }

    @Test func `Where there is no pitch the JSON fields are null, and infinity is null too`() throws {
        let line = ReadingFormat.json.line(reading(at: 0, nil, level: -.infinity), file: nil)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        for key in ["note", "octave", "midi", "cents", "hz", "level_db"] { #expect(object[key] is NSNull) }
        #expect(object["file"] == nil)
    }

    @Test func `A pitch of no string has no note, and says so in every format`() throws {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        let hum = reading(at: 48_000, 50, finder: finder)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(ReadingFormat.json.line(hum, file: nil).utf8)) as? [String: Any]
        )
        #expect(object["note"] is NSNull && object["cents"] is NSNull && object["state"] as? String == "no string")
        #expect(ReadingFormat.csv.line(hum, file: "x").hasSuffix(",no string"))
        #expect(ReadingFormat.plain.line(hum, file: nil) == "    1.000  -   no string                      -20.0 dB")
    }

    @Test func `CSV names the file even if it is the only one; the other formats do not`() {
        let note = reading(at: 0, 440)
        #expect(ReadingFormat.csv.line(note, file: "a.wav", isOneOfSeveral: false).hasPrefix("a.wav,"))
        #expect(!ReadingFormat.json.line(note, file: "a.wav", isOneOfSeveral: false).contains("a.wav"))
        #expect(!ReadingFormat.plain.line(note, file: "a.wav", isOneOfSeveral: false).contains("a.wav"))
    }

    @Test func `A plain line has the same columns with and without a pitch`() {
        let voiced = ReadingFormat.plain.line(reading(at: 48_000, 82.41), file: nil)
        let silent = ReadingFormat.plain.line(reading(at: 48_000, nil), file: nil)
        // 82.41 Hz over E2: 1200 log2(82.41 / 82.40689) = 0.065 cents.
        #expect(voiced == "    1.000  E2    +0.07 c    82.410 Hz  0.97   -20.0 dB")
        #expect(silent == "    1.000  -                                  -20.0 dB")
        #expect(silent.count == voiced.count)
    }
}

@Suite struct CSVTests {
    @Test func `Every line has as many fields as the header, and a comma in a file's name is quoted`() throws {
        let header = try #require(ReadingFormat.csv.header)
        let names = header.split(separator: ",")
        for note in [reading(at: 48_000, 441, error: 0.25), reading(at: 0, nil, level: -.infinity)] {
            let fields = ReadingFormat.csv.line(note, file: "take").split(
                separator: ",", omittingEmptySubsequences: false)
            #expect(fields.count == names.count)
        }
        let line = ReadingFormat.csv.line(reading(at: 48_000, 441, error: 0.25), file: "a, \"b\".wav")
        #expect(line == "\"a, \"\"b\"\".wav\",1.000000,A,4,69,3.9302,0.2500,441.000000,440.000000,0.9700,-20.00,voiced")
    }
}
