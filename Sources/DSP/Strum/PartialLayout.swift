internal import CRealtime
internal import Realtime

/// Which partial of which string stands where among the unknowns of a fit: in the order of their frequencies.
struct PartialLayout: ~Copyable, Sendable {
    let stringCount: Int
    let count: Int
    /// The string of each partial, and its number from 1 on.
    private let owner: SampleBuffer<Int>, number: SampleBuffer<Double>
    /// Whether a string of another pitch has a partial within 60 cents.
    private let shared: SampleBuffer<Bool>
    /// The partials of each string, lowest first, and where each string's begin; one more at the end.
    private let places: SampleBuffer<Int>, starts: SampleBuffer<Int>

    /// Whether a string may have a partial above the limit within 60 cents, which no model explains.
    private let edge: SampleBuffer<Bool>

    /// All partials of strings with these first partials (in hertz) that lie below `limit`.
    init(fundamentals: [Double], below limit: Double) {
        var partials: [(string: Int, number: Int)] = []
        for (string, fundamental) in fundamentals.enumerated() {
            let last = max(1, min(mostPartialsPerString, Int(limit / fundamental)))
            for number in 1...last { partials.append((string, number)) }
        }
        partials.sort { fundamentals[$0.string] * Double($0.number) < fundamentals[$1.string] * Double($1.number) }
        (stringCount, count) = (fundamentals.count, partials.count)
        owner = SampleBuffer(copying: partials.map(\.string))
        number = SampleBuffer(copying: partials.map { Double($0.number) })
        let frequencies = partials.map { fundamentals[$0.string] * Double($0.number) }
        let shared = partials.indices.map { i in
            partials.indices.contains { j in
                fundamentals[partials[i].string] != fundamentals[partials[j].string]
                    && abs(frequencies[i] / frequencies[j] - 1) < sharingRatio
            }
        }
        self.shared = SampleBuffer(copying: shared)
        edge = SampleBuffer(copying: frequencies.map { $0 * (1 + 0.5 * sharingRatio) > limit / (1 + sharingRatio) })
        var (places, starts): ([Int], [Int]) = ([], [0])
        for string in fundamentals.indices {
            places += partials.indices.filter { partials[$0].string == string }
            starts.append(places.count)
        }
        self.places = SampleBuffer(copying: places)
        self.starts = SampleBuffer(copying: starts)
    }

    @inline(__always) @_noLocks func string(_ partial: Int) -> Int { owner.unsafeElements[partial] }
    @inline(__always) @_noLocks func number(_ partial: Int) -> Double { number.unsafeElements[partial] }

    @inline(__always) @_noLocks func isShared(_ partial: Int) -> Bool { shared.unsafeElements[partial] }

    @inline(__always) @_noLocks func isAtEdge(_ partial: Int) -> Bool { edge.unsafeElements[partial] }

    /// How many partials a string has.
    @inline(__always) @_noLocks func count(_ string: Int) -> Int {
        starts.unsafeElements[string + 1] - starts.unsafeElements[string]
    }

    /// The partial `index` (from 0 on) of a string.
    @inline(__always) @_noLocks func partial(_ string: Int, _ index: Int) -> Int {
        places.unsafeElements[starts.unsafeElements[string] + index]
    }
}

/// Above it a low string has hardly any sound left, and the fit's cost grows with the third power of the partials.
var mostPartialsPerString: Int { @_noLocks get { 24 } }
/// 60 cents: how far off its tuning a string may be.
private var sharingRatio: Double { @_noLocks get { 0.035 } }
