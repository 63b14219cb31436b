import Foundation

/// How steadily one real note was read, beside the best that a linear filter could have done with its sound.
public struct OracleOutcome {
    /// Cents: the root mean square of the error at a delay of 10 ms, and of its change from reading to reading at the
    /// detector's best common delay.
    let rms, jitter: Double
    /// The same of the filter of least jitter whose error is no greater than ours, on the best of the ways to weigh
    /// partials.
    let oracle: LinearOracle
    let outcome: RealNoteOutcome

    /// Seconds that a reading may lie behind the sound.
    private static let delay = 0.01

    /// - Parameters:
    ///   - lag: the detector's best common delay in seconds.
    ///   - times: seconds of the ends of the samples that the readings of `outcome` rest on.
    ///   - inharmonicity: B, as far as it is known.
    /// - Returns: `nil` where the note has no steady part of 30 readings with 256 ms of sound before it.
    public init?(
        _ outcome: RealNoteOutcome, lag: Double, of samples: [Float], rate: Double, times: [Double],
        inharmonicity: Double
    ) {
        guard let rms = outcome.rms(lag: Self.delay), let jitter = outcome.jitter(lag: lag) else { return nil }
        (self.rms, self.jitter, self.outcome) = (rms, jitter, outcome)
        let steady = Set(outcome.steady.map(\.time))
        let judged = times.indices.filter { steady.contains(times[$0]) }
        let past = LinearOracle.nodes[LinearOracle.nodes.count - 1]
        guard let first = judged.first, let last = judged.last, first > past, judged.count >= 30 else { return nil }
        let truth = outcome.truth
        let raw = RawPitch(
            samples, rate: rate, times: times, judged: first..<(last + 1), truth: truth, hertz: outcome.noteHertz,
            inharmonicity: inharmonicity)
        func goal(_ delay: Double) -> [Double] { judged.map { 1_200 * truth.octave(at: times[$0] - delay) } }
        oracle = RawPitch.Weights.allCases.map { weights in
            let cents = (raw.octaves[weights] ?? []).map { 1_200 * $0 }
            return LinearOracle(raw: cents, at: judged, truth: goal(Self.delay), later: goal(lag), limit: rms)
        }.min { ($0.isBeyondLimit ? 1 : 0, $0.jitter) < ($1.isBeyondLimit ? 1 : 0, $1.jitter) }!
    }

    /// The medians of a group: ours, and the oracle's.
    public struct Figures {
        /// How many sounds.
        public let sounds: Int
        /// Cents: ours, then the oracle's.
        public let jitter, rms, leastJitter, rmsThere: Double
        /// Sounds on which ours is steadier than any filter of fixed taps, and on which none keeps to our error.
        public let steadier, unreached: Int
    }

    /// The figures of a group; `nil` without a note of it.
    public static func figures(of group: RealNoteResults.Group, _ outcomes: [OracleOutcome]) -> Figures? {
        let notes = outcomes.filter { group.has($0.outcome) }
        guard !notes.isEmpty else { return nil }
        func median(_ value: (OracleOutcome) -> Double) -> Double { percentile(notes.map(value), 0.5) }
        return Figures(
            sounds: notes.count, jitter: median(\.jitter), rms: median(\.rms), leastJitter: median(\.oracle.jitter),
            rmsThere: median(\.oracle.rms), steadier: notes.count { $0.jitter < $0.oracle.jitter },
            unreached: notes.count { $0.oracle.isBeyondLimit })
    }

    /// The note and both figures on a line.
    public var line: String {
        let figures = [jitter, rms, oracle.jitter, oracle.rms].map { String(format: "%.3f", $0) }
        return "\(outcome.family) \(outcome.note) \(outcome.variant.rawValue), jitter \(figures[0]), at 10 ms "
            + "\(figures[1]), oracle \(figures[2]), at 10 ms \(figures[3])"
            + (oracle.isBeyondLimit ? ", beyond our error" : "")
    }
}
