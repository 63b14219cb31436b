import Notation
import Testing
import Timebase

@Suite struct AccentWordTests {
    @Test func `A number accents the first of so many beats`() throws {
        #expect(try AccentPattern(parsing: "4").bars(in: nil) == [[.accent, .normal, .normal, .normal]])
        #expect(try AccentPattern(parsing: "1").bars(in: nil) == [[.accent]])
    }

    @Test(arguments: ["0", "-1", "", "x y", "4,", "1025", "99999999999999999999"])
    func `An accent that makes no bar is refused`(text: String) {
        let error = #expect(throws: NotationError.self) { try AccentPattern(parsing: text) }
        #expect(error?.column ?? 0 >= 1)
    }
}
