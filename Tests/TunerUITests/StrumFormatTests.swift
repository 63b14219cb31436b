import Foundation
import Intonation
import Music
import TestNotes
import Testing

@testable import TerminalUI
@testable import TunerUI

@Suite struct StrumFormatTests {
    private let cents: [Double?] = [0.4, -9.6, 7.2, nil, -1.8, 55]

    @Test func `A plain line has the same columns for every string`() throws {
        let strum = strum(cents, try strummedFinder("guitar"), at: 12.5)
        let lines = StrumFormat.plain.lines(strum, number: 3, file: "a.wav", isOneOfSeveral: false)
        #expect(lines[0] == "   12.500   3   6 E2    +0.40 c ±0.03       82.426 Hz  in tune")
        #expect(lines[1] == "   12.500   3   5 A2    -9.60 c ±0.23      109.392 Hz  flat")
        #expect(lines[3] == "   12.500   3   3 G3                                     not heard")
        #expect(lines[5] == "   12.500   3   1 E4   +55.00 c ±1.03      340.268 Hz  sharp")
        let named = StrumFormat.plain.lines(strum, number: 3, file: "a\u{1B}.wav")
        #expect(named[0] == "a?.wav  " + lines[0])
    }

    @Test func `A JSON line is one object that Foundation's parser reads back, with null where nothing is heard`()
        throws
    {
        let strum = strum(cents, try strummedFinder("guitar"), at: 12.5)
        let objects = try StrumFormat.json.lines(strum, number: 3, file: "a \"b\".wav").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let (flat, silent) = (objects[1], objects[3])
        #expect(flat["file"] as? String == "a \"b\".wav" && flat["time_s"] as? Double == 12.5)
        #expect(flat["strum"] as? Int == 3 && flat["window_s"] as? Double == 2)
        // The A string.
        #expect(flat["string"] as? Int == 5)
        #expect(flat["note"] as? String == "A" && flat["octave"] as? Int == 2 && flat["midi"] as? Int == 45)
        #expect(flat["cents"] as? Double == -9.6 && flat["standard_error_cents"] as? Double == 0.23)
        #expect(flat["target_hz"] as? Double == 110 && flat["level_db"] as? Double == -20.5)
        #expect(flat["inharmonicity"] as? Double == 0.000_07 && flat["state"] as? String == "flat")
        for key in ["cents", "standard_error_cents", "hz", "level_db"] { #expect(silent[key] is NSNull, "\(key)") }
        #expect(silent["state"] as? String == "not heard" && silent["inharmonicity"] == nil)
    }

    @Test func `CSV has a column for each field that is always there, and names the file`() throws {
        let strum = strum(cents, try strummedFinder("guitar"), at: 12.5)
        let header = try #require(StrumFormat.csv.header)
        let lines = StrumFormat.csv.lines(strum, number: 3, file: "a,b.wav", isOneOfSeveral: false)
        #expect(header.split(separator: ",").count == 14)
        // The comma in the name is quoted.
        #expect(lines[1].hasPrefix("\"a,b.wav\",12.500000,3,2.000,5,A,2,45,-9.6000,0.2300,109.39"))
        #expect(lines[3].hasSuffix(",55,,,,195.997718,,not heard"), "\(lines[3])")
        #expect(StrumFormat.plain.header == nil && StrumFormat.json.header == nil)
    }

    @Test func `An instrument that transposes shows written notes, and JSON the concert note beside`() throws {
        var finder = try strummedFinder("guitar")
        finder.transposition = try Transposition(named: "guitar")
        let strum = strum(cents, finder)
        #expect(StrumFormat.plain.lines(strum, number: 1, file: nil)[0].contains("6 E3 "))
        #expect(StrumFormat.json.lines(strum, number: 1, file: nil)[0].contains("\"concert\":\"E2\""))
    }
}
