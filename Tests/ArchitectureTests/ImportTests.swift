import Foundation
import Testing

/// The modules that each target may import.
private let mayImport: [String: Set<String>] = [
    "DSP/Realtime": ["CRealtime", "Synchronization"],
    "DSP/Music": ["CRealtime"],
    "DSP/Spectral": ["Realtime", "Music", "CRealtime", "CFFTW", "Synchronization"],
    "DSP/Pitch": ["Spectral", "Realtime", "Music", "CRealtime", "Synchronization"],
    "DSP/Intonation": ["Pitch", "Realtime", "Music", "CRealtime"],
    "DSP/Timebase": ["Music", "Realtime", "CRealtime"],
    "DSP/Notation": ["Timebase", "Music"],
    "DSP/ScoreFiles": ["Timebase", "Music"],
    "DSP/Synthesis": ["Timebase", "Realtime", "Music", "CRealtime"],
    "DSP/Rhythm": ["Synthesis", "Timebase", "Spectral", "Realtime", "Music", "CRealtime"],
    "DSP/TunerEngine": ["Pitch", "Spectral", "Realtime", "Music", "CRealtime", "Synchronization"],
    "DSP/MetronomeEngine": ["Synthesis", "Timebase", "Realtime", "Music", "CRealtime", "Synchronization"],
    "DSP/WellTempered": [
        "TunerEngine", "MetronomeEngine", "Intonation", "Rhythm", "Pitch", "Synthesis", "Timebase", "Spectral",
        "Realtime", "Music", "Notation", "ScoreFiles",
    ],
    "DSP/EmbeddingC": [
        "CWellTempered", "TunerEngine", "MetronomeEngine", "Pitch", "Spectral", "Notation", "Timebase", "Realtime",
        "Music",
    ],
    "IO/Platform": ["Music", "CLinuxCalls", "Glibc", "Synchronization"],
    "IO/AudioIO": [
        "Platform", "Realtime", "Music", "CRealtime", "CSoundFile", "CLinuxCalls", "Glibc", "FoundationEssentials",
        "Synchronization",
    ],
    "IO/ALSABackend": [
        "AudioIO", "Platform", "Realtime", "Music", "CALSA", "Glibc", "FoundationEssentials",
        "Synchronization",
    ],
    "CLI/TerminalUI": [
        "Platform", "Intonation", "Music", "Pitch", "Timebase", "Glibc", "FoundationEssentials",
    ],
    "CLI/Configuration": [
        "TerminalUI", "AudioIO", "Platform", "Pitch", "Spectral", "Music", "ArgumentParser", "TOMLKit", "Glibc",
        "FoundationEssentials",
    ],
    "CLI/DeviceCalibration": [
        "TerminalUI", "Configuration", "ALSABackend", "AudioIO", "Platform", "Rhythm", "Realtime", "Music",
        "ArgumentParser", "Glibc", "FoundationEssentials",
    ],
    "CLI/tuner": [
        "TerminalUI", "Configuration", "DeviceCalibration", "ALSABackend", "AudioIO", "Platform", "TunerEngine",
        "Intonation", "Pitch", "Synthesis", "Spectral", "Realtime", "Music", "Notation", "Timebase", "ArgumentParser",
        "Glibc", "FoundationEssentials", "Synchronization",
    ],
    "CLI/metronome": [
        "TerminalUI", "Configuration", "DeviceCalibration", "ALSABackend", "AudioIO", "Platform", "MetronomeEngine",
        "Rhythm", "Synthesis", "Timebase", "Realtime", "Music", "Notation", "ScoreFiles", "ArgumentParser", "Glibc",
        "FoundationEssentials",
        "Synchronization",
    ],
]

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// Every Swift file below Sources, with its path from there.
private func sourceFiles() throws -> [(path: String, text: String)] {
    let sources = root.appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path()).filter { $0.hasSuffix(".swift") }
    return try paths.map { ($0, try String(contentsOf: sources.appending(path: $0), encoding: .utf8)) }
}

/// The modules that code imports, however its lines are broken and whatever comments stand between.
private func importedModules(_ code: String) -> [String] {
    // Comments and attributes can stand before the word, over several lines.
    let bare =
        code
        .replacing(/\/\/[^\n]*/, with: "").replacing(/(?s)\/\*.*?\*\//, with: " ")
        .replacing(/@\w+(\([^)]*\))?/, with: " ")
        // The word at the end of its line belongs to the name on the next.
        .replacing(/\bimport\s+/, with: "import ")
    return bare.split(whereSeparator: { $0 == ";" || $0.isNewline }).compactMap { statement in
        var words = statement.split(whereSeparator: \.isWhitespace)
        while let first = words.first, ["public", "internal", "private", "package", "fileprivate"].contains(first) {
            words.removeFirst()
        }
        guard words.first == "import", words.count > 1 else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "var", "let", "typealias"]
        let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
        return name.split(separator: ".").first.map(String.init)
    }
}

@Suite struct ImportTests {
    @Test func `Every import line obeys the table of who may import whom`() throws {
        let files = try sourceFiles()
        #expect(files.count >= 20, "the test reads the sources at all")
        var seen: Set<String> = []
        for (path, text) in files {
            let parts = path.split(separator: "/")
            try #require(parts.count >= 3, "\(path) lies in a layer and a target")
            let target = "\(parts[0])/\(parts[1])"
            let allowed = try #require(mayImport[target], "\(target) stands in the table")
            seen.insert(target)
            for module in importedModules(text) {
                #expect(allowed.contains(module), "\(path) must not import \(module)")
            }
        }
        #expect(seen == Set(mayImport.keys), "the table tells of the targets there are")
    }

    @Test
    func `Only the commands know exit statuses, arguments and the screen, and their drawing knows no exit status`()
        throws
    {
        let walls: [(folders: [String], words: [String])] = [
            (["DSP/", "IO/"], ["ExitStatus", "CommandError", "CommandLine.", "isatty", "tcsetattr", "\\u{1B}"]),
            (["CLI/TerminalUI/"], ["ExitStatus", "CommandError", "pthread_", "_exit("]),
        ]
        var texts = 0
        for (path, text) in try sourceFiles() {
            for wall in walls where wall.folders.contains(where: path.hasPrefix) {
                texts += 1
                for word in wall.words { #expect(!text.contains(word), "\(path) contains \(word)") }
            }
        }
        #expect(texts >= 100, "the test reads the sources at all")
    }

    @Test func `The layer of devices has no text for people, except in errors and descriptions`() throws {
        let verbs = ["summary: String", "meaning: String", "func list("]
        for (path, text) in try sourceFiles() where path.hasPrefix("IO/") {
            for verb in verbs {
                #expect(!text.contains("var " + verb) && !text.contains("static " + verb), "\(path): \(verb)")
            }
        }
    }

    @Test func `A file that imports AudioIO does not import what that re-exports`() throws {
        for (path, text) in try sourceFiles() {
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("internal import") || $0.hasPrefix("import") }
            let modules = Set(lines.compactMap { $0.split(separator: " ").last })
            guard text.contains("import AudioIO\n") else { continue }
            #expect(modules.isDisjoint(with: ["Music", "Platform"]), "\(path)")
        }
    }

    @Test func `The reader of import lines sees every spelling`() {
        #expect(importedModules("import Foundation") == ["Foundation"])
        #expect(importedModules("internal import CALSA") == ["CALSA"])
        #expect(importedModules("@_exported public import Music") == ["Music"])
        #expect(importedModules("@_spi(A, B)  import\tMusic // why") == ["Music"])
        #expect(importedModules("/* x */ import Realtime; import Glibc") == ["Realtime", "Glibc"])
        #expect(importedModules("private import struct Foundation.Data") == ["Foundation"])
        #expect(importedModules("/* over\n lines */ import Foundation") == ["Foundation"])
        #expect(importedModules("import\n    Foundation\nimport Music") == ["Foundation", "Music"])
        #expect(importedModules("// import Foundation\n/* import Glibc\n */ let x = 1") == [])
        #expect(importedModules("let important = 1") == [])
    }

    /// What C brings in comes in by a header and not by an import.
    @Test func `Every header that C code of ours includes stands in a table`() throws {
        let mayInclude: [String: Set<String>] = [
            "CRealtime": ["CRealtime.h", "CRealtimeVector.h", "math.h", "stdint.h", "string.h", "xmmintrin.h"],
            "CFFTW": ["fftw3.h"], "CALSA": ["alsa/asoundlib.h"], "CSoundFile": ["sndfile.h"],
            "CLinuxCalls": [
                "CLinuxCalls.h", "errno.h", "poll.h", "pthread.h", "sched.h", "stdio.h", "stdlib.h", "sys/eventfd.h",
                "sys/mman.h", "sys/timex.h", "time.h", "unistd.h",
            ],
            "CWellTempered": ["well_tempered_types.h", "stdbool.h", "stddef.h", "stdint.h"],
        ]
        let sources = root.appending(path: "Sources/C")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path())
            .filter { $0.hasSuffix(".h") || $0.hasSuffix(".c") }
        var seen: Set<String> = []
        for path in paths {
            let target = String(path.prefix { $0 != "/" })
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /#\s*(?:include|import)\s*[<"]([^>"]+)[>"]/) {
                let header = String(match.1)
                #expect(mayInclude[target]?.contains(header) ?? false, "\(path) must not include \(header)")
                seen.insert(target)
            }
        }
        #expect(seen == Set(mayInclude.keys))
    }

    @Test func `No file hides a call from the real-time check`() throws {
        let hidingPlaces = ["@_silgen" + "_name", "no_performance" + "_analysis", "unsafe" + "Flags"]
        let package = (
            path: "Package.swift", text: try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        )
        for (path, text) in try sourceFiles() + [package] {
            for word in hidingPlaces { #expect(!text.contains(word), "\(path) contains \(word)") }
        }
    }

    @Test func `A command lays its plan out in one place, and changes the grid after that`() throws {
        let places = try sourceFiles().filter { $0.path.hasPrefix("CLI/") }.flatMap { file in
            file.text.matches(of: /PlanGrid\(/).map { _ in file.path }
        }
        #expect(places == ["CLI/metronome/ReadPlan.swift"])
    }

    @Test func `No file multiplies and adds in one step, which is a library call per lane on the default target`()
        throws
    {
        for (path, text) in try sourceFiles() {
            for word in ["adding" + "Product(", "add" + "Product(", " fma("] {
                #expect(!text.contains(word), "\(path) contains \(word)")
            }
        }
    }
}
