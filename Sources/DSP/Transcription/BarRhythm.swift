internal import CRealtime

/// How likely a melody is in its bars: at which places of a bar, and of some bars, there is a note.
///
/// Each place has a note or none, with a probability of its own that is known only about beforehand, by its kind, and that the
/// notes themselves tell more and more exactly. A rhythm that comes again with each bar, or with every other one, is then likely
/// in bars of that length, and in bars of twice as many places as well, but those are more to tell.
/// - SeeAlso: Krichevsky & Trofimov, "The performance of universal encoding", IEEE Transactions on Information Theory 27(2), 1981.
struct BarRhythm {
    let division: BeatDivision
    /// Beats in a bar.
    let beats: Int
    /// Bars after which rhythms come again: a minuet's by two, a song's by four. What is compared at several levels needs the same
    /// times in all of them, as a tune of four bars is otherwise likelier at half its tempo, where it has two.
    let periods: [Int]
    /// Ticks from one of the places to the next at which a note is missed. They are the same at all levels that are compared: a finer
    /// grid has more places, and none of them would be a reason for a coarser one.
    let spacing: Double

    /// So many places are the usual shares worth. Of 150 melodies in 3/4, half the tempo was likelier than the right one by two
    /// nepers or more in 4 with this, and in 7 with 8; the right one was likelier in a minuet by 7 and by 10.
    private static let weight = 4.0
    /// The logarithm of the share of notes that are at none of the places, as for a reading.
    private static let nowhere = -3.5

    /// The logarithm of the likelihood of notes at these places.
    ///
    /// - Parameters:
    ///   - ticks: in rising order, from any beat on.
    ///   - longest: who rests for more ticks rests on, and tells nothing.
    func likelihood(of ticks: [Int], longest: Int) -> Double {
        let all = periods.map { likelihood(of: ticks, longest: longest, period: $0 * beats * division.ticks) }
        let most = all.max() ?? 0
        // Each period is as likely beforehand.
        return most + rt_log(all.reduce(0) { $0 + rt_exp($1 - most) } / Double(all.count))
    }

    private func likelihood(of ticks: [Int], longest: Int, period: Int) -> Double {
        // Notes that are at each place of the period, and times that it was passed with a note or without one.
        var (seen, passed) = ([Int](repeating: 0, count: period), [Int](repeating: 0, count: period))
        var sum = 0.0
        for (last, next) in zip(ticks, ticks.dropFirst()) where next > last && next - last <= longest {
            for tick in (last + 1)...next { passed[tick % period] += 1 }
            if division.place(atTick: next) == nil { sum += Self.nowhere } else { seen[next % period] += 1 }
        }
        for place in 0..<period where seen[place] > 0 {
            guard let number = division.place(atTick: place) else { continue }
            let usual = division.usualShares[division.kinds[number]]
            sum += Self.logarithm(ofShare: usual, seen: seen[place], passed: passed[place])
        }
        // And those without a note.
        for place in stride(from: 0, to: Double(period), by: spacing) {
            let tick = Int(place)
            let number = Double(tick) == place ? division.place(atTick: tick) : nil
            guard number == nil || seen[tick] == 0 else { continue }
            let kind = number.map { division.kinds[$0] } ?? division.usualShares.count - 1
            sum += Self.logarithm(ofShare: division.usualShares[kind], seen: 0, passed: passed[tick])
        }
        return sum
    }

    /// The logarithm of the probability of so many notes in a place that was passed so often, in an order of their own, where its share
    /// is known about.
    private static func logarithm(ofShare usual: Double, seen: Int, passed: Int) -> Double {
        var sum = 0.0
        for n in 0..<seen { sum += rt_log(weight * usual + Double(n)) }
        for n in 0..<(passed - seen) { sum += rt_log(weight * (1 - usual) + Double(n)) }
        for n in 0..<passed { sum -= rt_log(weight + Double(n)) }
        return sum
    }
}
