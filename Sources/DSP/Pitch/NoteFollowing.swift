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
        (note.innovation, note.lastQuick) = (PitchInnovation(), 0)
        (note.smooth, note.departure) = (MovingPitch(found.fundamental), 0)
        // As far as is known.
        note.smoothness = Int(0.1 * sizes.rate)
        forgetSlope()
        let length = sizes.blockLength(level: found.level)
        let count = min(count(of: found.level, since: start), sizes.middle >> found.level) / length
        note.blockEnd = bank.count(found.level)
        measureBlocks(count, length: length)
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
            let bound = quick.constrainedVariance * bank.noiseDensity(note.level)
            note.innovation.add(
                quick.constrained, bound: bound / (quick.constrained * quick.constrained),
                hops: note.age - note.lastQuick, overlap: hopsPerWindow(samples), share: memoryShare)
            note.lastQuick = note.age
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
        note.slowScatter = slow.scatter
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
            note.innovation.add(
                difference: quick.constrained / w - 1, bound: chance * chance / (1_731.234 * 1_731.234), hops: 2,
                share: memoryShare)
            if note.apart >= 2 {
                if !note.wasMoving {
                    forgetSlope()
                    note.before = quick.constrained
                    note.smooth = MovingPitch(quick.constrained)
                }
                note.innovation.forgetDifference()
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
        if note.wasMoving { note.departure = note.smooth.fundamental / w - 1 }
        note.wasMoving = false
        tell(w, variance: variance, scatter: note.slowScatter, samples: all * blocks.length)
    }

    /// A hop's share of the memory of `PitchInnovation`.
    var memoryShare: Double { @_noLocks get { Double(sizes.hop) / (PitchInnovation.memory * sizes.rate) } }

    /// Hops per window of `samples` of the note's copy.
    @_noLocks func hopsPerWindow(_ samples: Int) -> Double { Double(samples << note.level) / Double(sizes.hop) }
}
