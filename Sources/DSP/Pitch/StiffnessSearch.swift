internal import CRealtime

/// How many partials to fit, step by step, so that B is found from nothing.
///
/// The stretch of a stiff string turns partial k by k³ w B N / 4 radians at the ends of N samples. More than about one
/// and a fit runs to the wrong place; so the first few partials tell B roughly, which brings the next ones into reach.
/// Where they do not tell it, the search stays where it is.
struct StiffnessSearch: BitwiseCopyable {
    /// How many partials the last step had.
    private(set) var partials = 0
    private let samples: Double
    private let most: Int
    private let enough: Int
    private var stepsLeft = 16
    /// How far off B may be: before anything is known, what all but the shortest strings stay below.
    private var doubt = 7e-4
    /// Whether the last step was so long that it has to be taken again.
    private var isFar = false

    /// Whether B stands out of its error.
    private var isSeen = false

    /// The B that there is no need to find, and whether it is that.
    private let known: Double
    private var isKnown = false

    /// A search over `samples` samples, with up to `most` partials, that is worth something from `enough` of them on.
    ///
    /// It ends where B turns out to be so close to `known` that a fit of all partials gets from there by itself.
    @_noLocks init(samples: Int, most: Int, enough: Int, known: Double = -1) {
        (self.samples, self.most, self.enough) = (Double(samples), most, min(most, enough))
        self.known = known
    }

    /// Whether B was followed up to enough partials.
    var isComplete: Bool { @_noLocks get { partials >= enough && !isFar && !isKnown } }

    /// The number of partials for the next step, `nil` at the end.
    @_noLocks mutating func next(fundamental w: Double) -> Int? {
        guard stepsLeft > 0, !isKnown else { return nil }
        stepsLeft -= 1
        if isFar { return partials }
        let turn = w * samples * max(doubt, 1e-12)
        // Not-a-number ends here too.
        guard turn > 0 else { return nil }
        let reach = Int(min(100, rt_pow(4.8 / turn, 1.0 / 3)))
        var count = min(min(most, max(3, reach)), partials == 0 ? most : 2 * partials)
        // The error holds the power of all the partials above, which hardly disturb: a B that is seen may go on.
        if count <= partials, isSeen { count = min(most, partials + 1) }
        guard count > partials else { return nil }
        partials = count
        return count
    }

    /// Takes in what the step found.
    @_noLocks mutating func take(
        _ estimate: HarmonicEstimate, fundamental w: inout Double, inharmonicity b: inout Double
    ) {
        let before = b
        w = min(1.02 * w, max(0.98 * w, estimate.fundamental))
        b = min(2e-3, max(0, estimate.inharmonicity))
        let turn = Double(partials * partials * partials) * w * samples / 4 * abs(b - before)
        isFar = turn > 0.3
        let error = rt_sqrt(estimate.inharmonicityVariance)
        doubt = 2.5 * error
        isSeen = b > 4 * error
        let rest = (abs(b - known) + doubt) * Double(most * most * most) * w * samples / 4
        isKnown = known >= 0 && rest < 0.5
    }
}
