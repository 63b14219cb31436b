import Testing

@testable import ScorePages

@Suite struct BarCountsTests {
    @Test func `A system is doubtful that has no bars, or is far from each of its neighbours`() {
        #expect(BarCounts([4, 4, 5, 3]).doubts == [false, false, false, false])
        #expect(BarCounts([4, 0, 4]).doubts == [false, true, false], "none")
        #expect(BarCounts([4, 4, 7, 4]).doubts == [false, false, true, false], "too many")
        #expect(BarCounts([6, 6, 2]).doubts == [false, false, true], "too few")
        #expect(BarCounts([6, 3, 3]).doubts == [true, false, false], "one neighbour agrees")
        #expect(BarCounts([5]).doubts == [false] && BarCounts([0]).doubts == [true] && BarCounts([]).doubts == [])
    }
}
