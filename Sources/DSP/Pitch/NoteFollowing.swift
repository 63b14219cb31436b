internal import CRealtime
internal import Realtime
internal import Spectral

// Following a note: only its newest block is met, the window is put together from blocks.
extension HarmonicDetector {
    /// Starts to follow a note that was found.
    @_noLocks mutating func lock(_ found: Found, from start: Int) {
        note.heard = min(found.partials, max(8, fits.short.pointee.highestPartial(over: 7)))
        note.partials = partials(of: found.frequency, level: found.level)
        if abs(found.fundamental / note.fundamental - 1) > 0.02 || found.level != note.level {
            note.memory = StiffnessMemory()
        }
        if found.stiffness > 0 { note.memory.add(found.estimate, after: .broad(), share: 1) }
        note.level = found.level
        note.fundamental = found.fundamental
        note.stiffness = found.stiffness
        note.isLocked = true
        (note.age, note.doubts, note.moving) = (0, 0, 0)
        // As far as is known.
        note.smoothness = Int(0.1 * sizes.rate)
        forgetSlope()
        let length = sizes.blockLength(level: found.level)
        let count = min(count(of: found.level, since: start), sizes.middle >> found.level) / length
        note.blockEnd = bank.count(found.level)
        measureBlocks(count, length: length)
    }

    /// Measures the newest `count` blocks anew, at the note's own frequencies.
    @_noLocks mutating func measureBlocks(_ count: Int, length: Int) {
        let fit = fits.long
        fit.pointee.gram.tune(fundamental: note.fundamental, inharmonicity: note.stiffness, partials: note.partials)
        blocks.start(fit.pointee.gram.frequency.unsafeElements, partials: note.partials, length: length)
        let behind = bank.count(note.level) - note.blockEnd
        let samples = bank.latest(count * length + behind, of: note.level)
        for b in 0..<count {
            blocks.append(UnsafeMutableBufferPointer(rebasing: samples[(b * length)..<((b + 1) * length)]))
        }
    }

    /// Takes in the newest hop; unlocks when the note has gone.
    @_noLocks mutating func follow() {
        note.age += 1
        appendBlocks()
        guard isStillThere() else {
            note.isLocked = false
            return
        }
        let length = blocks.length
        let period = 2 * Double.pi / note.fundamental
        let shortSamples = max(Double(sizes.short >> note.level), 2.2 * period)
        let short = min(blocks.count, max(2, Int(rt_ceil(shortSamples / Double(length)))))
        blocks.shorten(to: max(short, sizes.long / ((1 << note.level) * length)))
        // A note at rest is fitted every second hop, and asked in between whether it moves.
        let isAtRest = note.age > 8 && note.moving == 0 && !note.wasMoving && note.apart == 0
        let isWatched = !isAtRest || note.age % 2 == 0
        var quick = HarmonicEstimate()
        if isWatched {
            var samples = short * length
            if note.wasMoving {
                quick = fitGlide(&samples)
            } else {
                quick = refine(
                    fits.short, blocks: short, partials: note.heard, freeStiffness: false,
                    decays: note.isDecaying ? 1 : 0)
            }
            guard quick.constrainedVariance > 0 else {
                note.isLocked = false
                return
            }
            // Each amplitude explains a sample even of noise.
            let free = Double(samples - 2 * fits.short.pointee.gram.partialCount - 3) / Double(samples)
            note.explained = 1 - (1 - quick.explained) / max(0.1, free)
        }
        if note.moving > 0 {
            note.moving -= 1
            blocks.shorten(to: short)
            tellMoving(quick)
        } else {
            if !isAtRest || note.age % 2 == 1 { fitLong() }
            guard note.isLocked else { return }
            settle(quick: isWatched ? quick : nil, blocks: short)
        }
    }

    /// Fits the long window, and leaves in `note` what it says.
    @_noLocks private mutating func fitLong() {
        let all = grown(blocks.count)
        if isDueForStiffness(blocks: all) { searchStiffness(blocks: all) }
        // B and decay are looked for now and then, and followed once they are found.
        let isStiffnessFree =
            note.partials >= 5 && !note.wasMoving && (note.stiffness > 0 || note.age % 8 == 1 || note.age < 4)
        let isDecayFree = note.isDecaying || note.age % 8 == 3
        let slow = refine(
            fits.long, blocks: all, partials: note.partials, freeStiffness: isStiffnessFree, decays: isDecayFree ? 2 : 0
        )
        guard slow.constrainedVariance > 0, !isFractionOfOneLine(fits.long, level: note.level) else {
            note.isLocked = false
            return
        }
        let samples = Double(all * blocks.length)
        // What began as the wrong octave shows in a longer window.
        if note.age < 64 || note.age % 64 < 2, isUnderAnother(noise: slow.residual / samples) {
            note.isLocked = false
            return
        }
        note.strength = 1 - (1 - slow.explained) * samples / max(samples / 8, samples - Double(2 * note.partials + 5))
        // Two unknowns without effect come to 2 on average, and to 14 in one case of a thousand.
        if isDecayFree { note.isDecaying = slow.decayEvidence > (note.isDecaying ? 8 : 14) }
        // A partial that is not there only costs certainty: 7 times the average leaves one empty one in a thousand.
        note.heard = fits.long.pointee.highestPartial(over: 7)
        if note.age % 16 == 9 {
            note.partials = min(note.partials, max(8, fits.long.pointee.highestPartial(over: 4) + 2))
            blocks.limit(partials: note.partials)
        }
        note.slow = (slow.constrained, slow.constrainedVariance, all)
        if isStiffnessFree, updateStiffness(slow, blocks: all) {
            let w = slow.fundamental
            note.slow.fundamental = w
            note.slow.variance =
                slow.fundamentalVariance + w * slow.covariance + w * w / 4 * slow.inharmonicityVariance
        }
        if note.stiffness > 0 {
            note.looseness = 0
        } else if isStiffnessFree {
            // By a tenth of a second B has been looked for in windows that tell it.
            note.looseness =
                note.age < 21 ? looseness(slow, fundamental: slow.constrained, highest: highestStiffness) : 0
        }
    }

    /// Tells the long window's pitch, or the short one's where the two disagree.
    @_noLocks private mutating func settle(quick: HarmonicEstimate?, blocks short: Int) {
        let (w, variance, all) = note.slow
        if let quick {
            let apart = 1_731.234 * abs(quick.constrained / w - 1)
            let chance = 1_731.234 * rt_sqrt(quick.constrainedVariance * bank.noiseDensity(note.level)) / w
            note.apart = all > short && apart > max(5 * chance, 0.5) ? note.apart + 1 : 0
            if note.apart >= 2 {
                if !note.wasMoving {
                    forgetSlope()
                    note.before = quick.constrained
                }
                (note.apart, note.wasMoving) = (0, true)
                // 120 ms: longer than the turning point of a slow vibrato looks still.
                note.moving = Int(0.12 * sizes.rate) / sizes.hop
                blocks.shorten(to: short)
            }
            // Just come to rest, the long window is not long enough yet to be worth a change.
            if note.moving > 0 || (note.wasMoving && (all < 2 * short || note.apart > 0)) {
                tellMoving(quick)
                return
            }
        }
        note.wasMoving = false
        tell(w, variance: variance, samples: all * blocks.length)
    }

    /// How many of the newest blocks to fit: every new length is a new set of normal equations, so that the window grows
    /// in steps of an eighth to a quarter.
    @_noLocks private func grown(_ count: Int) -> Int {
        let longest = sizes.long / ((1 << note.level) * blocks.length)
        if count >= longest { return longest }
        var step = 1
        while 8 * step <= count { step *= 2 }
        return count - count % step
    }

    @_noLocks private mutating func appendBlocks() {
        let length = blocks.length
        while bank.count(note.level) - note.blockEnd >= length {
            let behind = bank.count(note.level) - note.blockEnd
            let samples = bank.latest(behind, of: note.level)
            blocks.append(UnsafeMutableBufferPointer(rebasing: samples[0..<length]))
            note.blockEnd += length
        }
    }

    /// Leaves a reading that rests on `samples` samples of the copy.
    @_noLocks mutating func tell(_ w: Double, variance: Double, samples: Int) {
        let scale = sizes.rate / (2 * .pi * Double(1 << note.level))
        let stretch = rt_sqrt(1 + note.stiffness)
        note.fundamental = w
        note.frequency = w * stretch * scale
        note.inharmonicity = note.stiffness
        let isStiff = note.stiffness > 0 && note.moving == 0
        note.periodicity = isStiff ? fits.long.pointee.repetition() * scale : note.frequency
        let chance = max(0, variance * bank.noiseDensity(note.level))
        note.standardError = 1_731.234 * rt_sqrt(chance + (note.stiffness > 0 ? 0 : note.looseness)) / w
        note.window = (samples << note.level) * sizes.base
        let error = 1_731.234 * rt_sqrt(chance) / w
        note.count(note.frequency, standardError: error, most: 2 * steadyHops)
        note.smoothness = isSmooth(w, standardError: error) ? note.smoothness + 1 : 0
        let isClear = note.clarity >= 0.85 || (note.clarity > 0.6 && note.explained > 0.9)
        // A tenth of a second: noise of 10 Hz and more has turned by then.
        let isLasting = Double(note.smoothness * sizes.hop) >= 0.1 * sizes.rate
        note.isVoiced = isClear && isLasting || isSteady(level: note.level)
    }

    /// Whether the pitch goes on as it was about to; asked of a lone line only.
    ///
    /// Noise in a narrow band is a line to a short window, but fades and wanders off within the inverse of its bandwidth.
    /// A tone does not fade, and a vibrato and a glide stay on the parabola of the last three fits: within a few cents
    /// even where it is ±100 cents wide at 7 Hz. Partials that hold together are evidence enough.
    @_noLocks private func isSmooth(_ w: Double, standardError: Double) -> Bool {
        if note.heard > 1 { return true }
        guard note.explained > 0.85 else { return false }
        // Two fits make no parabola.
        guard note.moving > 0, note.twoBefore > 0 else { return true }
        return 1_731.234 * note.stray / w < max(8, 4 * standardError)
    }

    /// Fits the newest `count` blocks, from where the note is now; twice when the first step was a long one.
    @_noLocks private mutating func refine(
        _ fit: UnsafeMutablePointer<HarmonicFit>, blocks count: Int, partials: Int, freeStiffness: Bool, decays: Int
    ) -> HarmonicEstimate {
        var (w, b) = (note.fundamental, note.stiffness)
        var estimate = HarmonicEstimate()
        for _ in 0..<2 {
            let samples = count * blocks.length
            let reach = Double(partials) * Double(samples) / 2
            let isNear =
                abs(w - fit.pointee.gram.fundamental) * reach < 0.2
                && abs(b - fit.pointee.gram.inharmonicity) * w * reach * Double(partials * partials) / 2 < 0.2
            if !isNear || fit.pointee.gram.length != samples || fit.pointee.gram.partialCount != partials {
                fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
                let off = abs(fit.pointee.gram.frequency.unsafeElements[partials] - blocks.frequency(of: partials))
                if off * Double(blocks.length) / 2 > 0.25 {
                    (note.fundamental, note.stiffness) = (w, b)
                    measureBlocks(blocks.count, length: blocks.length)
                    fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
                }
                fit.pointee.gram.build(length: samples)
            }
            let energy = blocks.gather(count, into: fit)
            let prior = freeStiffness ? stiffnessPrior : nil
            // The long window knows best which partials are there.
            let weights =
                fit == fits.short && fits.long.pointee.gram.length > samples ? fits.long.pointee.weight.base : nil
            estimate = fit.pointee.solve(
                energy: energy, prior: prior, decays: decays, weights: weights, least: freeStiffness ? 6 : 2.5)
            guard estimate.constrainedVariance > 0 else { return estimate }
            let isStiff = freeStiffness && note.stiffness > 0
            let next = isStiff ? estimate.fundamental : estimate.constrained
            if abs(next - fit.pointee.gram.fundamental) * reach < 0.3 { break }
            w = min(1.02 * w, max(0.98 * w, next))
            if isStiff { b = min(highestStiffness, max(0, estimate.inharmonicity)) }
        }
        return estimate
    }

    /// Asks the normalised difference, now and then, whether the note still sounds.
    @_noLocks private mutating func isStillThere() -> Bool {
        // Every fourth hop (21 ms), and at once when there is doubt.
        if note.age % 4 != 2 && note.doubts == 0 { return true }
        let length = min(bank.count(0) - onset, sizes.middle)
        let frequency = note.fundamental * sizes.rate / (2 * .pi * Double(1 << note.level))
        // 40 samples a period are enough to see whether it is still the same; a low note needs no fast copy for that.
        var level = 2
        while level > 0 && frequency * Double(40 << level) > sizes.rate { level -= 1 }
        // A clear high note shows in a part of the window already.
        let brief = max(sizes.short, Int(12 * sizes.rate / frequency))
        if brief < length, isRepeating(at: frequency, samples: brief, level: level), note.clarity > 0.9 {
            note.doubts = 0
            return true
        }
        if isRepeating(at: frequency, samples: length, level: level) {
            note.doubts = 0
            return true
        }
        guard candidates.highest >= 0.3, let first = candidates.first else { return false }
        // A multiple of the period may score higher by chance: the fits decide, as they did at first.
        let chosen = chooseOctave(first: first, from: bank.count(0) - length)
        if abs(chosen / frequency - 1) < 0.03 {
            note.doubts = 0
            return true
        }
        note.doubts += 1
        return note.doubts < 2
    }

    /// Whether the first period of the newest `length` samples is that of a frequency; leaves the clarity.
    @_noLocks private mutating func isRepeating(at frequency: Double, samples length: Int, level: Int) -> Bool {
        candidates.find(
            bank.latest(min(length >> level, bank.count(level)), of: level), every: 1 << level,
            shortest: sizes.rate / PitchRange.highest(), longest: sizes.rate / PitchRange.lowest())
        note.clarity = candidates.highest
        guard candidates.highest >= 0.3, let first = candidates.first else { return false }
        return abs(candidates.lag(first) * frequency / sizes.rate - 1) < 0.03
    }
}
