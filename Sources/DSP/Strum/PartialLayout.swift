internal import CRealtime
internal import Realtime

/// Which partial of which string stands where among the unknowns of a fit: in the order of their frequencies.
struct PartialLayout: ~Copyable, Sendable {
    let stringCount: Int
    private(set) var count = 0
    /// The string of each partial, and its number from 1 on.
    private let owner: SampleBuffer<Int>, number: SampleBuffer<Double>
    /// Whether a string of another pitch has a partial within 60 cents.
    private let shared: SampleBuffer<Bool>
    /// The partials of each string, lowest first, and where each string's begin; one more at the end.
    private let places: SampleBuffer<Int>, starts: SampleBuffer<Int>

    /// Whether a string may have a partial above the limit within 60 cents, which no model explains.
    private let edge: SampleBuffer<Bool>
    /// By the tuning, in hertz.
    private let frequencies: SampleBuffer<Double>

    /// For so many strings with so many partials in all, at most.
    init(stringCount: Int, partialCount: Int) {
        self.stringCount = stringCount
        owner = SampleBuffer(count: partialCount)
        number = SampleBuffer(count: partialCount)
        shared = SampleBuffer(count: partialCount, repeating: false)
        edge = SampleBuffer(count: partialCount, repeating: false)
        frequencies = SampleBuffer(count: partialCount)
        places = SampleBuffer(count: partialCount)
        starts = SampleBuffer(count: stringCount + 1)
    }

    /// How many partials of a string with this first partial lie below `limit`.
    @_noLocks static func count(_ fundamental: Double, below limit: Double) -> Int {
        max(1, min(mostPartialsPerString, Int(limit / fundamental)))
    }

    /// Takes all partials of strings with these first partials (in hertz) that lie below `limit`.
    @_noLocks mutating func lay(_ fundamentals: borrowing SampleBuffer<Double>, below limit: Double) {
        count = 0
        for string in 0..<stringCount {
            for number in 1...Self.count(fundamentals.unsafeElements[string], below: limit) {
                insert(string, number, fundamentals.unsafeElements[string] * Double(number))
            }
        }
        for i in 0..<count {
            let (string, frequency) = (owner.unsafeElements[i], frequencies.unsafeElements[i])
            edge.unsafeElements[i] = frequency * (1 + 0.5 * sharingRatio) > limit / (1 + sharingRatio)
            shared.unsafeElements[i] = false
            for j in 0..<count where abs(frequency / frequencies.unsafeElements[j] - 1) < sharingRatio {
                let other = owner.unsafeElements[j]
                if fundamentals.unsafeElements[string] != fundamentals.unsafeElements[other] {
                    shared.unsafeElements[i] = true
                }
            }
        }
        var end = 0
        for string in 0..<stringCount {
            starts.unsafeElements[string] = end
            for i in 0..<count where owner.unsafeElements[i] == string {
                places.unsafeElements[end] = i
                end += 1
            }
        }
        starts.unsafeElements[stringCount] = end
    }

    /// Puts a partial after those that are not higher.
    @_noLocks private mutating func insert(_ string: Int, _ partial: Int, _ frequency: Double) {
        var i = count
        while i > 0 && frequencies.unsafeElements[i - 1] > frequency {
            frequencies.unsafeElements[i] = frequencies.unsafeElements[i - 1]
            owner.unsafeElements[i] = owner.unsafeElements[i - 1]
            number.unsafeElements[i] = number.unsafeElements[i - 1]
            i -= 1
        }
        (frequencies.unsafeElements[i], owner.unsafeElements[i]) = (frequency, string)
        number.unsafeElements[i] = Double(partial)
        count += 1
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
