internal import CRealtime

/// Which partials of a tone a fit without B hears: where a search for B begins.
struct HeardPartials: BitwiseCopyable {
    /// The fewest partials, from the lowest on, that include three present ones and three quarters of the power; 0 when
    /// unknown.
    var first = 0
    /// The mean of k² by what each partial tells of the fundamental, k² A_k²: about there the fit without B is right.
    var meanSquare = 1.0

    @_noLocks init() {}
}

extension InharmonicityPrior {
    /// The highest B of a string at a frequency in hertz.
    ///
    /// Strings grow short and thick for their length towards the treble: 1e-4 at the low end of a grand piano, 4e-4 in
    /// the middle, 2e-3 at 800 Hz, 2e-2 at 4 kHz, twice that in a small upright. Half the size of the string at a given
    /// frequency is four times the B.
    /// - SeeAlso: Young, "Inharmonicity of Plain Wire Piano Strings", JASA 24(3), 1952; Conklin, "Generation of partials
    ///   due to nonlinear mixing in a stringed instrument", JASA 105(1), 1999.
    @_noLocks static func highest(at frequency: Double) -> Double { min(3e-2, 2e-3 * max(1, frequency / 250)) }

    /// Whether a fit of B has run away: steps end at the highest B, and what comes within 5 % of it is on its way there.
    @_noLocks static func isBeyond(_ inharmonicity: Double, highest: Double) -> Bool { inharmonicity > 0.95 * highest }
}

extension FittedTone {
    /// Where a search for B begins.
    @_noLocks func heardPartials() -> HeardPartials {
        var heard = HeardPartials()
        var (all, present) = (0.0, 0)
        for k in 0..<count {
            all += weights[k + 1] * powers[k + 1]
            if isPresent(k + 1) { present += 1 }
        }
        guard all > 0 else { return heard }
        var (below, lower, square, fourth) = (0, 0.0, 0.0, 0.0)
        for k in 0..<count {
            let (power, number) = (weights[k + 1] * powers[k + 1], Double((k + 1) * (k + 1)))
            // With B every partial is where it should be; without, all that are heard have pulled at the fundamental.
            if inharmonicity == 0 || heard.first == 0 {
                square += number * power
                fourth += number * number * power
            }
            lower += power
            if isPresent(k + 1) { below += 1 }
            if heard.first == 0, below >= min(3, present), lower >= 0.75 * all { heard.first = max(2, k + 1) }
        }
        heard.meanSquare = fourth / square
        return heard
    }
}
