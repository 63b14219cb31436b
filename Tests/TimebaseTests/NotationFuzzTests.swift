import TestSignals
import Testing
import Timebase

/// Whether a line is one of klick's, decided by its published grammar and by nothing of ours.
private func isKlickLine(_ line: String) -> Bool {
    let number = #/[0-9]+\.?[0-9]*|\.[0-9]+/#
    let entry =
        #/[ \t]*(?:[A-Za-z0-9_-]+:)?[ \t]*([0-9]+)[ \t]+(?:([0-9]+)\/([0-9]+)[ \t]+)?([0-9.]+(?:-[0-9.]+|(?:,[0-9.]+)*))(?:[ \t]+([Xx.]+))??(?:[ \t]+([0-9.]+))?[ \t]*(?:#.*)?/#
    if line.wholeMatch(of: #/[ \t]*(?:#.*)?/#) != nil { return true }
    guard let match = line.wholeMatch(of: entry), let bars = Int(match.1), (1...10_000_000).contains(bars) else {
        return false
    }
    let beats = match.2.map { Int($0) ?? 0 } ?? 4
    let denominator = match.3.map { Int($0) ?? 0 } ?? 4
    guard (1...1_024).contains(beats), (1...64).contains(denominator) else { return false }
    let isRamp = match.4.contains("-")
    let tempi = match.4.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "," }
    let isPlayable = tempi.allSatisfy { text in
        guard text.wholeMatch(of: number) != nil, let value = Double(text.hasSuffix(".") ? text + "0" : text) else {
            return false
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return value >= 0.001 && value <= 100_000 && parts[0].count <= 12 && (parts.count < 2 || parts[1].count <= 9)
    }
    guard isPlayable else { return false }
    if !isRamp, tempi.count > 1, tempi.count != bars * beats { return false }
    if let pattern = match.5, pattern.count != beats { return false }
    if let volume = match.6 {
        guard volume.wholeMatch(of: number) != nil,
            let value = Double(volume.hasSuffix(".") ? volume + "0" : "0" + volume), value <= 1_000
        else { return false }
        let parts = volume.split(separator: ".", omittingEmptySubsequences: false)
        return parts[0].count <= 12 && (parts.count < 2 || parts[1].count <= 9)
    }
    return true
}

/// Whether a text is an accent pattern by the grammar in the documentation.
private func isAccentPattern(_ text: String) -> Bool {
    if text == "none" || text == "only" { return true }
    if text.wholeMatch(of: #/[Xox.]+(\/[Xox.]+)*/#) != nil { return true }
    if text.wholeMatch(of: #/0*[0-3](,0*[0-3])+/#) != nil { return true }
    guard text.wholeMatch(of: #/[0-9]+(\+[0-9]+)*/#) != nil else { return false }
    let groups = text.split(separator: "+").map { Int($0) ?? 0 }
    return groups.allSatisfy { (1...1_024).contains($0) } && groups.reduce(0, +) <= 1_024
}

/// One to three characters put in, taken out or changed.
private func mutated(_ text: String, alphabet: String, using random: inout SeededGenerator) -> String {
    var characters = Array(text)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0...characters.count, using: &random)
        let letter = alphabet.randomElement(using: &random) ?? "x"
        switch Int.random(in: 0..<3, using: &random) {
        case 0: characters.insert(letter, at: place)
        case 1 where place < characters.count: characters.remove(at: place)
        case 2 where place < characters.count: characters[place] = letter
        default: characters.append(letter)
        }
    }
    return String(characters)
}

@Suite struct NotationFuzzTests {
    private let lines = [
        "intro:    8 120           # c", "4 120-140 X.x.", "8 3/4 140 0.5", "2 140-80", "2 6/8 120 X..x..",
        "2 7/8 140 XxXxXxx 0.5", "1 4/4 60,240,60,240", "a_b-1: 1 2/4 97.3,.5 Xx 1.", "# only a comment",
        "12\t5/4 120.",
    ]

    @Test func `Malformed maps are refused with a place, well-formed ones are read, none crashes`() throws {
        let seed: UInt64 = 20_241
        var random = SeededGenerator(seed: seed)
        var (refused, accepted, wrong) = (0, 0, 0)
        while refused < 200 {
            var map = (0..<3).map { _ in lines.randomElement(using: &random) ?? "" }
            map.append("1 120")
            let at = Int.random(in: 0..<3, using: &random)
            map[at] = mutated(map[at], alphabet: "0123456789.,-/+*:#Xxo \t>é٣=", using: &random)
            let isRight = map.allSatisfy(isKlickLine)
            do throws(TempoMapError) {
                _ = try TempoMap(parsing: map.joined(separator: "\n"), file: "fuzz")
                accepted += 1
                if !isRight {
                    wrong += 1
                    Issue.record("accepted: \(map[at])")
                }
            } catch {
                refused += 1
                let isPlace = error.line == at + 1 && error.column >= 1 && error.column <= map[at].count + 1
                if isRight || !isPlace {
                    wrong += 1
                    Issue.record("\(error.message) for \(map[at])")
                }
            }
        }
        print("maps, seed \(seed): \(refused) refused with line and column, \(accepted) accepted, \(wrong) wrongly")
        #expect(accepted > 50 && wrong == 0)
    }

    @Test func `Malformed accents are refused with a place, well-formed ones are read, none crashes`() {
        let seed: UInt64 = 20_242
        var random = SeededGenerator(seed: seed)
        let patterns = ["4", "3+2+2", "X.x.", "X.x./X.xx", "3,1,2,1", "none", "only", "12", "XoXo"]
        var (refused, accepted, wrong) = (0, 0, 0)
        while refused < 200 {
            let text = mutated(
                patterns.randomElement(using: &random) ?? "", alphabet: "0123456789.,-/+Xxo nely٣é", using: &random)
            do throws(NotationError) {
                _ = try AccentPattern(parsing: text)
                accepted += 1
                if !isAccentPattern(text) {
                    wrong += 1
                    Issue.record("accepted: \(text)")
                }
            } catch {
                refused += 1
                if isAccentPattern(text) || error.column < 1 || error.column > text.count + 1 {
                    wrong += 1
                    Issue.record("\(error.message) for \(text)")
                }
            }
        }
        print("accents, seed \(seed): \(refused) refused with a column, \(accepted) accepted, \(wrong) wrongly")
        #expect(accepted > 20 && wrong == 0)
    }

    @Test func `Random bytes are never accepted in silence by any notation`() {
        var random = SeededGenerator(seed: 20_243)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            // A byte above 127 or below 32 has no place in any of them.
            let text = String(decoding: bytes + [0x01], as: UTF8.self)
            #expect(throws: NotationError.self) { try TempoNotation(parsing: text) }
            #expect(throws: NotationError.self) { try Meter(parsing: text) }
            #expect(throws: NotationError.self) { try Subdivision(parsing: text) }
            #expect(throws: NotationError.self) { try Swing(parsing: text) }
            #expect(throws: NotationError.self) { try GapPlan(parsing: text) }
            #expect(throws: NotationError.self) { try TempoSteps(parsing: text) }
            #expect(throws: NotationError.self) { try CountIn(parsing: text) }
            #expect(throws: NotationError.self) { try TimeSpan(parsing: text) }
            #expect(throws: NotationError.self) { try CrossRhythm.polyrhythm(parsing: text) }
            #expect(throws: NotationError.self) { try RandomMute(parsing: text, seed: 1) }
        }
    }
}
