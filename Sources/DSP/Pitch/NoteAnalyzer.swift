internal import Music
internal import Realtime
internal import Spectral

/// What measures notes: the copies of the sound, and the memory in which periods are found and fits are made.
///
/// It knows nothing about the note that sounds: each function takes what it needs and returns what it found.
struct NoteAnalyzer: ~Copyable, Sendable {
    let sizes: NoteSizes
    let constants: PitchConstants
    var bank: DecimationBank
    var candidates: PeriodCandidates
    var moments: PartialMoments
    var blocks: PartialBlocks
    let fits = HarmonicFits()
    let rows = SampleBuffer<Float>(count: 6 * PartialMoments.stride)

    init(sizes: NoteSizes, constants: PitchConstants, step: Int) throws(PitchError) {
        (self.sizes, self.constants) = (sizes, constants)
        let candidates = try PeriodCandidates(
            longestWindow: sizes.middle, longestLag: Int(sizes.rate / PitchRange.lowest()) + 2)
        self.candidates = candidates
        bank = DecimationBank(
            base: sizes.base, levelCount: NoteSizes.levelCount, length: (sizes.long + 2 * sizes.step) * sizes.base,
            hop: step)
        moments = PartialMoments(longest: sizes.middle + 2 * sizes.step)
        blocks = PartialBlocks(capacity: sizes.mostBlocks + 4, longestBlock: sizes.step + 2)
    }

    /// The sample of the widest copy after the newest one.
    var end: Int { @_noLocks get { bank.count(0) } }

    /// Hertz per radian and sample of a copy.
    @_noLocks func scale(_ level: Int) -> Double { sizes.rate / (2 * .pi * Double(1 << level)) }

    /// The narrowest copy with room for enough partials of a note.
    @_noLocks func level(for frequency: Double) -> Int {
        var level = NoteSizes.levelCount - 1
        while level > 0 && 0.48 * sizes.rate / (Double(1 << level) * frequency) < NoteSizes.enoughPartials {
            level -= 1
        }
        return level
    }

    /// How many partials of a note a copy has room for: up to 0.48 of its rate, above which the low-pass has taken 10 dB
    /// off, and of the input itself up to 0.45, where converters roll off.
    @_noLocks func partials(of frequency: Double, level: Int) -> Int {
        let band = level == 0 && sizes.base == 1 ? 0.45 : 0.48
        return max(1, min(NoteSizes.mostPartials, Int(band * sizes.rate / (Double(1 << level) * frequency))))
    }

    /// Samples of a copy that lie at or after `start`, an index of the widest copy.
    ///
    /// - Parameter isOnset: whether a sound begins there, so that what the low-pass smears from before it is left out.
    @_noLocks func count(of level: Int, since start: Int, isOnset: Bool) -> Int {
        let factor = 1 << level
        let settled = isOnset && level > 0 ? start + 9 * factor / 2 : start
        return max(0, bank.count(level) - (settled + factor - 1) / factor)
    }

    /// The clarity of the newest `length` samples of the widest copy; leaves the candidates.
    @discardableResult
    @_noLocks mutating func findPeriods(in length: Int, level: Int = 0) -> Double {
        candidates.find(
            bank.latest(min(length >> level, bank.count(level)), of: level), every: 1 << level,
            shortest: sizes.rate / PitchRange.highest(), longest: sizes.rate / PitchRange.lowest())
        return candidates.highest
    }

    /// The clarity of the newest `length` samples of the widest copy at a note that is known already; `nil` where it takes
    /// a search to tell.
    @_noLocks mutating func clarity(ofKnown frequency: Double, in length: Int, level: Int) -> Double? {
        candidates.height(
            ofKnown: sizes.rate / frequency, in: bank.latest(min(length >> level, bank.count(level)), of: level),
            every: 1 << level)
    }

    /// Whether a tone of a copy is a line above the range of pitch, nothing but one line, or several notes.
    @_noLocks func isCommonMeasure(_ tone: FittedTone, level: Int) -> Bool {
        tone.isFractionOfOneLine(highest: PitchRange.highest() / scale(level)) || tone.isSeveralNotes()
    }

    @_noLocks mutating func reset() { bank.reset() }
}
