import Music
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

@Suite struct NotationFuzzTests {
    @Test func `Malformed maps are refused with a place, well-formed ones are read, none crashes`() throws {
        let seed: UInt64 = 20_241
        var random = SeededGenerator(seed: seed)
        var (refused, accepted, wrong) = (0, 0, 0)
        while refused < 200 {
            let (map, at) = WrongNotation.map(using: &random)
            let entries = map.map(WrongNotation.klickLine)
            let isRight = entries.allSatisfy { $0 != nil }
            do throws(NotationError) {
                let plan = try PracticePlan(tempoMap: map.joined(separator: "\n"), file: "fuzz")
                accepted += 1
                let expected = entries.compactMap { $0 }.filter { $0.bars > 0 }
                let isAsWritten =
                    plan.sections.map(\.bars) == expected.map { Int64($0.bars) }
                    && plan.sections.map { String($0.levels[0].map(\.letter)) } == expected.map(\.pattern)
                if !isRight || !isAsWritten {
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

    @Test func `Maps of ours are read or refused with line, column and what was expected, none crashes`() throws {
        let seed: UInt64 = 20_244
        var random = SeededGenerator(seed: seed)
        for map in WrongNotation.ourMaps { _ = try PracticePlan(tempoMap: map, file: "right") }
        var (refused, accepted, wrong) = (0, 0, 0)
        while refused < 1_000 {
            let map = WrongNotation.ourMap(using: &random)
            do throws(NotationError) {
                let plan = try PracticePlan(tempoMap: map, file: "fuzz")
                accepted += 1
                // What is accepted is also played: bars one after the other, none before its time.
                let found = try? strokes(of: plan, limit: 300)
                let frames = found?.map(\.frame) ?? []
                if frames.isEmpty || frames != frames.sorted() {
                    wrong += 1
                    Issue.record("accepted, and cannot be played: \(map)")
                }
            } catch {
                refused += 1
                let lines = map.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
                let isLine = (1...lines.count).contains(error.line)
                let isColumn = isLine && (1...(lines[error.line - 1].count + 1)).contains(error.column)
                let isSaid = error.remedy.count > 8 && error.message.hasPrefix("fuzz:\(error.line):\(error.column): ")
                if !isColumn || !isSaid {
                    wrong += 1
                    Issue.record("\(error.message) for \(map)")
                }
            }
        }
        print("our maps, seed \(seed): \(refused) refused with line and column, \(accepted) accepted, \(wrong) wrongly")
        #expect(accepted > 100 && wrong == 0)
    }

    @Test func `Malformed accents are refused with a place, well-formed ones are read, none crashes`() throws {
        let seed: UInt64 = 20_242
        var random = SeededGenerator(seed: seed)
        var (refused, accepted, wrong) = (0, 0, 0)
        while refused < 200 {
            let text = WrongNotation.accent(using: &random)
            let levels = WrongNotation.accentLevels(text)
            do throws(NotationError) {
                let pattern = try AccentPattern(parsing: text)
                accepted += 1
                if (try? pattern.bars(in: nil))?.map({ $0.map(\.number) }) != levels {
                    wrong += 1
                    Issue.record("accepted: \(text)")
                }
            } catch {
                refused += 1
                if levels != nil || error.column < 1 || error.column > text.count + 1 {
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
            #expect(throws: NotationError.self) { try Duration(parsing: text) }
            #expect(throws: NotationError.self) { try CrossRhythm.voices(parsing: text) }
            #expect(throws: NotationError.self) { try RandomMute(parsing: text, seed: 1) }
        }
    }
}
