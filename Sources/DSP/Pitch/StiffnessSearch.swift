internal import CRealtime

/// How many partials to fit, step by step, and from which B, so that B is found from nothing.
///
/// The stretch of a stiff string turns partial k by k³ w B N / 4 radians at the ends of N samples. Beyond about one radian
/// a fit converges to the wrong place, so the first few partials give a rough B, which brings the next ones into reach.
/// Where the first few are too faint (a microphone without bass) or turn too far by themselves (a short treble string),
/// the search tries values of B as far apart as a fit reaches and continues from the one with the least residual. Where
/// that gives no B either, the search ends where it began.
struct StiffnessSearch: BitwiseCopyable {
    /// How many partials the last step had.
    private(set) var partials = 0
    private let samples: Double
    private let most: Int
    private let enough: Int
    private var stepsLeft = 16
    /// How far off B may be: before anything is known, what all but the shortest strings stay below.
    private var doubt: Double
    /// Whether the last step was so long that it has to be taken again.
    private var isFar = false

    /// Whether B stands out of its error.
    private var isSeen = false

    /// The B that is known already, and whether the search has found the same.
    private let known: Double
    private var isKnown = false
    /// The upper bound of B.
    private let highest: Double

    /// The partials that were heard without B.
    private let heard: HeardPartials
    /// The trials: how many are left, how far apart they are, the fundamental without B, and the best so far.
    private var trials = 0
    private var spacing = 0.0
    private var rigid = 0.0
    private var best = (fundamental: 0.0, inharmonicity: 0.0, residual: Double.infinity)

    /// A search over `samples` samples, with up to `most` partials, that is worth something from `enough` of them on.
    ///
    /// It ends early where B is so close to `known` that a fit of all partials converges from there.
    @_noLocks init(
        samples: Int, most: Int, enough: Int, known: Double = -1, highest: Double = 2e-3,
        heard: HeardPartials = HeardPartials()
    ) {
        (self.samples, self.most, self.enough) = (Double(samples), most, min(most, enough))
        (self.known, self.highest, self.heard) = (known, highest, heard)
        doubt = 0.35 * highest
    }

    /// Whether B was followed up to enough partials.
    var isComplete: Bool { @_noLocks get { partials >= enough && !isFar && !isKnown && trials == 0 } }

    /// The number of partials for the next step, `nil` at the end; leaves where the step is to start.
    @_noLocks mutating func next(fundamental w: inout Double, inharmonicity b: inout Double) -> Int? {
        guard stepsLeft > 0, !isKnown else { return nil }
        if trials == 0 {
            stepsLeft -= 1
            if isFar { return partials }
            guard let count = nextCount(fundamental: w) else { return nil }
            partials = count
        }
        if trials > 0 {
            b = Double(trials - 1) * spacing
            w = rigid / rt_sqrt(1 + b * heard.meanSquare)
        }
        return partials
    }

    /// As many partials as have come into reach; lays out the trials where those do not tell B.
    @_noLocks private mutating func nextCount(fundamental w: Double) -> Int? {
        let turn = w * samples * max(doubt, 1e-12)
        // Not-a-number ends here too.
        guard turn > 0 else { return nil }
        let reach = Int(min(100, rt_pow(4.8 / turn, 1.0 / 3)))
        if partials == 0, heard.first > reach, heard.first <= most, heard.first > 0 {
            layTrials(fundamental: w)
            if trials > 0 { return heard.first }
        }
        var count = min(min(most, max(3, reach)), partials == 0 ? most : 2 * partials)
        // The error holds the power of all the partials above, which hardly disturb: a B that is seen may go on.
        if count <= partials, isSeen { count = min(most, partials + max(1, partials / 6)) }
        return count > partials ? count : nil
    }

    /// Takes in what the step found.
    @_noLocks mutating func take(
        _ estimate: HarmonicEstimate, fundamental w: inout Double, inharmonicity b: inout Double
    ) {
        if trials > 0 {
            trials -= 1
            if estimate.residual < best.residual { best = (w, b, estimate.residual) }
            if trials == 0 {
                (w, b) = (best.fundamental, best.inharmonicity)
                // The one between the trials is found from there.
                isFar = true
            }
            return
        }
        let before = b
        w = HarmonicEstimate.step(from: w, to: estimate.fundamental)
        b = min(highest, max(0, estimate.inharmonicity))
        let turn = Double(partials * partials * partials) * w * samples / 4 * abs(b - before)
        isFar = turn > 0.3
        let error = rt_sqrt(estimate.inharmonicityVariance)
        doubt = 2.5 * error
        isSeen = b > 4 * error
        let rest = (abs(b - known) + doubt) * Double(most * most * most) * w * samples / 4
        isKnown = known >= 0 && rest < 0.5
    }

    /// Lays out the trials, 0 among them, as far apart as a fit reaches: none where they would be too many.
    @_noLocks private mutating func layTrials(fundamental w: Double) {
        rigid = w * rt_sqrt(1 + max(0, known) * heard.meanSquare)
        let k = Double(heard.first)
        // k |k² - m| while the middle m of what is heard stays where it is: at the outermost partial, or within.
        let rest = max(k * abs(k * k - heard.meanSquare), 0.385 * heard.meanSquare * rt_sqrt(heard.meanSquare))
        spacing = 6.4 / (rest * w * samples)
        let count = 2 * doubt / spacing
        if count > 0, count < 40 { trials = 1 + Int(count) }
    }
}
