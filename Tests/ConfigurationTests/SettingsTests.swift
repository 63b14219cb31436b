import ArgumentParser
import Configuration
import Foundation
import Music
import TerminalUI
import Testing

/// A small command.
private struct Example: ParsableCommand {
    @Option(name: [.customShort("D"), .long], help: "The device.") var device = "default"
    @Option(name: .customLong("a4"), help: "The reference.") var a4 = 440.0
    @Flag(help: "As JSON.") var json = false
    @Flag(help: "As CSV.") var csv = false
    @OptionGroup var configuration: ConfigurationOption
}

@Suite struct SettingsTests {
    private let options = CommandOption.all(of: Example.self)

    /// The settings of a file with this text and of these variables.
    private func settings(_ text: String, _ environment: [String: String] = [:]) throws -> Settings {
        let folder = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "config.toml")
        try Data(text.utf8).write(to: file)
        return try Settings(arguments: ["--config", file.path()], environment: environment)
    }

    private func words(_ settings: Settings, given: [String] = []) -> [String] {
        Settings.words(
            settings.entries(tables: ["tuner"], options: options, shared: []), given: given, options: options,
            exclusive: [["json", "csv"]])
    }

    /// The message of the error for a file's text.
    private func complaint(_ text: String) throws -> String? {
        do {
            try settings(text).check("tuner", tables: ["tuner": Example.self])
            return nil
        } catch let error as CommandError {
            #expect(error.kind == .input)
            return error.message
        }
    }

    @Test func `Every option of a command can be set, except those that name the file`() {
        #expect(options.map(\.name) == ["device", "a4", "json", "csv"])
        #expect(options.map(\.isFlag) == [false, false, true, true])
        #expect(options[0].short == "D" && options[1].initial == "440.0")
    }

    @Test func `The precedence is option, environment, settings file, default`() throws {
        let file = "[tuner]\na4 = 442\ndevice = \"hw:1\"\n"
        func a4(_ settings: Settings, _ given: [String]) throws -> Double {
            try Example.parse(words(settings, given: given) + given).a4
        }
        #expect(try a4(try settings(""), []) == 440)
        #expect(try a4(try settings(file), []) == 442)
        #expect(try a4(try settings(file, ["TUNER_A4": "443"]), []) == 443)
        #expect(try a4(try settings(file, ["TUNER_A4": "443"]), ["--a4", "444"]) == 444)
        #expect(try Example.parse(words(try settings(file))).device == "hw:1")
    }

    @Test func `An empty text sets nothing, and takes back what a table before it sets`() throws {
        #expect(words(try settings("[tuner]\ndevice = \"\"\n")) == [])
        #expect(words(try settings("[tuner]\ndevice = \"hw:1\"\n", ["TUNER_DEVICE": ""])) == ["--device=hw:1"])
        let file = try settings("[tuner]\ndevice = \"hw:1\"\n[tuner-tone]\ndevice = \"\"\n")
        #expect(file.entries(tables: ["tuner", "tuner-tone"], options: options, shared: ["device"]).isEmpty)
    }

    @Test func `true sets a flag, and another flag of its group on the command line removes it`() throws {
        let set = try settings("[tuner]\njson = true\ncsv = false\n")
        #expect(words(set) == ["--json"])
        #expect(words(set, given: ["--csv"]) == [])
    }

    @Test(arguments: [
        ("[tuner]\na4 = 442\nvolume = 3\n", 3, "volume"), ("[tuner]\njson = \"yes\"\n", 2, "true or false"),
        ("# a comment\n\n[tuner]\n  device = true\n", 4, "needs a value"), ("a4 = 442\n", 1, "[tuner]"),
        ("[tuner]\na4 = = 3\n", 2, "value"), ("[piano]\na4 = 1\n", 2, "[piano]"), ("[tuner]\na4 = [1, 2]\n", 2, "list"),
        ("[tuner]\ndevise = \"x\"\n", 2, "device"),
        // TOMLKit ends the program at these, unless they are found before.
        ("[.tuner]\na4 = 442\n", 1, "[tuner]"), ("# x\n[tuner]\na4 = 442\n\n  [ \u{1}tuner]\n", 5, "name of a table"),
        ("[tuner]\na4 = 442\n[\nx]\n", 3, "name of a table"), ("[[.tuner]]\n", 1, "name of a table"),
        ("[[[tuner]]]\n", 1, "name of a table"), ("[\u{301}tuner]\n", 1, "name of a table"),
        ("\u{FEFF}[é]\n", 1, "name of a table"), ("[tuner]\r\n[.x]\r\n", 2, "name of a table"),
        // It ends it at damaged dates and numbers, too, wherever a value may stand.
        ("[tuner]\na4 = 1979-05-27TA07:32\n", 2, "date"), ("[tuner]\na4 = [\n1979-05-27TA\n]\n", 2, "list"),
        ("[tuner]\na4 = {b = 07:3}\n", 2, "time"), ("[tuner]\ndevice = \"a\\\"\" # '\na4 = 1979-05-27T1\n", 3, "date"),
        ("[tuner]\ndevice = \"\"\"\n\\\n'\"\"\"\na4 = 12:\n", 5, "time"), ("[tuner]\na6 = 44--- 2\n", 2, "value"),
    ])
    func `An error in a file names its line`(_ text: String, _ line: Int, _ word: String) throws {
        let message = try #require(try complaint(text))
        #expect(message.contains("config.toml, line \(line):") && message.contains(word), "\(message)")
    }

    @Test func `A file of more than 2 MiB is refused before it is read as settings`() throws {
        let path = NSTemporaryDirectory() + "well-tempered-\(getpid()).toml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: UInt8(ascii: "#"), count: (2 << 20) + 1).write(to: URL(filePath: path))
        let error = #expect(throws: CommandError.self) {
            _ = try Settings(arguments: ["--config", path], environment: [:])
        }
        #expect(error?.message.contains("more than 2 MiB") == true && error?.message.contains(path) == true)
    }

    @Test(arguments: [[0x61, 0xFF, 0xFE], [0x23, 0x0A, 0x00, 0x61]] as [[UInt8]])
    func `A file that is no text in UTF-8 is refused, and nothing after a null byte is left out in silence`(
        _ bytes: [UInt8]
    ) throws {
        let path = NSTemporaryDirectory() + "well-tempered-\(getpid())-\(bytes.count).toml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(filePath: path))
        let error = #expect(throws: CommandError.self) {
            _ = try Settings(arguments: ["--config", path], environment: [:])
        }
        let line = bytes.contains(0x0A) ? 2 : 1
        #expect(error?.message.hasPrefix("\(path), line \(line): this is no text in UTF-8") == true)
    }

    @Test func `What looks like a wrong table within a text or a list is none`() throws {
        let text = "[tuner]\ndevice = \"\"\"\n[.x]\n\"\"\"\n"
        #expect(try complaint(text) == nil)
        for device in ["\"12:30\"", "'1979-05-27'", "\"\"\"\n1979-05-27TA\n\"\"\"", "'x' # 12:30, 1979-05-27"] {
            #expect(try complaint("[tuner]\ndevice = \(device)\n") == nil, "\(device)")
        }
        #expect(try complaint("[tuner]\na4 = [\n[.5]\n]\n")?.contains("line 2") == true, "the list itself is at fault")
    }

    @Test func `Names and tables without end are refused, in time in proportion to the file`() throws {
        let name = Array(repeating: "a", count: 200_000).joined(separator: ".")
        for text in [name + " = 1", "[\(name)]", "[tuner]\na4 = { \(name) = 1 }", "[tuner]\n# ...\n\"a\".\(name) = 1"] {
            let line = text.split(separator: "\n").count
            #expect(try complaint(text)?.contains("line \(line): no name has so many parts") == true)
        }
        // What precedes such a table was read anew for each of them: four times as long for twice as many.
        let tables = "x\n" + String(repeating: "[.\n", count: 500_000)
        #expect(try complaint(tables)?.contains("line 2: this is not the name of a table") == true)
        #expect(try complaint("[tuner]\na4 = 1\ndevice = \"a.b.c\" # \(name)\n") == nil)
    }

    @Test(arguments: [
        ("[tuner]\r\n# one\r\n# two\r\nnope = 1\r\n", 4), ("# one\n# two\n[tuner]\n\"\\u006eope\" = 1\n", 4),
        ("# one\n[tuner]\n\n\"a=b\" = 1\n", 4), ("[tuner]\n\n# one\n\nnope = { z = 1 }\n", 5),
        ("[tuner]\ndevice = \"\"\"\nnope = 1\n\"\"\"\nnope = 2\n", 5), ("[ 'tuner' ]\ndevice='x'\n nope =3", 3),
        ("# é\n[tuner]\nnope.a = 1\n", 3),
    ])
    func `A complaint tells the line of the setting`(text: String, line: Int) throws {
        let message = try #require(try complaint(text))
        #expect(message.contains("config.toml, line \(line): "), "\(message)")
    }

    @Test func `A pipe in the place of the default file is refused; one that is named is read`() throws {
        let folder = NSTemporaryDirectory() + "well-tempered-\(getpid())-pipe"
        try FileManager.default.createDirectory(atPath: folder + "/well-tempered", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(mkfifo(folder + "/well-tempered/config.toml", 0o600) == 0)
        let error = #expect(throws: CommandError.self) {
            _ = try Settings(arguments: [], environment: ["XDG_CONFIG_HOME": folder])
        }
        #expect(error?.message.contains("is not a regular file") == true)
    }

    @Test func `Of thousands of damaged files none ends the program, and each error names the file`() throws {
        let seed: UInt64 = 20_261_122
        print("settings fuzz, seed \(seed)")
        var state = seed
        func random(_ count: Int) -> Int {
            // The linear congruential generator of Knuth's MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = [
            "[", "]", "[[", "]]", ".", "=", "\"", "'", "\n", "\r\n", " ", "\t", "#", "{", "}", ",", "tuner", "a4",
            "442",
            "\u{1}", "\u{7F}", "é", "\u{FEFF}", "\u{A0}", "\u{301}", "\"\"\"", "\u{27}\u{27}\u{27}", "true", "-",
            "1979-05-27",
            "\\", "0x", "1e9",
        ]
        let valid = "[tuner]\na4 = 442\ndevice = \"hw:1\"\n[instruments.x]\nstandard = \"E2\"\n"
        var refused = 0
        for _ in 0..<4_000 {
            var text = Array(valid.unicodeScalars)
            for _ in 0..<1 + random(4) {
                let place = random(text.count)
                let piece = Array(pieces[random(pieces.count)].unicodeScalars)
                text.replaceSubrange(place..<min(text.count, place + random(3)), with: piece)
            }
            var body = String.UnicodeScalarView()
            body.append(contentsOf: text)
            do {
                _ = try Settings(text: String(body), path: "config.toml")
            } catch {
                refused += 1
                #expect(error.message.hasPrefix("config.toml, line "), "\(error.message)")
            }
        }
        #expect(refused > 1_000)
    }

    @Test func `The file of all settings can be read back, and sets nothing`() throws {
        let text = exampleSettings([("tuner", options)])
        let read = try settings(text)
        #expect(try complaint(text) == nil)
        #expect(words(read).isEmpty)
        #expect(try read.instruments.map(\.name) == ["my-guitar"])
        // It is valid with every # before a setting removed.
        let all = text.replacing("# device", with: "device").replacing("# a4", with: "a4").replacing(
            "# json", with: "json")
        #expect(try complaint(all) == nil)
    }

    @Test func `An option may have the name of a subcommand: their settings are separate`() throws {
        let text = "[tuner]\na4 = 442\njson = true\n\n[tuner-json]\ndevice = \"hw:1\"\n"
        let read = try settings(text)
        try read.check("tuner", tables: ["tuner": Example.self, "tuner-json": Example.self])
        let words = read.entries(tables: ["tuner", "tuner-json"], options: options, shared: ["a4"]).map(\.word)
        #expect(words == ["--a4=442", "--device=hw:1"])
        // Nested and unknown tables are errors.
        for table in ["tuner.tone", "tuner-nope", "tuna-tone"] {
            #expect(try complaint("[\(table)]\na4 = 3\n")?.contains("there is no table [\(table)]") == true, "\(table)")
        }
        #expect(try complaint("[metronome-verify]\njson = true\n") == nil, "the other program checks it")
    }

    @Test func `A wrong note in an own instrument is an error with its line`() throws {
        let read = try settings("[instruments.lute]\nstandard = \"G2 X4\"\n")
        do {
            _ = try read.instruments
            Issue.record("X4 is no note")
        } catch {
            #expect(error.message.contains("line 2") && error.message.contains("X4"), "\(error.message)")
        }
    }

    @Test func `A named file that does not exist is an error; the default file may be missing`() throws {
        #expect(throws: CommandError.self) { try Settings(arguments: ["--config=/no/such.toml"], environment: [:]) }
        _ = try Settings(arguments: [], environment: ["XDG_CONFIG_HOME": "/no/such"])
    }
}
