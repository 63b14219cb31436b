import Music
import Notation
import Testing
import Timebase

@Suite struct TempoWordTests {
    @Test(arguments: [
        ("120", 120, 1), ("97.3", 973, 10), ("100/3", 100, 3), ("1", 1, 1), ("1000", 1_000, 1),
        ("33.333333333", 33_333_333_333, 1_000_000_000),
        ("60.", 60, 1), ("240/2", 120, 1),
    ])
    func `A tempo is read as the exact fraction`(text: String, numerator: Int64, denominator: Int64) throws {
        let tempo = try Tempo(parsing: text)
        #expect(tempo.beatsPerMinute == Ratio(numerator, denominator))
    }

    @Test(arguments: ["120", "97.3", "100/3", "60.5", "133.7"])
    func `A tempo is written as it is read`(text: String) throws {
        #expect(try Tempo(parsing: text).description == text)
    }

    @Test(arguments: [
        ("0", 1), ("-5", 1), ("abc", 1), ("1e9", 2), ("120,5", 4), ("", 1), ("1001", 1), ("0.999", 1), ("1000.1", 1),
        ("100/0", 1), ("100/", 4), ("1/3", 1), ("120 ", 4), ("12a", 3), ("..", 1), ("99999999999999999999", 1),
        ("١٢٠", 1),
        ("1.0000000001", 1), ("nan", 1), ("+120", 1),
    ])
    func `A tempo that cannot be played is refused with its place`(text: String, column: Int) {
        let error = #expect(throws: NotationError.self) { try Tempo(parsing: text) }
        #expect(error?.column == column)
        #expect(error?.message.isEmpty == false)
    }
}
