internal import Realtime

// Two strings of one pitch.
extension StrumRefinement {
    /// Whether a string has the pitch of the one before it.
    @_noLocks mutating func isFollower(_ string: Int) -> Bool {
        guard string > 0 else { return false }
        let ratio = fit.fundamentals.unsafeElements[string] / fit.fundamentals.unsafeElements[string - 1]
        // Not a third string of one pitch: it would follow a follower.
        return abs(ratio - 1) < 1e-3 && !isFollower(string - 1)
    }

    var hasFollowers: Bool {
        @_noLocks mutating get {
            for s in 0..<fit.layout.stringCount where isFollower(s) { return true }
            return false
        }
    }

    /// Looks for two strings where one has stood for both.
    @_noLocks mutating func split() {
        isSplit = true
        splitWindow = windowCount
        fit.place()
        for sweep in 0..<2 {
            for s in 0..<fit.layout.stringCount where isFollower(s) {
                if sweep == 0 { strings.courseLaws.unsafeElements[s] = bounded(fit.laws.unsafeElements[s - 1]) }
                search.split(&fit, s - 1, s, around: strings.courseLaws.unsafeElements[s])
            }
            if sweep == 0 { _ = reconsider(false) }
        }
        (step.detuningScatter, step.dampingScatter) = (0.1, 0.2)
    }

    /// A law that stands for two strings, less what their beats have done to it.
    @_noLocks private mutating func bounded(_ law: StringLaw) -> StringLaw {
        var law = law
        law.logDecay = max(
            prior.logDecay - prior.logDecayScatter, min(prior.logDecay + prior.logDecayScatter, law.logDecay))
        law.inharmonicity = max(
            0,
            min(
                prior.inharmonicity + prior.inharmonicityScatter,
                max(prior.inharmonicity - prior.inharmonicityScatter, law.inharmonicity)))
        return law
    }
}
