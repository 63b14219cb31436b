internal import CRealtime
internal import Realtime

/// Which partial of which string stands where among the unknowns of a fit.
struct PartialLayout: ~Copyable, Sendable {
    let stringCount: Int
    let count: Int
    /// The string of each partial, and its number from 1 on.
    private let owner: SampleBuffer<Int>, number: SampleBuffer<Double>
    /// Where the partials of each string begin; one more at the end.
    private let starts: SampleBuffer<Int>

    /// All partials of strings with these first partials (in hertz) that lie below `limit`.
    init(fundamentals: [Double], below limit: Double) {
        var (owners, numbers, starts): ([Int], [Double], [Int]) = ([], [], [0])
        for (string, fundamental) in fundamentals.enumerated() {
            let last = max(1, min(mostPartialsPerString, Int(limit / fundamental)))
            owners += [Int](repeating: string, count: last)
            numbers += (1...last).map(Double.init)
            starts.append(owners.count)
        }
        (stringCount, count) = (fundamentals.count, owners.count)
        owner = SampleBuffer(copying: owners, filler: 0)
        number = SampleBuffer(copying: numbers, filler: 0)
        self.starts = SampleBuffer(copying: starts, filler: 0)
    }

    @inline(__always) @_noLocks func string(_ partial: Int) -> Int { owner.unsafeElements[partial] }
    @inline(__always) @_noLocks func number(_ partial: Int) -> Double { number.unsafeElements[partial] }
    @inline(__always) @_noLocks func partials(_ string: Int) -> Range<Int> {
        starts.unsafeElements[string]..<starts.unsafeElements[string + 1]
    }
}

/// Above it a low string has hardly any sound left, and the fit's cost grows with the third power of the partials.
private let mostPartialsPerString = 24
