import Foundation
import TestCommands
import Testing

@Suite struct MapFileTests {
    private let metronome = BuiltCommand("metronome")

    @Test func `A comment in Latin-1 is a comment, and the clicks are those of the map without it`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "song.map")
            try Data("1 120 # caf".utf8 + [0xE9] + "\n# ".utf8 + [0xFC, 0xFF] + "\n1 3/4 90\n".utf8).write(to: file)
            let played = try metronome.run(["--map", file.path(), "--csv", "-"])
            try Data("1 120\n1 3/4 90\n".utf8).write(to: file)
            let plain = try metronome.run(["--map", file.path(), "--csv", "-"])
            #expect(played.status == 0 && played.errors.isEmpty, "\(played.errors)")
            #expect(played.lines.count == 8 && played.output == plain.output)
        }
    }

    @Test(arguments: [
        ("1 120\nab\0c", "2:3: a NUL byte"), ("\0", "1:1: a NUL byte"), ("1 120\r\n\0", "2:1: a NUL byte"),
        ("1 120\n2 120 # \u{E9}\0", "2:10: a NUL byte"),
        ("#: accent=X.x\n2 120\n", "1:11: bar 1 of the accents has 3 beats: write 4"),
    ])
    func `An error in a map names its place`(map: String, place: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "song.map")
            try Data(map.utf8).write(to: file)
            let outcome = try metronome.run(["--map", file.path(), "--csv", "-"])
            #expect(outcome.status == 66 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("metronome: \(file.path()):\(place)"), "\(outcome.errors)")
        }
    }

    @Test func `Bytes that are no UTF-8 in an entry are an error with their place`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "song.map")
            try Data("1 120\n1 12".utf8 + [0xE9] + "0\n".utf8).write(to: file)
            let outcome = try metronome.run(["--map", file.path(), "--csv", "-"])
            #expect(outcome.status == 66 && outcome.errors.contains("song.map:2:5: "), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        (
            "120 --meter 4/4 --accent X.x./X.x",
            "--accent 'X.x./X.x', column 6: bar 2 of the accents has 3 beats: write 4"
        ),
        ("120 --meter 4/4 --accent 1,2,3", "--accent '1,2,3', column 1: bar 1 of the accents has 3 beats: write 4"),
        ("4/4 120 X.x", "pattern 'X.x', column 1: bar 1 of the accents has 3 beats: write 4"),
        ("4/4 120 X.yx", "pattern 'X.yx', column 3: "),
        ("4/4 1200 X.xx", "tempo '1200', column 1: "), ("120 bmp", "tempo 'bmp', column 1: "),
    ])
    func `Accents that do not fit are quoted as they were typed`(line: String, message: String) throws {
        let outcome = try metronome.run(line.split(separator: " ").map(String.init) + ["--csv", "-"])
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("metronome: \(message)"), "\(outcome.errors)")
    }

    @Test(arguments: [("80..160/32b:foo", 13), ("80..160/0b", 9), ("80..2000/4b", 5), ("80..160/4x", 10)])
    func `A wrong ramp is an error with its column, and is not taken for a file`(ramp: String, column: Int) throws {
        let outcome = try metronome.run([ramp, "--csv", "-"])
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("metronome: tempo '\(ramp)', column \(column): "), "\(outcome.errors)")
        let missing = try metronome.run(["../160.map", "--csv", "-"])
        #expect(missing.status == 66 && missing.errors.hasPrefix("metronome: there is no file"), "\(missing.errors)")
    }
}
