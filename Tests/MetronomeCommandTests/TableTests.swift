import Foundation
import TestCommands
import Testing

@Suite struct TableTests {
    private let metronome = BuiltCommand("metronome")

    /// Columns of the table that a command line gives.
    private func rows(_ arguments: [String]) throws -> [[String]] {
        let outcome = try metronome.run(arguments + ["--csv", "-"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.lines.first == "beat,bar,sample,level,part,voice,muted,fraction")
        return outcome.lines.dropFirst().map { $0.split(separator: ",").map(String.init) }
    }

    @Test func `Every option of a plan is reachable from the command line`() throws {
        #expect(try rows(["120", "--bars", "1"]).map { $0[2] } == ["0", "24000", "48000", "72000"])
        #expect(try rows(["3/4", "120", "--bars", "2"]).count == 6)
        #expect(
            try rows(["2", "7/8", "140", "X..x.x."]).map { $0[3] }.prefix(7) == ["3", "0", "0", "1", "0", "1", "0"])
        #expect(try rows(["8.=96", "--meter", "4/4", "--bars", "1"])[1][2] == "40000")
        // 140 of the meter's eighths a minute, or 140 quarters.
        #expect(try rows(["7/8", "140", "--bars", "1"])[1][2] == "20571")
        #expect(try rows(["7/8", "4=140", "--bars", "1"])[1][2] == "10286")
        #expect(try rows(["7/8", "140", "--sub", "8th", "--bars", "1"]).count == 7)
        #expect(try rows(["7/8", "140", "--sub", "16th", "--bars", "1"]).count == 14)
        #expect(
            try rows(["120", "--meter", "2+2+3/8", "--bars", "1"]).map { $0[3] } == ["3", "1", "2", "1", "2", "1", "1"])
        #expect(try rows(["120", "--sub", "4:0101", "--bars", "1"]).map { $0[3] }.prefix(4) == ["0", "1", "0", "1"])
        #expect(try rows(["60", "--swing", "2:1", "--bars", "1"])[1][2] == "32000")
        #expect(try rows(["60", "--poly", "3:4", "--bars", "1"]).count == 7)
        #expect(try rows(["60", "--polymeter", "4:3", "--bars", "3"]).count == 16)
        #expect(try rows(["80..160", "over", "8", "bars", "--bars", "9"])[32][2] == "798506")
        #expect(try rows(["100", "--step", "+10/1b..120", "--bounce", "--bars", "5"]).count == 20)
        #expect(
            try rows(["120", "--gap", "1:1", "--bars", "2"]).map { $0[6] } == ["0", "0", "0", "0", "1", "1", "1", "1"])
        #expect(try rows(["120", "--gap", "random:100", "--bars", "1"]).allSatisfy { $0[6] == "1" })
        let some = ["120", "--mute", "50", "--seed", "7", "--bars", "8"]
        #expect(try rows(some) == rows(some) && rows(some).contains { $0[6] == "1" })
        #expect(
            try rows(["120", "--count-in", "1", "--bars", "1"]).map { $0[1] } == [
                "0", "0", "0", "0", "1", "1", "1", "1",
            ])
        #expect(try rows(["100", "--speed", "6/5", "--bars", "1"])[1][2] == "24000")
        #expect(try rows(["120", "--from", "3", "--bars", "4"]).first?[2] == "192000")
        #expect(try rows(["120", "--from", "3", "--bars", "4"]).count == 16)
        let counted = try rows(["120", "--from", "3", "--bars", "1", "--count-in", "1"])
        #expect(counted.map { $0[1] } == ["0", "0", "0", "0", "3", "3", "3", "3"] && counted[4][2] == "288000")
        #expect(try rows(["120", "--from", "101", "--for", "2s"]).map { $0[1] } == ["101", "101", "101", "101"])
    }

    @Test func `A tempo map is played by its name, from a label, and its errors name their place`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "song.map")
            try Data("intro: 2 120\nverse: 1 3/4 90 X.x\n".utf8).write(to: file)
            #expect(try rows([file.path()]).count == 11)
            #expect(try rows(["--map", file.path(), "--label", "verse"]).count == 3)
            #expect(try rows(["--map", file.path(), "--label", "verse", "--bars", "2"]).count == 3)
            #expect(try rows([file.path(), "--speed", "2"])[1][2] == "12000")
            let midi = folder.appending(path: "song.mid")
            #expect(try metronome.run([file.path(), "--render", midi.path()]).status == 0)
            #expect(try Data(contentsOf: midi).prefix(4) == Data("MThd".utf8))
            let verse = folder.appending(path: "verse.mid")
            let entered = try metronome.run([
                file.path(), "--render", verse.path(), "--label", "verse", "--count-in", "2",
            ])
            #expect(entered.status == 0)
            // Two bars of 3/4 to count in and two strokes of X.x; a note begins with 0x99.
            #expect(try Data(contentsOf: verse).count { $0 == 0x99 } == 8)

            try Data("intro: 2 120\nverse: 1 3/4 90 X.x.\n".utf8).write(to: file)
            let outcome = try metronome.run([file.path(), "--csv", "-"])
            #expect(outcome.status == 66 && outcome.errors.contains("song.map:2:17: "))
            let missing = try metronome.run([folder.appending(path: "no.map").path()])
            #expect(missing.status == 66 && missing.errors.contains("no.map"))
        }
    }
}
