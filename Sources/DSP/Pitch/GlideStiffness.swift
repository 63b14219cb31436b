internal import Realtime
internal import Spectral

// The inharmonicity of a pitch that moves.
extension Moving {
    /// Looks whether the newest window speaks for another B than the note has: for none, or for one where there is none.
    ///
    /// In 21 ms the beats of a piano's strings let now the one, now the other explain a little more. A wrong B misplaces the
    /// upper partials, and leaves at least twice what the right one leaves.
    @_noLocks mutating func askStiffness(_ w: Double, samples: Int, _ analyzer: inout NoteAnalyzer) {
        if note.tone.stiffness > 0 {
            doubtStiffness(w, samples: samples, &analyzer)
        } else if note.isDecaying, isScattered, note.heard >= 3 {
            // What is driven (by a bow, by breath) is harmonic; what decays need not be. Two partials always hold together
            // with some B.
            seekStiffness(w, samples: samples, &analyzer)
        }
    }

    /// Gives up a B that leaves twice as much unexplained as none: what glides may look stiff before it is known to glide.
    @_noLocks private mutating func doubtStiffness(_ w: Double, samples: Int, _ analyzer: inout NoteAnalyzer) {
        let glide = glide(samples, analyzer.sizes)
        let stiff = analyzer.estimateGlide(
            w, note, stiffness: note.tone.stiffness, note.heard, samples, glide: glide)
        var rigid = w
        var last = HarmonicEstimate()
        // Few partials first: they are close to where they were with B.
        for step in 0..<3 {
            let partials = step == 0 ? min(4, note.heard) : note.heard
            last = analyzer.estimateGlide(rigid, note, stiffness: 0, partials, samples, glide: glide)
            guard last.constrainedVariance > 0 else { return }
            rigid = HarmonicEstimate.step(from: rigid, to: last.constrained)
        }
        guard last.residual <= analyzer.constants.clearerStiffness * stiff.residual else { return }
        note.memory = StiffnessMemory()
        (note.tone.fundamental, note.tone.stiffness) = (rigid, 0)
        analyzer.measureBlocks(analyzer.blocks.count, length: analyzer.blocks.length, of: note.tone)
    }

    /// Looks for B from nothing where the partials do not hold together without one.
    ///
    /// A string whose upper partials fade seems to fall while its B is not known, and would be looked upon as moving for as
    /// long as they fade.
    @_noLocks private mutating func seekStiffness(_ w0: Double, samples: Int, _ analyzer: inout NoteAnalyzer) {
        let glide = glide(samples, analyzer.sizes)
        let rigid = analyzer.estimateGlide(w0, note, stiffness: 0, note.heard, samples, glide: glide)
        guard rigid.constrainedVariance > 0 else { return }
        let highest = InharmonicityPrior.highest(at: note.frequency(analyzer))
        var search = StiffnessSearch(
            samples: samples, most: note.heard, enough: max(5, note.heard), highest: highest,
            heard: rigid.tone.heardPartials())
        var (w, b) = (HarmonicEstimate.step(from: w0, to: rigid.constrained), 0.0)
        var last = HarmonicEstimate()
        while let partials = search.next(fundamental: &w, inharmonicity: &b) {
            last = analyzer.estimateGlide(
                w, note, stiffness: b, partials, samples, glide: glide, prior: .broad())
            guard last.fundamentalVariance > 0 else { return }
            search.take(last, fundamental: &w, inharmonicity: &b)
        }
        // Six standard errors, as in a long window: up to 40 values of B are tried.
        guard search.isComplete, b > 0, !InharmonicityPrior.isBeyond(b, highest: highest),
            b * b > 36 * last.inharmonicityVariance,
            last.residual <= analyzer.constants.clearerStiffness * rigid.residual
        else {
            suspected = 0
            return
        }
        // A string's B stays: two windows that do not overlap must find it, each to a fifth. What a voice or a bow does to its
        // upper partials in one window is gone in the next.
        let isSame = abs(b - suspected) < 0.4 * b
        suspected = b
        guard isSame else { return }
        note.memory = StiffnessMemory()
        note.memory.add(last, after: .broad(), share: 1)
        (note.tone.fundamental, note.tone.stiffness) = (w, b)
        // The fits so far took the upper partials for whole multiples: another pitch.
        restart(from: w)
        analyzer.measureBlocks(analyzer.blocks.count, length: analyzer.blocks.length, of: note.tone)
    }
}
