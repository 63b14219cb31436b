internal import CRealtime

/// Finds the likeliest reading of a melody note by note, by Viterbi's algorithm.
///
/// A state is a place in the beat and a tempo. The tempo may drift by a step from note to note, and change suddenly at a note on
/// the beat or an eighth.
/// - Complexity: some 40 000 steps and 2 kB a note.
struct RhythmDecoder {
    let starts: [Double]
    let division: BeatDivision
    let steps: [Double], scatter: Double
    let prior: [Double], changes: [Double], periods: [Double]
    private let exclusion: Exclusion?
    /// The tempi that are possible at each note.
    private let possible: [ClosedRange<Int>]
    /// The logarithm of the likelihood of a note that belongs nowhere.
    let nowhere: Double

    /// What a reading is compared without.
    enum Exclusion {
        /// A tempo of the notes of a range.
        case tempo(Int, ClosedRange<Int>)
        /// A sudden change at a note.
        case change(Int)
    }

    /// The logarithms of the likelihoods of all states at a note.
    private struct Column {
        /// Before and after a sudden change, where that is likelier.
        var arrived = [Double](repeating: -.infinity, count: states)
        var left: [Double] = []
        /// From `left`, after the likeliest drift; and the state before that.
        var drifted: [Double] = [], drifts: [UInt16] = []
    }

    /// Where each state of each note comes from: the state of a note before, and by how many notes, times the number of states;
    /// at a beginning 0.
    private(set) var origins: [UInt16] = []
    /// The tempo before a sudden change.
    private(set) var olds: [UInt8] = []

    static let tempi = BeatTempi.count, states = BeatDivision.count * tempi
    static let none = UInt8.max
    /// Up to two notes in a row may belong nowhere: ornaments, and what was heard wrong; so many do.
    private static let farthest = 3, share = 0.03
    /// Nepers: a sudden change each 200 notes or so; off the beat it is twenty times less likely. A drift by a step from note to
    /// note is as likely as a note nowhere.
    static let change = 5.5, offBeat = 3.0, drift = 3.0
    /// Nepers: a pause each thousand notes or so lasts any time.
    static let pause = 9.0
    /// Half of a step of the tempo: the share of the time from note to note by which that is missed.
    private static let stretch = BeatTempi.step / 2
    /// Standard deviations beyond which nothing is likely, and nepers below the likeliest state from which no change begins.
    private static let reach = 5.0, beam = 40.0

    /// - Parameters:
    ///   - around: what is known of the tempo, in beats per minute.
    ///   - possible: the tempi that are possible at each note.
    ///   - exclusion: what it has to do without.
    init(
        _ starts: [Double], _ rhythm: BeatRhythm, around: Double?, within possible: [ClosedRange<Int>],
        without exclusion: Exclusion? = nil
    ) {
        (self.starts, self.possible, self.exclusion) = (starts, possible, exclusion)
        division = rhythm.division
        (steps, scatter) = (rhythm.steps, rhythm.scatter)
        prior = division.tempi.prior(around: around)
        changes = division.tempi.changes
        periods = (0..<Self.tempi).map(BeatTempi.period)
        nowhere = rt_log(Self.share) + RhythmReading.density(of: starts)
    }

    /// `nil` where none is possible.
    consuming func reading() -> RhythmReading? {
        var columns: [Column] = []
        for note in starts.indices {
            let base = origins.count
            origins += [UInt16](repeating: 0, count: Self.states)
            var column = Column()
            if note < Self.farthest { begin(&column, skipping: note) }
            for back in 1...Self.farthest where back <= columns.count {
                step(&column, to: note, from: columns[columns.count - back], back, base)
            }
            if let last = columns.last { pause(&column, at: note, from: last, base) }
            exclude(&column.arrived, at: note)
            leave(&column, note)
            columns.append(column)
            if columns.count > Self.farthest { columns.removeFirst() }
        }
        guard let last = columns.last?.arrived, let end = last.indices.max(by: { last[$0] < last[$1] }),
            last[end] > -.infinity
        else { return nil }
        return reading(to: end, likelihood: last[end])
    }

    /// The first notes, too, may belong nowhere. Until this one there is then none of the music, which has so many a second.
    private func begin(_ column: inout Column, skipping count: Int) {
        let silence = rt_exp(RhythmReading.density(of: starts)) * (starts[count] - starts[0])
        for state in 0..<Self.states {
            column.arrived[state] =
                division.beginnings[state / Self.tempi] + prior[state % Self.tempi] + Double(count) * nowhere
                - silence
        }
    }

    /// From a note so many before; those between belong nowhere.
    private mutating func step(_ column: inout Column, to note: Int, from last: Column, _ back: Int, _ base: Int) {
        let interval = starts[note] - starts[note - back]
        let skipped = Double(back - 1) * nowhere
        for tempo in possible[note] {
            let tick = periods[tempo] / Double(division.ticks)
            let deviation = deviation(interval, tempo)
            let width = Self.reach * deviation
            let least = max(1, Int(rt_ceil((interval - width) / tick)))
            let most = min(division.longest, Int((interval + width) / tick))
            guard least <= most else { continue }
            for distance in least...most {
                let late = (interval - Double(distance) * tick) / deviation
                let fit = skipped - late * late / 2 - rt_log(deviation) - Self.normal
                let inBeat = distance % division.ticks
                for place in 0..<BeatDivision.count {
                    guard let target = division.targets[place * division.ticks + inBeat] else { continue }
                    let state = target * Self.tempi + tempo
                    let from = place * Self.tempi + tempo
                    let total =
                        last.drifted[from] + fit + steps[place * (division.longest + 1) + distance]
                    guard total > column.arrived[state] else { continue }
                    column.arrived[state] = total
                    origins[base + state] = UInt16(back * Self.states) + last.drifts[from]
                }
            }
        }
    }

    /// The logarithm of the root of two pi.
    static let normal = 0.918_939

    /// The standard deviation of the time between two notes, in seconds.
    func deviation(_ interval: Double, _ tempo: Int) -> Double {
        let (both, stretch) = (2 * scatter * scatter * periods[tempo] * periods[tempo], Self.stretch * interval)
        return rt_sqrt(both + stretch * stretch)
    }

    /// After a pause the tempo goes on, on the beat or at an eighth.
    private mutating func pause(_ column: inout Column, at note: Int, from last: Column, _ base: Int) {
        let interval = starts[note] - starts[note - 1]
        let longest = Double(division.longest) / Double(division.ticks)
        for tempo in 0..<Self.tempi where interval > longest * periods[tempo] {
            let states = stride(from: tempo, to: Self.states, by: Self.tempi)
            guard let from = states.max(by: { last.left[$0] < last.left[$1] }) else { continue }
            for place in division.changePlaces {
                let state = place * Self.tempi + tempo
                let total = last.left[from] - Self.pause - rt_log(interval) + division.beginnings[place]
                guard total > column.arrived[state] else { continue }
                column.arrived[state] = total
                origins[base + state] = UInt16(Self.states + from)
            }
        }
    }

    private func exclude(_ likelihoods: inout [Double], at note: Int) {
        if possible[note].count < Self.tempi {
            for state in 0..<Self.states where !possible[note].contains(state % Self.tempi) {
                likelihoods[state] = -.infinity
            }
        }
        guard case .tempo(let tempo, let notes) = exclusion, notes.contains(note) else { return }
        for state in 0..<Self.states where BeatTempi.isSame(state % Self.tempi, tempo) {
            likelihoods[state] = -.infinity
        }
    }

    /// A sudden change, and a drift to the next note.
    private mutating func leave(_ column: inout Column, _ note: Int) {
        column.left = column.arrived
        var olds = [UInt8](repeating: Self.none, count: Self.states)
        var canChange = note > 0
        if case .change(note) = exclusion { canChange = false }
        if canChange {
            let best = column.arrived.max() ?? -.infinity
            for place in division.changePlaces {
                let first = place * Self.tempi
                let penalty = Self.change + (place == 0 ? 0 : Self.offBeat)
                for old in 0..<Self.tempi where column.arrived[first + old] > best - Self.beam {
                    let from = column.arrived[first + old] - penalty
                    for new in 0..<Self.tempi {
                        let total = from + changes[old * Self.tempi + new]
                        guard total > column.left[first + new] else { continue }
                        column.left[first + new] = total
                        olds[first + new] = UInt8(old)
                    }
                }
            }
            exclude(&column.left, at: note)
        }
        self.olds += olds
        (column.drifted, column.drifts) = (column.left, (0..<UInt16(Self.states)).map { $0 })
        for state in 0..<Self.states {
            let tempo = state % Self.tempi
            for other in [state - 1, state + 1] where 0..<Self.tempi ~= tempo + other - state {
                guard column.left[other] - Self.drift > column.drifted[state] else { continue }
                (column.drifted[state], column.drifts[state]) = (column.left[other] - Self.drift, UInt16(other))
            }
        }
    }
}
