import Figures
import Foundation

/// A player whose beat is known: a tempo over time, and notes that scatter about it.
struct Player {
    /// What the player does after four notes.
    enum Kind: String, CaseIterable {
        /// 8 s steady, faster by 2 BPM/s from 80 to 95 up to 145 to 160, steady, and back.
        case ramps
        case steady
        /// By 10 % faster or slower from one beat to the next.
        case sudden
        /// Notes on and between the beats, a third of the beats without one.
        case syncopated
        /// Plays, rests until the metronome has stopped, and begins anew at another tempo.
        case pause
    }

    let kind: Kind
    /// The beats in seconds, without scatter.
    private(set) var beats: [Double] = []
    /// Whether the tempo moves there.
    private(set) var moves: [Bool] = []
    /// The notes in seconds.
    private(set) var notes: [Double] = []
    /// The beat with which the music begins anew.
    private(set) var starts = [0]
    let length: Double

    /// Seconds by which each note is off.
    static let scatter = 0.008
    /// Shares of the beats: without a note, and with one that belongs nowhere.
    static let (missed, extra) = (0.05, 0.05)
    private static let slope = 2.0

    init(_ kind: Kind, seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        self.kind = kind
        // Seconds and beats per minute at the corners.
        var corners: [(at: Double, tempo: Double)]
        switch kind {
        case .ramps:
            let (slow, fast) = (80 + 15 * random.uniform(), 145 + 15 * random.uniform())
            let span = (fast - slow) / Self.slope
            corners = [
                (0, slow), (8, slow), (8 + span, fast), (16 + span, fast), (16 + 2 * span, slow),
                (24 + 2 * span, slow),
            ]
        case .steady, .syncopated, .pause:
            let tempo = kind == .steady ? 60 + 120 * random.uniform() : 80 + 60 * random.uniform()
            corners = [(0, tempo), (40, tempo)]
        case .sudden:
            let tempo = 80 + 60 * random.uniform()
            let other = tempo * (random.uniform() < 0.5 ? 1.1 : 0.9)
            corners = [(0, tempo), (15, tempo), (15.000_001, other), (40, other)]
        }
        length = (corners.last?.at ?? 0) + 1
        // The phase is the integral of a tempo that is linear between the corners.
        var phase = 0.0
        for (from, to) in zip(corners, corners.dropFirst()) {
            let (span, rate) = (to.at - from.at, (to.tempo - from.tempo) / (to.at - from.at) / 60)
            let start = from.tempo / 60
            let end = phase + start * span + rate * span * span / 2
            for beat in Int(phase.rounded(.up))..<max(Int(phase.rounded(.up)), Int(end.rounded(.up))) {
                let wanted = Double(beat) - phase
                let time = 2 * wanted / (start + (start * start + 2 * rate * wanted).squareRoot())
                beats.append(0.5 + from.at + time)
                moves.append(kind == .ramps && from.tempo != to.tempo)
            }
            phase = end
        }
        play(&random)
    }

    private mutating func play(_ random: inout SeededNumbers) {
        // A third of the players play beats only, a third every half beat, a third some of them.
        let density = [0.0, 0.5, 1][Int(3 * random.uniform())]
        let pattern: [Bool] = [true, false, false, true, false, false, true, false]
        if kind == .pause {
            // 20 beats of rest, longer than a metronome plays alone, and the second part by a tenth slower.
            let first = beats.count / 3
            let begin = beats[first - 1] + 22 * (beats[1] - beats[0])
            let period = 1.1 * (beats[1] - beats[0])
            beats = Array(beats[..<first])
            while let last = beats.last, last < length - 1 {
                beats.append(last < begin ? begin : last + period)
            }
            moves = beats.map { _ in false }
            starts = [0, first]
        }
        for (index, beat) in beats.enumerated() {
            let since = index - (starts.last { $0 <= index } ?? 0)
            let period = index + 1 < beats.count ? beats[index + 1] - beat : beat - beats[max(0, index - 1)]
            func note(_ part: Double) { notes.append(beat + part * period + Self.scatter * random.normal()) }
            guard since >= 4 else {
                note(0)
                continue
            }
            let isLast = starts.contains(index + 1) || index + 1 == beats.count
            if kind == .syncopated {
                let step = 2 * (index % 4)
                if pattern[step] { note(0) }
                if pattern[step + 1] { note(0.5) }
            } else {
                if random.uniform() >= Self.missed { note(0) }
                if !isLast, random.uniform() < density { note(0.5) }
            }
            if !isLast, random.uniform() < Self.extra { notes.append(beat + period * random.uniform()) }
        }
        notes.sort()
    }
}
