internal import CRealtime
internal import Realtime
internal import Spectral

// The inharmonicity of the note that is followed.
extension FollowedNote {
    /// What is known of B before a window is looked at.
    var stiffnessPrior: InharmonicityPrior {
        @_noLocks get { tone.stiffness > 0 && !memory.isEmpty ? memory.prior : .broad() }
    }

    /// Takes in what a window says of B; returns whether the note counts as stiff.
    ///
    /// B is on while all that the note has told of it stands out of its error by more than three, and comes on by itself
    /// at five when the fit has reached it from nothing.
    @_noLocks mutating func updateStiffness(
        _ estimate: HarmonicEstimate, blocks count: Int, _ analyzer: borrowing NoteAnalyzer
    ) -> Bool {
        guard estimate.inharmonicityVariance > 0 else { return tone.stiffness > 0 }
        let highest = InharmonicityPrior.highest(at: frequency(analyzer))
        let wasStiff = tone.stiffness > 0
        if InharmonicityPrior.isBeyond(estimate.inharmonicity, highest: highest) {
            memory = StiffnessMemory()
            tone.stiffness = 0
            return false
        }
        let samples = count * analyzer.blocks.length
        // How much of the window is new: since the last fit, and since the last look where there is no B yet.
        let elapsed = wasStiff ? analyzer.sizes.stepTime : analyzer.constants.unknownInterval
        let share = elapsed * analyzer.sizes.rate / Double(samples << tone.level)
        let turn = Double(heard * heard * heard) * tone.fundamental * Double(samples) / 4
        // Out of reach of this step, it is no estimate of anything.
        guard abs(estimate.inharmonicity - tone.stiffness) * turn < 1 else { return wasStiff }
        memory.add(estimate, after: stiffnessPrior, share: share)
        if memory.significance > (wasStiff ? 3 : 5) {
            tone.stiffness = min(highest, max(1e-9, wasStiff ? estimate.inharmonicity : memory.mean))
            return true
        }
        if wasStiff { memory = StiffnessMemory() }
        tone.stiffness = 0
        return false
    }

    /// Whether B is searched for, `last` being the time of the last long fit: 43, 112 and 261 ms after the lock, and every
    /// third of a second later; four times as often where what decays has none and its partials do not hold together.
    @_noLocks func isDueForStiffness(
        blocks count: Int, isScattered: Bool, since last: Int, _ analyzer: borrowing NoteAnalyzer
    ) -> Bool {
        let (sizes, constants) = (analyzer.sizes, analyzer.constants)
        // A window that begins anew after a move is too short to tell.
        guard tone.partials >= 5, count * analyzer.blocks.length << tone.level >= 3 * sizes.middle / 4 else {
            return false
        }
        let often = sizes.samples(constants.searchInterval) / 4
        if isScattered, isDecaying, tone.stiffness == 0, clock.reaches(often, every: often, since: last) { return true }
        return clock.reaches(sizes.samples(constants.firstSearch), since: last)
            || clock.reaches(sizes.samples(constants.secondSearch), since: last)
            || clock.reaches(
                sizes.samples(constants.laterSearch), every: sizes.samples(constants.searchInterval), since: last)
    }

    /// Looks for B from nothing: a few partials first, more as they come into reach.
    ///
    /// A B that is there already gives way only to one that leaves clearly less unexplained.
    @_noLocks mutating func searchStiffness(
        blocks count: Int, heard: HeardPartials, _ analyzer: inout NoteAnalyzer
    ) {
        let samples = count * analyzer.blocks.length
        let highest = InharmonicityPrior.highest(at: frequency(analyzer))
        // Without B the upper partials look as if they were not there.
        var search = StiffnessSearch(
            samples: samples, most: tone.partials, enough: max(5, self.heard), known: tone.stiffness, highest: highest,
            heard: heard)
        var (w, b) = (tone.fundamental, 0.0)
        var last = HarmonicEstimate()
        while let partials = search.next(fundamental: &w, inharmonicity: &b) {
            last = analyzer.estimateStiffness(w, b, partials: partials, blocks: count, tone)
            guard last.fundamentalVariance > 0 else { return }
            search.take(last, fundamental: &w, inharmonicity: &b)
        }
        // Six standard errors: up to 40 values of B are tried, on partials of any kind of noise.
        guard search.isComplete, b > 0, !InharmonicityPrior.isBeyond(b, highest: highest),
            b * b > 36 * last.inharmonicityVariance
        else {
            if tone.stiffness > 0 { dropStiffness(blocks: count, &analyzer) }
            return
        }
        let now = analyzer.estimateStiffness(
            tone.fundamental, tone.stiffness, partials: search.partials, blocks: count, tone)
        // Eight: what an unknown without effect comes to in one case of 200.
        guard last.residual < now.residual * rt_exp(-8 / Double(samples)) else { return }
        memory = StiffnessMemory()
        memory.add(last, after: .broad(), share: 1)
        (tone.fundamental, tone.stiffness) = (w, b)
        tone.partials = analyzer.partials(of: frequency(analyzer), level: tone.level)
        analyzer.measureBlocks(analyzer.blocks.count, length: analyzer.blocks.length, of: tone)
    }

    /// Gives up a B that leaves more unexplained than none.
    @_noLocks private mutating func dropStiffness(blocks count: Int, _ analyzer: inout NoteAnalyzer) {
        let now = analyzer.estimateStiffness(
            tone.fundamental, tone.stiffness, partials: tone.partials, blocks: count, tone)
        var w = tone.fundamental
        var rigid = HarmonicEstimate()
        // Few partials first: they are close to where they were with B.
        for trial in 0..<3 {
            let partials = trial == 0 ? min(4, tone.partials) : tone.partials
            rigid = analyzer.estimateStiffness(w, 0, partials: partials, blocks: count, tone)
            guard rigid.constrainedVariance > 0 else { return }
            w = rigid.constrained
        }
        guard rigid.residual < now.residual * rt_exp(-8 / Double(count * analyzer.blocks.length)) else { return }
        memory = StiffnessMemory()
        (tone.fundamental, tone.stiffness) = (w, 0)
        analyzer.measureBlocks(analyzer.blocks.count, length: analyzer.blocks.length, of: tone)
    }
}

extension NoteAnalyzer {
    /// The variance that a B which may be there adds to the first partial of a fit without one.
    ///
    /// The fit without B lies dω/dB - w/2 off per unit of B, and B² is expected to be what the window says of it and,
    /// as far as that is uncertain, what strings have: a tenth of the highest. `estimate` is of a fit with B at 0.
    @_noLocks func looseness(_ estimate: HarmonicEstimate, fundamental w: Double, highest: Double) -> Double {
        let (variance, broad) = (estimate.inharmonicityVariance, InharmonicityPrior.broad())
        guard variance > 0 else { return 0 }
        let own = max(0, 1 / variance - 1 / broad.variance)
        let precision = own + 100 / (highest * highest)
        let told = (estimate.inharmonicity / variance - broad.value / broad.variance) / precision
        let mean = own > 0 ? max(0, min(highest, told)) : 0
        let slope = estimate.covariance / variance + w / 2
        return slope * slope * (mean * mean + 1 / precision)
    }

    /// One step from `w` and `b`, on the newest blocks of a tone.
    @_noLocks mutating func estimateStiffness(
        _ w: Double, _ b: Double, partials: Int, blocks count: Int, _ tone: FollowedTone
    ) -> HarmonicEstimate {
        let fit = fits.short
        fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
        let off = abs(fit.pointee.gram.frequency.unsafeElements[partials] - blocks.frequency(of: partials))
        // Beyond what the blocks can be turned by, they are measured anew.
        if off * Double(blocks.length) / 2 > 0.5 {
            var moved = tone
            (moved.fundamental, moved.stiffness, moved.partials) = (w, b, partials)
            measureBlocks(blocks.count, length: blocks.length, of: moved)
            fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
        }
        fit.pointee.gram.build(length: count * blocks.length)
        let energy = blocks.gather(count, into: fit)
        return fit.pointee.solve(energy: energy, prior: .broad(), decays: 1, least: HarmonicFit.leastStiffPower)
    }
}
