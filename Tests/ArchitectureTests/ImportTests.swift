import Foundation
import Testing

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// Every Swift file below a folder, with its path from there.
private func swiftFiles(below folder: String) throws -> [(path: String, text: String)] {
    let folder = root.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".swift") }
    return try paths.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
}

private func sourceFiles() throws -> [(path: String, text: String)] { try swiftFiles(below: "Sources") }

/// What Package.swift says of a target.
private struct DeclaredTarget {
    /// `DSP`, `IO`, `CLI` or `Tests`.
    let layer: String
    let dependencies: Set<String>
}

/// The Swift targets of Package.swift by their names.
private func declaredTargets() throws -> [String: DeclaredTarget] {
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    let products = [
        "argumentParser": ["ArgumentParser"], "tomlKit": ["TOMLKit"], "bigInt": ["BigInt"],
        "nio": ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"],
        "nioSSL": ["NIOSSL"], "embedded": ["NIOCore", "NIOEmbedded"],
        "framing": ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOWebSocket"],
    ]
    let declaration =
        /(target|command|tests|executableTarget)\(\s*(?:name: )?"([\w-]+)",(?:\s*in: "(\w+)",)?\s*(?:dependencies: )?\[(.*?)\]((?: \+ (?:nioSSL|nio|framing|embedded))*)/
        .dotMatchesNewlines()
    var targets: [String: DeclaredTarget] = [:]
    for match in manifest.matches(of: declaration) {
        // A condition names a trait and not a dependency.
        let list = match.4.replacing(/condition:.*/, with: "")
        let more = match.5.replacing(" +", with: ",")
        let names = (list + more).matches(of: /"([\w-]+)"|(argumentParser|tomlKit|bigInt|nioSSL|nio|framing|embedded)/)
            .flatMap {
                found in
                found.1.map { [String($0)] } ?? found.2.flatMap { products[String($0)] } ?? []
            }
        let layer = match.3.map(String.init) ?? (match.1 == "command" ? "CLI" : "Tests")
        targets[String(match.2)] = DeclaredTarget(layer: layer, dependencies: Set(names))
    }
    return targets
}

/// The modules of the system and the toolchain that each layer may import.
private let systemModules: [String: Set<String>] = [
    "DSP": ["Synchronization"],
    "IO": ["Synchronization", "Glibc", "FoundationEssentials"],
    "CLI": ["Synchronization", "Glibc", "FoundationEssentials"],
    "Tests": ["Synchronization", "Glibc", "Darwin", "Dispatch", "Foundation", "Testing"],
]

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
    @Test func `A target imports its dependencies in Package.swift and nothing else, each of them somewhere`() throws {
        // The program of `make fuzz` is in C.
        let declared = try declaredTargets().filter { $0.key != "fuzz" }
        var imported: [String: Set<String>] = [:]
        for (path, text) in try sourceFiles() + swiftFiles(below: "Tests").map({ ("Tests/" + $0.path, $0.text) }) {
            let parts = path.split(separator: "/")
            let name =
                [
                    "StreamProbe": "stream-probe", "PageProbe": "page-probe", "Soak": "soak",
                    // A library in the folder of its command, whose program is a file apart.
                    "metronome": "MetronomeCLI", "metronome-main": "metronome",
                ][String(parts[1])]
                ?? String(parts[1])
            // Tests/Rigs and Tests/ThreadSanitizer hold packages of their own.
            guard let target = declared[name] else {
                #expect(["Rigs", "ThreadSanitizer"].contains(name), "Package.swift has no target \(name)")
                continue
            }
            #expect(target.layer == parts[0], "\(path) lies in its layer")
            let modules = Set(importedModules(text))
            let others = modules.subtracting(target.dependencies).subtracting(systemModules[target.layer] ?? [])
            #expect(others.isEmpty, "\(path) must not import \(others.sorted())")
            imported[name, default: []].formUnion(modules)
        }
        #expect(declared.count >= 45 && Set(declared.keys) == Set(imported.keys), "every target has been read")
        for (name, target) in declared {
            // A test runs these and imports nothing of them.
            let idle = target.dependencies.subtracting(imported[name] ?? [])
                .subtracting(["tuner", "metronome", "stream-probe", "page-probe"])
            #expect(idle.isEmpty, "\(name) depends on \(idle.sorted()) and does not import it")
        }
    }

    @Test func `A layer depends only on the layers below it`() throws {
        let targets = try declaredTargets()
        // What is no Swift target of ours: C modules and other packages, with the targets that may use them.
        let users: [String: Set<String>] = [
            "CFFTW": ["Spectral"], "CALSA": ["ALSABackend"], "CSoundFile": ["AudioIO"], "CSQLite": ["SQLite"],
            "CLinuxCalls": ["Platform", "AudioIO", "ScorePages"], "CWellTempered": ["EmbeddingC"],
            "CSpokenCount": ["Synthesis"],
            "CPNG": ["ScorePages"], "CTurboJPEG": ["ScorePages"], "CExpat": ["ScorePages"],
            "CMessageDigest": ["ScorePages"], "CQREncode": ["musicstand"],
            "NIOCore": ["Stand"], "NIOPosix": ["Stand"], "NIOHTTP1": ["Stand"], "NIOWebSocket": ["Stand"],
            "NIOSSL": ["Stand"],
            "CRealtime": Set(targets.filter { $0.value.layer == "DSP" }.keys),
            "ArgumentParser": Set(targets.filter { $0.value.layer == "CLI" }.keys), "TOMLKit": ["Configuration"],
        ]
        let order = ["DSP", "IO", "CLI"]
        for (name, target) in targets where target.layer != "Tests" {
            for dependency in target.dependencies {
                guard let other = targets[dependency] else {
                    #expect(users[dependency]?.contains(name) == true, "\(name) must not depend on \(dependency)")
                    continue
                }
                let isBelow = order.prefix { $0 != target.layer }.contains(other.layer) || other.layer == target.layer
                #expect(isBelow, "\(name) must not depend on \(dependency)")
            }
            if target.layer == "IO" {
                let dsp = target.dependencies.filter { targets[$0]?.layer == "DSP" }
                #expect(dsp.isSubset(of: ["Realtime", "Music"]), "\(name) moves sound and computes none")
            }
        }
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
        #expect(importedModules("/* x */ import Realtime;" + " import Glibc") == ["Realtime", "Glibc"])
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
            "CSQLite": ["sqlite3.h"], "CPNG": ["png.h"], "CTurboJPEG": ["turbojpeg.h"], "CExpat": ["expat.h"],
            "CQREncode": ["qrencode.h"],
            "CMessageDigest": ["sha2.h", "stdint.h", "sys/types.h"],
            "CLinuxCalls": [
                "CLinuxCalls.h", "errno.h", "fcntl.h", "malloc.h", "poll.h", "pthread.h", "sched.h", "signal.h",
                "spawn.h",
                "stdio.h", "stdlib.h", "sys/eventfd.h",
                "sys/mman.h", "sys/timex.h", "time.h", "unistd.h",
            ],
            "CWellTempered": ["well_tempered_types.h", "stdbool.h", "stddef.h", "stdint.h"],
            "CSpokenCount": ["CSpokenCount.h", "english-words.h", "stdint.h"],
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
