import Notation
import Testing
import Timebase

@Suite struct TempoWordsTests {
    @Test func `klick's order of words is understood`() throws {
        let words = try TempoWords(parsing: ["8", "7/8", "140", "X..x.x."])
        #expect(words.bars == 8 && words.meter?.beats == 7 && words.pattern != nil)
        #expect(try TempoWords(parsing: ["3/4", "120"]).meter?.beats == 3)
        #expect(try TempoWords(parsing: ["100/3"]).meter == nil)
        // Tempo before meter is what hands type; it was taken for sixty bars at one beat a minute.
        for words in [["60", "4/4"], ["4/4"], ["60", "6/8", "X.x"]] {
            #expect(throws: NotationError.self, "\(words)") { try TempoWords(parsing: words) }
        }
        #expect(try TempoWords(parsing: ["901/8"]).tempo.points == [Tempo(parsing: "901/8")])
        #expect(throws: NotationError.self) { try TempoWords(parsing: ["1", "2", "3/4", "120"]) }
        #expect(throws: NotationError.self) { try TempoWords(parsing: []) }
    }
}
