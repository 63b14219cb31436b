internal import CRealtime
internal import Realtime
internal import Spectral

// The fit of a pitch that moves.
extension Moving {
    /// Fits the newest 21 ms, or 2.2 periods of a low note, in a time that is bent as the last fits say that it glides.
    ///
    /// A pitch that changes by 30 cents in a window turns its fortieth partial by more than a radian against a steady
    /// one, and a fit that expects it steady is off by several cents. Bent straight, all of its partials hold together.
    ///
    /// - Parameter samples: how many samples of the copy the fit rests on.
    @_noLocks mutating func fitGlide(_ samples: inout Int, _ analyzer: inout NoteAnalyzer) -> HarmonicEstimate {
        let (sizes, level) = (analyzer.sizes, note.tone.level)
        let period = 2 * Double.pi / note.tone.fundamental
        samples = max(sizes.short >> level, Int(rt_ceil(analyzer.constants.shortPeriods * period)))
        samples = min(samples, min(analyzer.bank.count(level), sizes.middle >> level))
        // Above 0.46 of a copy's rate the low-pass has left little. What is not fitted is noise to two periods, but six
        // hardly mind: 40 partials are enough for the notes of the widest copy, whose samples are many.
        let room = min((samples - 6) / 3, Int(0.46 * period))
        let most = max(1, min(note.tone.partials, min(40 * sizes.short / samples, room)))
        note.heard = min(note.heard, most)
        let expected = before + nextSlope
        let doubt = sizes.samples(analyzer.constants.unknownInterval)
        if note.clock.reaches(doubt / 2, every: note.tone.stiffness > 0 ? doubt : doubt / 2) {
            askStiffness(expected, samples: samples, &analyzer)
        }
        var w = expected
        // So few partials first that a guess which is off by as much as the last ones does not turn by half a radian.
        let few = max(3, Int(min(72, 1 / (max(surprise, 1e-9) * Double(samples)))))
        var estimate = HarmonicEstimate()
        if few < note.heard {
            let glide = glide(samples, sizes)
            estimate = analyzer.estimateGlide(w, note, stiffness: note.tone.stiffness, few, samples, glide: glide)
            guard estimate.constrainedVariance > 0 else { return estimate }
            w = HarmonicEstimate.step(from: w, to: estimate.constrained)
        }
        for _ in 0..<2 {
            estimate = fitBentOrStraight(w, samples: samples, &analyzer)
            guard estimate.constrainedVariance > 0 else { return estimate }
            let step = abs(estimate.constrained - w)
            w = HarmonicEstimate.step(from: w, to: estimate.constrained)
            if step * Double(note.heard * samples) / 2 < 0.3 { break }
        }
        estimate.constrained = w
        stray = abs(w - expected)
        // A surprise is forgotten within three steps: as long as the parabola of the last three fits holds it.
        surprise = max(stray, 0.7 * surprise)
        // A few more than are present, so that those that come in are found.
        note.heard = min(most, max(8, estimate.tone.highestPresent) + 4)
        isScattered = estimate.scatter > 0
        learnSlope(estimate)
        return estimate
    }

    /// Takes in the newest fit: the slope is that of a parabola through three, as far as it stands out of its error.
    @_noLocks private mutating func learnSlope(_ quick: HarmonicEstimate) {
        let (now, last, lastButOne) = (quick.constrained, before, twoBefore)
        (twoBefore, before) = (last, now)
        guard lastButOne > 0 else { return }
        let slope = 1.5 * now - 2 * last + 0.5 * lastButOne
        let next = slope + (now - 2 * last + lastButOne)
        // The squares of the three weights: 1.5² + 2² + 0.5².
        let error = 6.5 * quick.constrainedVariance + surprise * surprise
        let evidence = slope * slope / (slope * slope + error)
        (self.slope, nextSlope) = (slope * evidence, next * evidence)
    }

    /// The share by which the pitch changes per sample of the copy.
    @_noLocks func glide(_ samples: Int, _ sizes: NoteSizes) -> Double {
        // 5 % in half a window is faster than any hand.
        let fastest = 0.1 / Double(samples)
        let glide = nextSlope / (note.tone.fundamental * Double(sizes.step)) * Double(1 << note.tone.level)
        return min(fastest, max(-fastest, glide))
    }

    /// One step from `w`, in bent time or, where that explains no less, in straight time: a wrong slope that nothing
    /// corrects would make the next one more wrong.
    @_noLocks private mutating func fitBentOrStraight(
        _ w: Double, samples: Int, _ analyzer: inout NoteAnalyzer
    ) -> HarmonicEstimate {
        let b = note.tone.stiffness
        let straight = analyzer.estimateGlide(w, note, stiffness: b, note.heard, samples, glide: 0)
        let glide = glide(samples, analyzer.sizes)
        guard glide != 0 else { return straight }
        let bent = analyzer.estimateGlide(w, note, stiffness: b, note.heard, samples, glide: glide)
        if bent.explained > straight.explained { return bent }
        (slope, nextSlope) = (0, 0)
        return straight
    }
}

extension NoteAnalyzer {
    /// One step from `w` on the newest samples of a note's copy, in time that is bent by `glide` per sample.
    @_noLocks mutating func estimateGlide(
        _ w: Double, _ note: FollowedNote, stiffness b: Double, _ partials: Int, _ samples: Int, glide: Double,
        prior: InharmonicityPrior? = nil
    ) -> HarmonicEstimate {
        let fit = fits.short
        if fit.pointee.gram.length != samples || fit.pointee.gram.partialCount != partials
            || fit.pointee.gram.fundamental != w || fit.pointee.gram.inharmonicity != b
        {
            fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
            fit.pointee.gram.build(length: samples)
        }
        let energy = moments.measure(
            bank.latest(samples, of: note.tone.level), glide: glide, frequencies: fit.pointee.gram.frequency.start,
            count: partials + 1, into: rows.start)
        fit.pointee.setMoments(rows.start)
        return fit.pointee.solve(energy: energy, prior: prior, decays: note.isDecaying ? 1 : 0)
    }
}
