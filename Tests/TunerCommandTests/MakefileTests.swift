import Foundation
import TestCommands
import Testing

/// The output of `make` without a target.
@Suite struct MakefileTests {
    private func make(_ line: String) throws -> BuiltCommand.Outcome {
        // Not a part of the make that runs this test.
        try BuiltCommand(shell: ()).run(["-c", "unset MAKEFLAGS MAKELEVEL MFLAGS PART; make \(line)"], in: repository)
    }

    @Test func `make without a target lists at most 16 targets, each in one line`() throws {
        let told = try make("")
        #expect(told.status == 0 && told.errors.isEmpty)
        #expect((10...16).contains(told.lines.count), "\(told.lines.count) targets")
        for line in told.lines {
            let words = line.split(separator: " ", maxSplits: 1)
            try #require(words.count == 2, "\(line)")
            #expect(words[1].count > 20 && line.utf8.count <= 120, "\(line)")
        }
    }

    @Test func `Every part of make bench has a line, and an unknown part is refused`() throws {
        let told = try make("bench PART=help")
        #expect(told.status == 0 && told.lines.allSatisfy { $0.hasPrefix("PART=") })
        // Those that `make bench` takes, and `rivals`, which is also a target of its own.
        let makefile = try String(contentsOf: repository.appending(path: "Makefile"), encoding: .utf8)
        let list = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("PARTS := ") })
        let parts = list.dropFirst("PARTS := ".count).split(separator: " ").map(String.init)
        let lines = told.lines.map { String($0.dropFirst("PART=".count).prefix { $0 != " " }) }
        #expect(parts.count > 5 && lines.sorted() == parts.sorted())
        let wrong = try make("bench PART=nonsense")
        #expect(wrong.status == 2 && wrong.errors.contains("no part is named 'nonsense'"), "\(wrong.errors)")
    }
}
