import Foundation
import RealNotes
import WellTempered

/// How near the jitter on real notes comes to that of the best linear filter.
struct OracleRows {
    let isVerbose: Bool
    private var notes: [(outcome: RealNoteOutcome, sound: RealNoteSound, heard: [PitchReading])] = []

    init(isVerbose: Bool) { self.isVerbose = isVerbose }

    /// Takes in how a sound was heard.
    mutating func add(_ outcome: RealNoteOutcome, of sound: RealNoteSound, _ heard: [PitchReading]) {
        if sound.variant == .amp || sound.variant == .full { notes.append((outcome, sound, heard)) }
    }

    /// - Parameter lag: the detector's best common delay in seconds.
    func rows(_ table: inout Table, lag: Double) throws {
        print("jitter, and in brackets rms at a delay of 10 ms: medians in cents, ours and those of an oracle,")
        print("the causal filter of fixed taps over 256 ms that, fitted to the raw phases of each note's partials,")
        print("changes least at no greater rms than ours:")
        let outcomes = try notes.compactMap { note in
            let (samples, rate) = try note.sound.load()
            let inharmonicity = note.heard.filter { $0.state == .voiced }.map(\.inharmonicity)
            return OracleOutcome(
                note.outcome, lag: lag, of: samples, rate: rate, times: note.heard.map { Double($0.frame) / rate },
                inharmonicity: inharmonicity.isEmpty ? 0 : percentile(inharmonicity, 0.5))
        }
        if isVerbose { for outcome in outcomes { print("    " + outcome.line) } }
        for group in RealNoteResults.Group.table {
            guard let figures = OracleOutcome.figures(of: group, outcomes) else { continue }
            func text(_ jitter: Double, _ rms: Double) -> String { String(format: "%.3f (%.3f)", jitter, rms) }
            table.note(
                "real notes, \(group.name): jitter",
                "ours " + text(figures.jitter, figures.rms) + ", oracle " + text(figures.leastJitter, figures.rmsThere)
                    + "; ours less on \(figures.steadier) of \(figures.sounds), "
                    + "our rms beyond it on \(figures.unreached)")
        }
    }
}
