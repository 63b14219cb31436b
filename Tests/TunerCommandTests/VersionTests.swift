import Foundation
import TestCommands
import Testing

/// The version stands in one place; everything else reads it there, or names the same.
@Suite struct VersionTests {
    @Test(arguments: ["tuner", "metronome"])
    func `A command prints the version`(_ name: String) throws {
        let (told, version) = (try BuiltCommand(name).run(["--version"]), try productVersion())
        #expect(told.status == 0 && told.errors.isEmpty && told.output == "\(version)\n")
    }

    @Test func `The Makefile reads the version for the Debian package and the C library`() throws {
        let told = try BuiltCommand(shell: ()).run(["-c", "make -pn help | grep '^VERSION '"], in: repository)
        let version = try productVersion()
        #expect(told.output == "VERSION := \(version)\n")
    }

    @Test func `No other source contains it, and the pages for importers name this version`() throws {
        let version = try productVersion()
        let files = try BuiltCommand(shell: ()).run(
            [
                "-c",
                "grep -rnF '\(version)' Makefile README.md packaging Sources samples --include='*.*' --include=Makefile "
                    + "| grep -v 'Configuration/Version.swift:'",
            ], in: repository)
        let lines = files.lines
        #expect(lines.count >= 3, "README, documentation and sample apps")
        for line in lines { #expect(line.contains("from: \"\(version)\""), "\(line)") }
    }
}
