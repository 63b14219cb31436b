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
        for (text, problem, remedy) in [
            ("1/0", "'1/0', column 1", "divide by more than 0"),
            ("3=120", "column 1", "write 1, 2, 4, 8, 16, 32 or 64 before the ="),
            ("4096=120", "column 1", "write 1, 2, 4, 8, 16, 32 or 64 before the ="),
        ] {
            let error = #expect(throws: NotationError.self) { try TempoNotation(parsing: text) }
            #expect(error?.problem.contains(problem) == true && error?.remedy == remedy, "\(String(describing: error))")
        }
        let klick = #expect(throws: NotationError.self) { try PracticePlan(tempoMap: "2 8=140", file: "a.map") }
        #expect(klick?.remedy == "begin the file with #!metronome 2")
    }
}
