import Testing
import Timebase

@Suite struct BarLevelsTests {
    @Test func `Each of the first 32 beats keeps its level, those after them have none`() {
        let levels = (0..<40).map { AccentLevel.allCases[($0 * 7 + $0 / 4) % AccentLevel.allCases.count] }
        var event = BeatEvent.none
        event.barLevels = BarLevels(levels)
        #expect((1...32).map { event.level(ofBeat: $0) } == levels.prefix(32).map(Optional.some))
        #expect([0, 33, 40, -1].allSatisfy { event.level(ofBeat: $0) == nil })
    }

    @Test func `Numbers, letters and names tell the levels apart`() {
        let levels = AccentLevel.allCases
        #expect(levels.map(\.number) == Array(AccentLevel.numbers) && levels.sorted() == levels)
        #expect(Set(levels.map(\.letter)).count == levels.count && Set(levels.map(\.name)).count == levels.count)
        #expect(levels.allSatisfy { AccentLevel(letter: $0.letter) == $0 })
        #expect(AccentLevel.legend == "X accent, o medium, x normal, . silent")
    }
}
