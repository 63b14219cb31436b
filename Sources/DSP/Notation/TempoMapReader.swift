internal import Music
internal import Timebase

/// Reads the lines of a tempo map.
internal struct TempoMapReader {
    private let text: MapText
    private let seed: UInt64
    private var isOurDialect = false
    private var pragmas = MapPragmas()
    private var fileOptions = MapFileOptions()
    /// The entries of the file, followed by those of the open repeats.
    private var levels: [[MapItem]] = [[]]
    private var openRepeats: [(line: Int, count: Int?)] = []
    private var entryCount = 0
    /// The bars of the entries so far.
    private var barCount: Int64 = 0

    internal init(text: String, file: String, seed: UInt64) {
        self.text = MapText(text, file: file)
        self.seed = seed
    }

    internal mutating func read() throws(NotationError) -> PlanGrid {
        for (index, line) in text.lines.enumerated() {
            let number = index + 1
            var scanner = NotationScanner(String(line))
            do throws(NotationError) {
                try read(&scanner, line: number)
            } catch {
                if error.file != nil { throw error }
                throw text.problem(number, column: error.column, error.fault, remedy: error.remedy)
            }
        }
        if let open = openRepeats.last { throw text.problem(open.line, "open repeat", remedy: "close it with }") }
        if let stray = pragmas.firstLine { throw text.problem(stray, "no entry follows", remedy: "write one below") }
        var unroller = MapUnroller(text)
        var plan = try unroller.plan(levels[0])
        fileOptions.apply(to: &plan, seed: seed)
        // Errors of the plan have their places here.
        var section: Int?
        do throws(PlanError) {
            var grid = try PlanGrid(sectionsOf: plan, failing: &section)
            grid.order = unroller.order
            return grid
        } catch {
            let entry = section.map { unroller.origins[$0] }
            let place = entry?.pragmas.place(of: error) ?? entry?.place ?? MapPlace(line: text.lines.count, column: 1)
            throw text.problem(place.line, column: place.column, error.problem, remedy: error.remedy)
        }
    }

    private mutating func read(_ scanner: inout NotationScanner, line: Int) throws(NotationError) {
        if line == 1, scanner.skip(word: "#!metronome") {
            scanner.skipBlanks()
            guard scanner.skip("2") else { throw scanner.unreadable("2, the version, as in #!metronome 2") }
            scanner.skipBlanks()
            try scanner.expectEnd(after: "line")
            isOurDialect = true
            return
        }
        scanner.skipBlanks()
        if scanner.isAtEnd { return }
        if scanner.skip(word: "#:") { return try readPragma(&scanner, line: line) }
        if scanner.next == "#" { return }
        if isOurDialect {
            if scanner.next == "}" { return try closeRepeat(&scanner) }
            if scanner.skip(word: "repeat ") { return try openRepeat(&scanner, line: line) }
        }
        let column = scanner.column
        var entry = try scanner.mapEntry(isOurDialect: isOurDialect)
        entry.place = MapPlace(line: line, column: column)
        entry.pragmas = pragmas
        entry.firstBar = barCount + 1
        barCount += entry.bars ?? 0
        entry.section = try entry.makeSection(in: text)
        pragmas = MapPragmas()
        levels[levels.count - 1].append(.entry(entry))
        entryCount += 1
        try MapUnroller.checkLength(entryCount, text, line: line)
    }

    private mutating func readPragma(_ scanner: inout NotationScanner, line: Int) throws(NotationError) {
        scanner.skipBlanks()
        guard scanner.looksLikePragma else { return }
        let isForFile = scanner.skip(word: "@file")
        repeat {
            scanner.skipBlanks()
            if isForFile { try fileOptions.read(&scanner) } else { try pragmas.read(&scanner, line: line) }
            scanner.skipBlanks()
        } while !scanner.isAtEnd && scanner.next != "#"
    }

    private mutating func openRepeat(_ scanner: inout NotationScanner, line: Int) throws(NotationError) {
        scanner.skipBlanks()
        let count = scanner.skip("*") ? nil : try scanner.integer("how often, or * for ever", in: 1...100_000)
        scanner.skipBlanks()
        guard scanner.skip("{") else { throw scanner.unreadable("{ at the end of the line") }
        try scanner.expectLineEnd()
        guard levels.count <= 16 else { throw scanner.outOfRange("use at most 16 repeats inside each other", at: 1) }
        openRepeats.append((line, count))
        levels.append([])
    }

    private mutating func closeRepeat(_ scanner: inout NotationScanner) throws(NotationError) {
        guard let open = openRepeats.popLast(), let items = levels.popLast() else {
            throw scanner.unreadable("an entry; no repeat is open here")
        }
        _ = scanner.skip("}")
        try scanner.expectLineEnd()
        levels[levels.count - 1].append(.repeated(items, count: open.count, line: open.line))
    }
}

/// An entry of a map, or a repeat of items.
internal indirect enum MapItem {
    case entry(MapEntry)
    case repeated([MapItem], count: Int?, line: Int)
}

extension NotationScanner {
    /// Only blanks and a comment may follow.
    internal mutating func expectLineEnd() throws(NotationError) {
        skipBlanks()
        guard isAtEnd || next == "#" else { throw .unreadable(text, at: column, remedy: "end the line here") }
    }
}
