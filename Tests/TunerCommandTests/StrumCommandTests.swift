import AudioIO
import Foundation
import TestCommands
import TestSignals
import Testing

@Suite struct StrumCommandTests: StrumTakes {
    private let sample = repository.appending(path: "samples/strum.flac").path()
    /// What a generated strum is measured to within: the error demanded of the engine at half a second, for 95 of 100.
    private let tolerance = 0.1

    /// The rows of the manifest's second table: the partial 1 of each string.
    private func truth() throws -> [Double] {
        let manifest = try String(contentsOf: repository.appending(path: "samples/MANIFEST.md"), encoding: .utf8)
        return manifest.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == 7 && cells[0] == "strum.flac" ? Double(cells[3]) : nil
        }
    }

    @Test func `The strum of the samples is the one that the generator makes`() throws {
        var generator = SeededGenerator(seed: 16)
        let truth = try truth()
        try #require(truth.count == 6)
        let made = strum(truth, using: &generator)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
            var writer = try AudioFileWriter(path: sample, sampleRate: 48.kilohertz, format: .flac16)
            try writer.write(made.span)
            try writer.finish()
        }
        let kept = try samples(of: sample)
        try #require(kept.count == made.count && made.contains { abs($0) > 0.1 })
        // 16 bits: rounded to the nearest step of 2^-15.
        let worst = zip(kept, made).reduce(0) { max($0, abs($1.0 - $1.1)) }
        #expect(worst <= 1.01 / 65_536, "\(worst)")
    }

    @Test func `Every string of the sample is told to a tenth of a cent, with its word`() throws {
        let strings = try said([sample])
        #expect(strings.map(\.string) == [6, 5, 4, 3, 2, 1])
        for (string, hertz) in zip(strings, try truth()) {
            let found = try #require(string.hz)
            #expect(abs(1_200 * log2(found / hertz)) < tolerance, "\(string.note): \(found)")
            let cents = try #require(string.cents)
            #expect(abs(cents - 1_200 * log2(found / string.target_hz)) < 1e-3)
            #expect(string.state == (abs(cents) <= 2 ? "in tune" : cents < 0 ? "flat" : "sharp"))
            #expect(string.window_s == 2 && string.strum == 1 && string.file == nil)
        }
        // The first string was struck at 0.25 s; the onset is that of a block of some milliseconds.
        #expect(abs((strings.first?.time_s ?? 0) - 0.25) < 0.02)
    }

    @Test func `A line has the strum, the string, its note, cents and their error, hertz and a word`() throws {
        let outcome = try tuner.run(["--strum", sample])
        #expect(outcome.lines.count == 6)
        let line = try #require(outcome.lines.dropFirst(3).first)
        #expect(line.contains(/^ +0\.2\d+ +1 +3 G3 +-1[12]\.\d\d c ±\d\.\d\d +194\.\d{3} Hz  flat$/), "\(line)")
        let csv = try tuner.run(["--strum", "--csv", sample])
        #expect(csv.lines.count == 7)
        let header =
            "file,time_s,strum,window_s,string,note,octave,midi,cents,standard_error_cents,hz,target_hz,"
        #expect(csv.lines.first == header + "level_db,state" as Substring)
        #expect(csv.lines[1].hasPrefix(sample + ",") && csv.lines[1].hasSuffix(",flat"))
        let page = try tuner.run(["--generate-manual"]).output
        for field in csv.lines[0].split(separator: ",") {
            #expect(page.contains("Sy \"\(field)\"") || field == "file", "the manual describes \(field)")
        }
    }

    @Test func `A muted string is not heard, and says so in every format`() throws {
        try withTemporaryFolder { folder in
            let take = try write([strummed([0, 4, nil, -6, 0, 3], seed: 4)], to: folder)
            let strings = try said([take])
            #expect(strings.map(\.state) == ["in tune", "sharp", "not heard", "flat", "in tune", "sharp"])
            let silent = try #require(strings.dropFirst(2).first)
            #expect(silent.cents == nil && silent.hz == nil && silent.standard_error_cents == nil)
            let plain = try tuner.run(["--strum", take])
            #expect(plain.lines[2].hasSuffix("4 D3                                     not heard"), "\(plain.output)")
            let csv = try tuner.run(["--strum", "--csv", take])
            #expect(csv.lines[3].hasSuffix(",not heard") && csv.lines[3].contains(",,,"), "\(csv.output)")
        }
    }

    @Test func `Two muted strings are not heard, even those all of whose partials others share`() throws {
        try withTemporaryFolder { folder in
            let (string, silent) = (["sharp", "flat", "in tune", "flat", "in tune", "sharp"], "not heard")
            let cents: [Double] = [4, -5, 0, -6, 0, 3]
            // B3 and E4 lie on partials of E2 and A2; E2 has partials on both.
            for (seed, muted) in [[4, 5], [0, 4], [0, 1], [2, 5], [3, 4], [1, 5]].enumerated() {
                let played = cents.indices.map { muted.contains($0) ? nil : cents[$0] }
                let take = try write([strummed(played, seed: UInt64(20 + seed))], to: folder)
                let expected = string.indices.map { muted.contains($0) ? silent : string[$0] }
                #expect(try said([take]).map(\.state) == expected, "\(muted)")
            }
        }
    }

    @Test func `Strums are counted and single notes between them are not`() throws {
        try withTemporaryFolder { folder in
            let single = strummed([nil, 0, nil, nil, nil, nil], seed: 5, seconds: 1.5)
            let silence = [Float](repeating: 0, count: 12_000)
            let take = try write(
                [
                    strummed([0, 5, 0, 5, 0, 5], seed: 6), silence, single, silence,
                    strummed([5, 0, 5, 0, 5, 0], seed: 7, seconds: 1.2),
                ], to: folder)
            let strings = try said([take])
            #expect(strings.map(\.strum) == [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
            let words = ["in tune", "sharp", "in tune", "sharp", "in tune", "sharp"]
            #expect(strings.map(\.state) == words + words.reversed())
            // The last one ends 0.95 s after it was struck: 0.7 s is the longest window that it has room for.
            #expect(strings.first?.window_s == 2 && strings.last?.window_s == 0.7)
            let several = try tuner.run(["--strum", take, sample])
            #expect(several.lines.count == 18 && several.lines[12].hasPrefix(sample + "  "), "\(several.output)")
            let none = try tuner.run(["--strum", try write([single], to: folder, name: "single.wav")])
            #expect(none.status == 0 && none.output == "         no strum\n", "\(none.output)")
            let lone = folder.appending(path: "single.wav").path()
            let silent = try tuner.run(["--strum", "--json", lone])
            #expect(silent.status == 0 && silent.output.isEmpty)
            #expect(silent.errors.contains("--tuning"), "\(silent.errors)")
        }
    }

    @Test func `The tuning, a capo and A4 apply, to instruments of other strings too`() throws {
        try withTemporaryFolder { folder in
            func hertz(_ keys: [Double], _ a4: Double = 440) -> [Double] { keys.map { a4 * exp2(($0 - 69) / 12) } }
            let dadgad = hertz([40, 47, 52, 57, 59, 64], 442)
            let take = try write([strummed([1, -8, 0, 0, 9, 0], seed: 8, strings: dadgad)], to: folder)
            let words = ["in tune", "flat", "in tune", "in tune", "sharp", "in tune"]
            let strings = try said([take, "--tuning", "DADGAD", "--capo", "2", "--a4", "442"])
            #expect(strings.map(\.state) == words && strings.map(\.midi) == [40, 47, 52, 57, 59, 64])
            let ukulele = try write(
                [strummed([0, 12, -12, 0], seed: 9, strings: hertz([67, 60, 64, 69]))], to: folder, name: "u.wav")
            let four = try said([ukulele, "-i", "ukulele"])
            #expect(four.map(\.note) == ["G", "C", "E", "A"])
            #expect(four.map(\.state) == ["in tune", "sharp", "flat", "in tune"])
            let tolerant = try said([ukulele, "-i", "ukulele", "--tolerance", "13"])
            #expect(tolerant.allSatisfy { $0.state == "in tune" })
        }
    }

    @Test func `Of an arpeggio that rings on no string is told with a wrong value`() throws {
        try withTemporaryFolder { folder in
            let cents = [6.0, -9, 4, -5, 8, -3]
            for (index, apart) in [0.2, 0.3, 0.5].enumerated() {
                var sound = [Float](repeating: 0, count: Int((3 + 6 * apart) * 48_000))
                for string in cents.indices {
                    let played: [Double?] = cents.indices.map { $0 == string ? cents[$0] : nil }
                    let begin = Int(Double(string) * apart * 48_000)
                    for (n, value) in strummed(played, seed: UInt64(60 + 6 * index + string)).enumerated() {
                        sound[begin + n] += value
                    }
                }
                for string in try said([try write([sound], to: folder)]) {
                    guard let found = string.cents, let error = string.standard_error_cents else { continue }
                    // Strings are numbered from the highest; four standard errors, and a cent of those that fade.
                    #expect(
                        abs(found - cents[6 - string.string]) < max(1, 4 * error),
                        "\(apart) s apart, string \(string.string): \(found) ± \(error)")
                }
            }
        }
    }

    @Test func `Of two strings of one pitch the flatter one comes first`() throws {
        try withTemporaryFolder { folder in
            let mandolin = [195.997_7, 195.997_7, 293.664_8, 293.664_8, 440, 440, 659.255_1, 659.255_1]
            let cents = [6.0, -4, 0, 5, -7, 3, 8, 0]
            let take = try write([strummed(cents, seed: 10, strings: mandolin)], to: folder)
            let strings = try said([take, "-i", "mandolin"])
            #expect(strings.map(\.string) == [4, 4, 3, 3, 2, 2, 1, 1])
            for (string, truth) in zip(strings, [-4, 6, 0, 5, -7, 3, 0, 8] as [Double]) {
                // As demanded of courses at 2 s: half a cent.
                #expect(abs((string.cents ?? .infinity) - truth) < 0.5, "\(string.note): \(string.cents ?? 0)")
            }
        }
    }

    @Test func `Raw sound on standard input is read too`() throws {
        let outcome = try BuiltCommand(shell: ()).run(
            [
                "-c", "sox \"$1\" -t raw -e float -b 32 - | \"$0\" --strum -f FLOAT_LE -", tuner.executable.path(),
                sample,
            ])
        #expect(outcome.status == 0 && outcome.lines.count == 6, "\(outcome.output)\(outcome.errors)")
    }

    @Test(arguments: [
        (["-i", "piano"], "choose an instrument of 2 to 12 strings"), (["--summary"], "exclude each other"),
        (["--view", "strobe"], "leave out --view"),
        (["-i", "guitar", "--string", "5"], "leave out --string"), (["--a4", "auto"], "--a4 442"),
    ])
    func `What goes with no strum is refused with what to do`(_ arguments: [String], _ remedy: String) throws {
        let outcome = try tuner.run(["--strum", sample] + arguments)
        #expect(outcome.status == 2 && outcome.errors.contains(remedy), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test func `A recording of 8 kHz is refused as an input, with the rates that can be measured`() throws {
        try withTemporaryFolder { folder in
            let slow = try write([[Float](repeating: 0.1, count: 8_000)], to: folder, rate: 8_000)
            let outcome = try tuner.run(["--strum", slow])
            #expect(outcome.status == 66 && outcome.errors.contains("16000 to 192000 Hz"), "\(outcome.errors)")
            #expect(try tuner.run(["analyze", "-i", "guitar", slow]).status == 0, "analyze goes without strums")
        }
    }

    @Test func `An analysis lists a strum with its strings, and a note after it as a note`() throws {
        try withTemporaryFolder { folder in
            let single = strummed([nil, 3, nil, nil, nil, nil], seed: 11, seconds: 2)
            let take = try write(
                [strummed([0, 5, 0, -5, 0, 5], seed: 12), [Float](repeating: 0, count: 12_000), single], to: folder)
            let picture = folder.appending(path: "take.svg")
            let outcome = try tuner.run(["analyze", "-i", "guitar", take, "--plot", picture.path()])
            #expect(
                outcome.output.contains(/0\.2\d s  strum of 6 strings +2\.\d\d s long\n +6 E2 +/), "\(outcome.output)")
            #expect(outcome.output.contains(/3\.\d\d s  A2 +\+3\.0 c/), "\(outcome.output)")
            let svg = try String(contentsOf: picture, encoding: .utf8)
            #expect(svg.contains(">strum</text>") && svg.count(of: "stroke-dasharray") == 6)
            let json = try tuner.run(["analyze", "-i", "guitar", "--json", take]).output
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let strums = try #require(object["strums"] as? [[String: Any]])
            let strings = try #require(strums.first?["strings"] as? [[String: Any]])
            #expect(strums.count == 1 && strings.map { $0["state"] as? String }.contains("flat") && strings.count == 6)
            let played = try #require(object["played"] as? [[String: Any]])
            #expect(played.map { $0["note"] as? String } == ["A2"], "\(played)")
            let csv = try tuner.run(["analyze", "-i", "guitar", "--csv", take]).lines
            let columns = csv.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
            // The header, a note and six strings.
            #expect(csv.count == 8 && Set(columns) == [16] && csv[0].hasSuffix(",state"), "\(csv)")
            let words = ["in tune", "sharp", "flat"]
            #expect(csv.dropFirst(2).allSatisfy { row in words.contains { row.hasSuffix($0) } })
            // Later than the strum, and what is before is no note.
            let part = try tuner.run(["analyze", "-i", "guitar", "--from", "1", take]).output
            #expect(!part.contains("strum") && part.contains("A2") && !part.contains("E2"), "\(part)")
            #expect(try !tuner.run(["analyze", "--json", take]).output.contains("strums"), "no instrument, no strums")
        }
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
