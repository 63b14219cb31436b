import Music
import Notation
import Testing
import Timebase

@Suite struct NotationErrorTests {
    @Test func `The problem is the fault with its place, the remedy is what to type`() {
        let tempo = #expect(throws: NotationError.self) { try Tempo(parsing: "80x") }
        #expect(tempo?.problem == "'80x', column 3: unexpected 'x'" && tempo?.remedy == "end the tempo here")
        let groove = "#: groove=60\n1 120"
        let swing = #expect(throws: NotationError.self) { try PracticePlan(tempoMap: groove, file: "a.map") }
        #expect(swing?.problem == "a.map:1:4: unexpected 'g'" && swing?.remedy.hasPrefix("write one of swing=") == true)
        let map = "#!metronome 2\n* 80..90"
        let ramp = #expect(throws: NotationError.self) { try PracticePlan(tempoMap: map, file: "a.map") }
        #expect(ramp?.message == "a.map:2:3: a ramp needs an end: write its bars")
    }
}
