internal import CRealtime
internal import Realtime
internal import Spectral

// Following a note whose pitch moves: vibrato, glides and bends.
extension HarmonicDetector {
    /// Fits the newest 21 ms, or 2.2 periods of a low note, in a time that is bent as the last fits say that it glides.
    ///
    /// A pitch that changes by 30 cents in a window turns its fortieth partial by more than a radian against a steady
    /// one, and a fit that expects it steady is off by several cents. Bent straight, all of its partials hold together.
    ///
    /// - Parameter samples: how many samples of the copy the fit rests on.
    @_noLocks mutating func fitGlide(_ samples: inout Int) -> HarmonicEstimate {
        let period = 2 * Double.pi / note.fundamental
        samples = max(sizes.short >> note.level, Int(rt_ceil(2.2 * period)))
        samples = min(samples, min(bank.count(note.level), sizes.middle >> note.level))
        // Above 0.46 of a copy's rate the low-pass has left little. What is not fitted is noise to two periods, but six
        // hardly mind: 40 partials are enough for the notes of the widest copy, whose samples are many.
        let room = min((samples - 6) / 3, Int(0.46 * period))
        let most = max(1, min(note.partials, min(40 * sizes.short / samples, room)))
        note.heard = min(note.heard, most)
        let expected = note.before > 0 ? note.before + note.nextSlope : note.fundamental
        if note.stiffness > 0, note.moving % 8 == 4 { doubtStiffness(expected, samples: samples) }
        var w = expected
        // As few partials first as a guess that is off by as much as the last ones were does not turn by half a radian.
        let few = max(3, Int(min(72, 1 / (max(note.surprise, 1e-9) * Double(samples)))))
        var estimate = HarmonicEstimate()
        if few < note.heard {
            estimate = estimateGlide(w, note.stiffness, partials: few, samples: samples, glide: glide(samples))
            guard estimate.constrainedVariance > 0 else { return estimate }
            w = min(1.02 * w, max(0.98 * w, estimate.constrained))
        }
        for _ in 0..<2 {
            estimate = fitBentOrStraight(w, samples: samples)
            guard estimate.constrainedVariance > 0 else { return estimate }
            let step = abs(estimate.constrained - w)
            w = min(1.02 * w, max(0.98 * w, estimate.constrained))
            if step * Double(note.heard * samples) / 2 < 0.3 { break }
        }
        estimate.constrained = w
        note.stray = abs(w - expected)
        note.surprise = max(abs(w - expected), 0.7 * note.surprise)
        // A few more than are heard, so that those that come in are found.
        note.heard = min(most, max(8, fits.short.pointee.highestPartial(over: 7)) + 4)
        learnSlope(estimate)
        return estimate
    }

    /// Tells where a moving pitch was 10 ms ago, whatever the window and the copy it is seen through.
    ///
    /// A low note needs a longer window and a slower copy, so that it is seen later. The difference is made up for along
    /// the line through the last fits.
    @_noLocks mutating func tellMoving(_ quick: HarmonicEstimate) {
        let samples = fits.short.pointee.gram.length
        let delay = Double(samples << note.level) / 2 + (note.level > 0 ? Double(9 << note.level) : 0)
        // 10 ms: what the shortest window alone comes close to, and all notes can be led to.
        let late = max(0, min(2, (delay - 0.01 * sizes.rate) / Double(sizes.hop)))
        note.smooth.add(
            quick.constrained, innovation: note.innovation, hop: Double(sizes.hop) / sizes.rate,
            overlap: hopsPerWindow(samples))
        // The parabola through three fits where they are sure, the filter's slope where they are not.
        let slope = note.smooth.slope + note.smooth.gain * (note.slope - note.smooth.slope)
        tell(
            note.smooth.fundamental + late * slope, variance: quick.constrainedVariance, scatter: quick.scatter,
            samples: samples)
    }

    /// Forgets how the pitch has moved.
    @_noLocks mutating func forgetSlope() {
        (note.before, note.twoBefore, note.slope, note.nextSlope) = (0, 0, 0, 0)
        // Half a quarter tone.
        note.surprise = 0.015 * note.fundamental
    }

    /// Takes in the newest fit: the slope is that of a parabola through three, as far as it stands out of its error.
    @_noLocks private mutating func learnSlope(_ quick: HarmonicEstimate) {
        let (now, before, twoBefore) = (quick.constrained, note.before, note.twoBefore)
        (note.twoBefore, note.before) = (before, now)
        guard twoBefore > 0 else { return }
        let slope = 1.5 * now - 2 * before + 0.5 * twoBefore
        let next = slope + (now - 2 * before + twoBefore)
        let error = 6.5 * quick.constrainedVariance + note.surprise * note.surprise
        let evidence = slope * slope / (slope * slope + error)
        (note.slope, note.nextSlope) = (slope * evidence, next * evidence)
    }

    /// The share by which the pitch changes per sample of the copy.
    @_noLocks private func glide(_ samples: Int) -> Double {
        // 5 % in half a window is faster than any hand.
        let fastest = 0.1 / Double(samples)
        let glide = note.nextSlope / (note.fundamental * Double(sizes.hop)) * Double(1 << note.level)
        return min(fastest, max(-fastest, glide))
    }

    /// One step from `w`, in bent time or, where that explains no less, in straight time: a wrong slope that nothing
    /// corrects would make the next one more wrong.
    @_noLocks private mutating func fitBentOrStraight(_ w: Double, samples: Int) -> HarmonicEstimate {
        let straight = estimateGlide(w, note.stiffness, partials: note.heard, samples: samples, glide: 0)
        let glide = glide(samples)
        guard glide != 0 else { return straight }
        let bent = estimateGlide(w, note.stiffness, partials: note.heard, samples: samples, glide: glide)
        if bent.explained > straight.explained { return bent }
        (note.slope, note.nextSlope) = (0, 0)
        return straight
    }

    /// One step from `w` and `b` on the newest samples, in bent time.
    @_noLocks private mutating func estimateGlide(
        _ w: Double, _ b: Double, partials: Int, samples: Int, glide: Double
    ) -> HarmonicEstimate {
        let fit = fits.short
        if fit.pointee.gram.length != samples || fit.pointee.gram.partialCount != partials
            || fit.pointee.gram.fundamental != w || fit.pointee.gram.inharmonicity != b
        {
            fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
            fit.pointee.gram.build(length: samples)
        }
        let energy = moments.measure(
            bank.latest(samples, of: note.level), glide: glide, frequencies: fit.pointee.gram.frequency.base,
            count: partials + 1, into: rows.base)
        fit.pointee.setMoments(rows.base)
        return fit.pointee.solve(energy: energy, prior: nil, decays: note.isDecaying ? 1 : 0)
    }

    /// Gives up a B that explains no more than none: what glides may look stiff before it is known to glide.
    @_noLocks private mutating func doubtStiffness(_ w: Double, samples: Int) {
        let glide = glide(samples)
        let stiff = estimateGlide(w, note.stiffness, partials: note.heard, samples: samples, glide: glide)
        var rigid = w
        var last = HarmonicEstimate()
        // Few partials first: they are close to where they were with B.
        for step in 0..<3 {
            let partials = step == 0 ? min(4, note.heard) : note.heard
            last = estimateGlide(rigid, 0, partials: partials, samples: samples, glide: glide)
            guard last.constrainedVariance > 0 else { return }
            rigid = min(1.02 * rigid, max(0.98 * rigid, last.constrained))
        }
        guard last.residual <= stiff.residual else { return }
        note.memory = StiffnessMemory()
        (note.fundamental, note.stiffness) = (rigid, 0)
        measureBlocks(blocks.count, length: blocks.length)
    }
}
