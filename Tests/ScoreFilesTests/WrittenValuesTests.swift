import Testing

@testable import ScoreFiles

@Suite struct WrittenValuesTests {
    /// Sixteenths: four in a quarter.
    private func values(beats: Int, beatType: Int) -> WrittenValues {
        let isCompound = beatType >= 8 && beats > 3 && beats % 3 == 0
        return WrittenValues(
            stepsPerQuarter: 4, stepsPerBar: 16 * beats / beatType, stepsPerBeat: 16 / beatType * (isCompound ? 3 : 1),
            isCompound: isCompound)
    }

    @Test(arguments: [
        // From a place to another, and the heads: in 4/4.
        (0, 16, [16]), (0, 12, [12]), (4, 12, [8]), (4, 16, [12]), (2, 6, [4]), (6, 10, [4]),
        // The middle shows where that costs no head more: an eighth and a half, not three heads.
        (6, 16, [2, 8]), (6, 14, [2, 6]), (4, 10, [4, 2]), (3, 8, [1, 4]), (0, 10, [8, 2]),
    ])
    func `A note has as few heads as there can be, and the middle of the bar shows`(
        start: Int, end: Int, heads: [Int]
    ) {
        #expect(values(beats: 4, beatType: 4).lengths(from: start, to: end, isRest: false) == heads)
        // The same in 2/2, whose beat is a half.
        #expect(values(beats: 2, beatType: 2).lengths(from: start, to: end, isRest: false) == heads)
    }

    @Test(arguments: [
        (4, 4, 4, 16, [4, 8]), (4, 4, 0, 12, [8, 4]), (4, 4, 0, 16, [16]), (4, 4, 4, 12, [4, 4]), (4, 4, 2, 8, [2, 4]),
        (3, 4, 0, 12, [12]), (3, 4, 4, 12, [4, 4]), (6, 8, 6, 12, [6]), (6, 8, 2, 12, [4, 6]),
    ])
    func `Rests show the beats, and a bar without a note is one rest`(
        beats: Int, beatType: Int, start: Int, end: Int, rests: [Int]
    ) {
        #expect(values(beats: beats, beatType: beatType).lengths(from: start, to: end, isRest: true) == rests)
    }

    @Test func `In six eighths a note over the second beat is tied there`() {
        let six = values(beats: 6, beatType: 8)
        #expect(six.lengths(from: 0, to: 8, isRest: false) == [6, 2])
        #expect(six.lengths(from: 4, to: 10, isRest: false) == [2, 4])
        #expect(six.lengths(from: 0, to: 12, isRest: false) == [12])
    }

    @Test func `Whatever the place and the meter, the heads fill the time, and each can be written`() {
        for (beats, beatType) in [(4, 4), (3, 4), (2, 2), (5, 4), (6, 8), (9, 8), (12, 8), (7, 8), (7, 16), (1, 4)] {
            let values = values(beats: beats, beatType: beatType)
            for start in 0..<values.stepsPerBar {
                for end in (start + 1)...values.stepsPerBar {
                    for isRest in [false, true] {
                        let lengths = values.lengths(from: start, to: end, isRest: isRest)
                        #expect(lengths.reduce(0, +) == end - start)
                        let isBar = start == 0 && end == values.stepsPerBar && lengths.count == 1
                        #expect(isBar || lengths.allSatisfy { NotatedMelody.Value(steps: $0, 4) != nil })
                    }
                }
            }
        }
    }
}
