internal import CRealtime
internal import Realtime

// The inharmonicity of the note that is followed.
extension HarmonicDetector {
    /// What is known of B before a window is looked at.
    var stiffnessPrior: InharmonicityPrior {
        @_noLocks get { note.stiffness > 0 && !note.memory.isEmpty ? note.memory.prior : .broad() }
    }

    /// Where B ends for the note that is followed.
    var highestStiffness: Double {
        @_noLocks get {
            InharmonicityPrior.highest(at: note.fundamental * sizes.rate / (2 * .pi * Double(1 << note.level)))
        }
    }

    /// Takes in what a window says of B; returns whether the note counts as stiff.
    ///
    /// B is on while all that the note has told of it stands out of its error by more than three, and comes on by itself
    /// at five when the fit has reached it from nothing.
    @_noLocks mutating func updateStiffness(_ estimate: HarmonicEstimate, blocks count: Int) -> Bool {
        guard estimate.inharmonicityVariance > 0 else { return note.stiffness > 0 }
        let wasStiff = note.stiffness > 0
        // Beyond any string: the fit has run away.
        if estimate.inharmonicity > 0.95 * highestStiffness {
            note.memory = StiffnessMemory()
            note.stiffness = 0
            return false
        }
        // The fit without B is looked at every eighth hop only.
        let share = Double((wasStiff ? 1 : 8) * sizes.hop) / Double(count * blocks.length << note.level)
        let turn = Double(note.heard * note.heard * note.heard) * note.fundamental * Double(count * blocks.length) / 4
        // Out of reach of this step, it is no estimate of anything.
        guard abs(estimate.inharmonicity - note.stiffness) * turn < 1 else { return wasStiff }
        note.memory.add(estimate, after: stiffnessPrior, share: share)
        if note.memory.significance > (wasStiff ? 3 : 5) {
            note.stiffness = min(highestStiffness, max(1e-9, wasStiff ? estimate.inharmonicity : note.memory.mean))
            return true
        }
        if wasStiff { note.memory = StiffnessMemory() }
        note.stiffness = 0
        return false
    }

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

    /// 43 ms, 112 ms and 261 ms after the lock, and every third of a second from then on.
    @_noLocks func isDueForStiffness(blocks count: Int) -> Bool {
        guard note.partials >= 5, !note.wasMoving, note.apart == 0 else { return false }
        // A window that begins anew after a move is too short to tell.
        guard count * blocks.length << note.level >= 3 * sizes.middle / 4 else { return false }
        return note.age == 8 || note.age == 21 || note.age % 64 == 49
    }

    /// Looks for B from nothing: a few partials first, more as they come into reach.
    ///
    /// A B that is there already gives way only to one that leaves clearly less unexplained.
    @_noLocks mutating func searchStiffness(blocks count: Int) {
        let samples = count * blocks.length
        // Without B the upper partials look as if they were not there.
        var search = StiffnessSearch(
            samples: samples, most: note.partials, enough: max(5, note.heard), known: note.stiffness,
            highest: highestStiffness, heard: fits.long.pointee.heardPartials())
        var (w, b) = (note.fundamental, 0.0)
        var last = HarmonicEstimate()
        while let partials = search.next(fundamental: &w, inharmonicity: &b) {
            last = estimateStiffness(w, b, partials: partials, blocks: count)
            guard last.fundamentalVariance > 0 else { return }
            search.take(last, fundamental: &w, inharmonicity: &b)
        }
        guard search.isComplete, b > 0, b < 0.95 * highestStiffness, b * b > 36 * last.inharmonicityVariance else {
            if note.stiffness > 0 { dropStiffness(blocks: count) }
            return
        }
        let now = estimateStiffness(note.fundamental, note.stiffness, partials: search.partials, blocks: count)
        // Eight: what an unknown without effect comes to in one case of 200.
        guard last.residual < now.residual * rt_exp(-8 / Double(samples)) else { return }
        note.memory = StiffnessMemory()
        note.memory.add(last, after: .broad(), share: 1)
        (note.fundamental, note.stiffness) = (w, b)
        note.partials = partials(
            of: note.fundamental * sizes.rate / (2 * .pi * Double(1 << note.level)), level: note.level)
        measureBlocks(blocks.count, length: blocks.length)
    }

    /// Gives up a B that leaves more unexplained than none.
    @_noLocks private mutating func dropStiffness(blocks count: Int) {
        let now = estimateStiffness(note.fundamental, note.stiffness, partials: note.partials, blocks: count)
        var w = note.fundamental
        // Few partials first: they are close to where they were with B.
        let few = estimateStiffness(w, 0, partials: min(4, note.partials), blocks: count)
        guard few.constrainedVariance > 0 else { return }
        w = few.constrained
        let all = estimateStiffness(w, 0, partials: note.partials, blocks: count)
        guard all.constrainedVariance > 0 else { return }
        w = all.constrained
        let rigid = estimateStiffness(w, 0, partials: note.partials, blocks: count)
        guard rigid.residual < now.residual * rt_exp(-8 / Double(count * blocks.length)) else { return }
        note.memory = StiffnessMemory()
        (note.fundamental, note.stiffness) = (w, 0)
        measureBlocks(blocks.count, length: blocks.length)
    }

    /// One step from `w` and `b`, on the newest blocks.
    @_noLocks private mutating func estimateStiffness(
        _ w: Double, _ b: Double, partials: Int, blocks count: Int
    ) -> HarmonicEstimate {
        let fit = fits.short
        fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
        let off = abs(fit.pointee.gram.frequency.unsafeElements[partials] - blocks.frequency(of: partials))
        // Beyond what the blocks can be turned by, they are measured anew.
        if off * Double(blocks.length) / 2 > 0.5 {
            let before = note
            (note.fundamental, note.stiffness, note.partials) = (w, b, partials)
            measureBlocks(blocks.count, length: blocks.length)
            note = before
            fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
        }
        fit.pointee.gram.build(length: count * blocks.length)
        let energy = blocks.gather(count, into: fit)
        return fit.pointee.solve(energy: energy, prior: .broad(), decays: 1, least: 6)
    }
}
