import Figures
import Foundation

/// The figures of several melodies together: F is the mean of theirs, as in mir_eval.transcription.
///
/// A note is found when its onset lies within 50 ms and its pitch within 50 cents; with its end when that lies within a fifth
/// of the note's length or 50 ms, whichever is more. Each note counts once, in the largest possible set of pairs.
struct Score {
    let f: Double, withEnds: Double, onsetF: Double, precision: Double, recall: Double
    /// The share of the notes whose onset was found that are told an octave or two away.
    let octaves: Double
    /// Seconds of a core in a second of sound, and those with a tempo tracker beside.
    let cost: Double, costWithTempo: Double
    /// For each note that is told in the end, how many are shown as another key first, and how many that are none.
    let revised: Double, withdrawn: Double
    let count: Int
    /// How long after the beginning of a note something about it was corrected for the last time, in milliseconds.
    let corrected: Double
    /// In milliseconds: lateness of the onsets, and how long after the true onset a note was shown and was right.
    private let errors: [Double], delays: [Double], rights: [Double]

    init(_ found: [Transcript]) {
        let each = found.map(Matching.init)
        let mean = { (value: (Matching) -> Double) in
            each.isEmpty ? .nan : each.reduce(0) { $0 + value($1) } / Double(each.count)
        }
        (f, withEnds, onsetF) = (mean(\.f), mean(\.withEnds), mean(\.onsetF))
        (precision, recall, octaves) = (mean(\.precision), mean(\.recall), mean(\.octaves))
        errors = each.flatMap(\.errors)
        delays = each.flatMap(\.delays)
        rights = each.flatMap(\.rights)
        count = found.reduce(0) { $0 + $1.melody.notes.count }
        corrected = found.flatMap(\.corrections).max() ?? 0
        let told = Double(max(1, found.reduce(0) { $0 + $1.notes.count }))
        revised = Double(found.reduce(0) { $0 + $1.revised }) / told
        withdrawn = Double(found.reduce(0) { $0 + $1.withdrawn }) / told
        let seconds = found.reduce(0) { $0 + Double($1.melody.samples.count) / $1.melody.rate }
        cost = found.reduce(0) { $0 + $1.cost } / max(1e-9, seconds)
        costWithTempo = cost + found.reduce(0) { $0 + $1.tempoCost } / max(1e-9, seconds)
    }

    /// The median error.
    var bias: Double { percentile(errors, 0.5) }
    func shown(_ share: Double) -> Double { percentile(delays, share) }
    /// The share of the notes that were shown later than that after their true onset.
    func shownLater(than delay: Double) -> Double {
        Double(delays.filter { $0 > delay }.count) / Double(max(1, delays.count))
    }
    func right(_ share: Double) -> Double { percentile(rights, share) }
}

/// The notes of one melody beside the true ones.
private struct Matching {
    var f = 0.0, withEnds = 0.0, onsetF = 0.0, precision = 0.0, recall = 0.0, octaves = 0.0
    var errors: [Double] = [], delays: [Double] = [], rights: [Double] = []

    init(_ transcript: Transcript) {
        let (truths, notes) = (transcript.melody.notes, transcript.notes)
        guard !truths.isEmpty, !notes.isEmpty else { return }
        // mir_eval rounds times to tenths of a millisecond before it compares them.
        let isNear = { (a: Double, b: Double, most: Double) in (abs(a - b) * 1e4).rounded() <= most * 1e4 }
        let onsets = { (i: Int, j: Int) in isNear(truths[i].onset, notes[j].onset, 0.05) }
        let pitches = { (i: Int, j: Int) in onsets(i, j) && abs(truths[i].key - notes[j].key) <= 0.5 }
        let ends = { (i: Int, j: Int) in
            pitches(i, j)
                && isNear(truths[i].end, notes[j].end, max(0.05, 0.2 * (truths[i].end - truths[i].onset)))
        }
        let sum = Double(truths.count + notes.count)
        let found = pairs(truths.count, notes.count, pitches)
        f = 2 * Double(found.count) / sum
        (precision, recall) = (
            Double(found.count) / Double(notes.count), Double(found.count) / Double(truths.count)
        )
        withEnds = 2 * Double(pairs(truths.count, notes.count, ends).count) / sum
        let begun = pairs(truths.count, notes.count, onsets)
        onsetF = 2 * Double(begun.count) / sum
        let wrong = begun.filter { pair in
            let distance = abs(truths[pair.0].key - notes[pair.1].key)
            return abs(distance - 12) < 0.6 || abs(distance - 24) < 0.6
        }
        octaves = Double(wrong.count) / Double(max(1, begun.count))
        errors = begun.map { 1_000 * (notes[$0.1].onset - truths[$0.0].onset) }
        delays = found.map { 1_000 * (transcript.shown[$0.1].first - truths[$0.0].onset) }
        rights = found.map { 1_000 * (transcript.shown[$0.1].right - truths[$0.0].onset) }
    }
}

/// The largest set of pairs in which each occurs once, by augmenting paths.
private func pairs(_ rows: Int, _ columns: Int, _ fits: (Int, Int) -> Bool) -> [(Int, Int)] {
    var owner = [Int?](repeating: nil, count: columns)
    func place(_ row: Int, _ tried: inout Set<Int>) -> Bool {
        for column in 0..<columns where fits(row, column) && tried.insert(column).inserted {
            if let other = owner[column], !place(other, &tried) { continue }
            owner[column] = row
            return true
        }
        return false
    }
    for row in 0..<rows {
        var tried: Set<Int> = []
        _ = place(row, &tried)
    }
    return owner.enumerated().compactMap { column, row in row.map { ($0, column) } }
}
