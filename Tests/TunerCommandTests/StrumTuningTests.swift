import Foundation
import TestCommands
import Testing

/// Strums in other tunings than the usual one, and what is none.
@Suite struct StrumTuningTests: StrumTakes {
    @Test func `A strum in a tuning that nobody has named is no note, and its tuning is told`() throws {
        try withTemporaryFolder { folder in
            let openD = [38.0, 45, 50, 54, 57, 62].map { 440 * exp2(($0 - 69) / 12) }
            let single = strummed([nil, nil, nil, 0, nil, nil], seed: 32, seconds: 1.5, strings: openD)
            let take = try write([strummed([0, 5, 0, -5, 0, 5], seed: 31, strings: openD), single], to: folder)
            let strings = try said([take])
            #expect(strings.map(\.midi) == [38, 45, 50, 54, 57, 62])
            #expect(strings.map(\.state) == ["in tune", "sharp", "in tune", "flat", "in tune", "sharp"])
            #expect(try tuner.run(["--strum", take]).errors.contains("say --tuning \"open D\""))
            let notes = try tuner.run(["-i", "guitar", "--csv", take])
            #expect(notes.errors.contains("has strums in open D"), "\(notes.errors)")
            let rows = notes.lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            // The strum begins at 0.25 s; the single string, whose own tuning has its note, at 2.85 s.
            let times = rows.compactMap { row in row.last == "voiced" ? Double(row[1]) : nil }
            #expect(!times.isEmpty && times.allSatisfy { $0 > 2.85 }, "\(times.first ?? 0)")
            #expect(Set(rows.filter { $0.last == "voiced" }.map { "\($0[2])\($0[3])" }) == ["F#3"])
            // The player knows the tuning: nothing else is tried.
            let named = try tuner.run(["-i", "guitar", "--tuning", "standard", "--csv", take])
            #expect(!named.errors.contains("open D"))
        }
    }

    @Test func `A capo that nobody has named is told by its fret, in every command`() throws {
        try withTemporaryFolder { folder in
            let cents = [0.0, 5, 0, -5, 0, 5]
            for (fret, seed) in [(1, 41), (2, 42), (5, 43), (7, 44)] as [(Int, UInt64)] {
                let capo = Self.guitar.map { $0 * exp2(Double(fret) / 12) }
                let take = try write([strummed(cents, seed: seed, strings: capo)], to: folder)
                let strings = try said([take])
                #expect(strings.map(\.midi) == [40, 45, 50, 55, 59, 64].map { $0 + fret }, "fret \(fret)")
                #expect(strings.map(\.state) == ["in tune", "sharp", "in tune", "flat", "in tune", "sharp"])
                for arguments in [["--strum"], ["-i", "guitar"], ["analyze", "-i", "guitar"]] {
                    let errors = try tuner.run(arguments + [take]).errors
                    let words =
                        "has strums in standard, capo \(fret): if that is how the strings are tuned, say --capo \(fret)"
                    #expect(errors.contains(words), "\(arguments), fret \(fret): \(errors)")
                }
            }
        }
    }

    @Test func `A fretted chord is no strum for any command, and no tuning is named after it`() throws {
        try withTemporaryFolder { folder in
            // C over G, G7 and D over F#.
            for (index, frets) in [[3.0, 3, 2, 0, 1, 0], [3, 2, 0, 0, 0, 1], [2, 0, 0, 2, 3, 2]].enumerated() {
                let chord = zip(Self.guitar, frets).map { $0 * exp2($1 / 12) }
                let take = try write(
                    [strummed([2, -3, 1, 0, -2, 3], seed: UInt64(50 + index), strings: chord)], to: folder)
                for format in [["--strum", "--json"], ["--strum", "--csv"], ["--strum"]] {
                    let outcome = try tuner.run(format + [take])
                    #expect(outcome.lines.count <= (format.contains("--json") ? 0 : 1), "\(frets): \(outcome.output)")
                    #expect(!outcome.errors.contains("has strums in"), "\(frets): \(outcome.errors)")
                }
                for arguments in [["-i", "guitar"], ["analyze", "-i", "guitar"]] {
                    let outcome = try tuner.run(arguments + [take])
                    #expect(
                        !outcome.errors.contains("has strums in") && !outcome.output.contains("strum of"), "\(frets)")
                }
            }
        }
    }

    @Test func `After a chord that sounds like an open tuning the next string is that of the usual one`() throws {
        try withTemporaryFolder { folder in
            // E minor in the first position is open E minor, which has no A.
            let chord = [40.0, 47, 52, 55, 59, 64].map { 440 * exp2(($0 - 69) / 12) }
            let single = strummed([nil, 3, nil, nil, nil, nil], seed: 34, seconds: 2)
            let take = try write([strummed([0, 0, 0, 0, 0, 0], seed: 33, strings: chord), single], to: folder)
            let notes = try tuner.run(["-i", "guitar", "--csv", take])
            #expect(notes.errors.contains("has strums in open E minor"), "\(notes.errors)")
            let rows = notes.lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            let voiced = rows.filter { $0.last == "voiced" }
            // The single string begins at 2.85 s; by then plus an attack and 0.3 s it is known to be none of the chord's.
            let late = voiced.filter { (Double($0[1]) ?? 0) > 3.5 }
            #expect(!late.isEmpty && Set(late.map { "\($0[2])\($0[3])" }) == ["A2"], "\(late.first ?? [])")
        }
    }
}
