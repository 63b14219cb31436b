import TestCommands
import Testing

@Suite struct TemperamentListTests {
    @Test func `The list has columns of names, dates and sources`() throws {
        let tuner = BuiltCommand("tuner")
        let outcome = try tuner.run(["--list-temperaments"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.lines.count > 40)
        let dorf = try #require(outcome.lines.first { $0.hasPrefix("Neidhardt 1724 Dorf") })
        let columns = dorf.split(separator: "  ", omittingEmptySubsequences: true)
            .map { String($0.trimmingPrefix(" ")) }
        #expect(columns == ["Neidhardt 1724 Dorf", "1724", "Neidhardt, Sectio canonis harmonici: for a village"])
        // Every source begins in the same column.
        let start = try #require(dorf.ranges(of: "Neidhardt, ").first).lowerBound.utf16Offset(in: dorf)
        for line in outcome.lines {
            let column = line.index(line.startIndex, offsetBy: start)
            #expect(line[column] != " " && line[line.index(before: column)] == " ", "\(line)")
        }
    }
}
