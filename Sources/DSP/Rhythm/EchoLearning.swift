internal import CRealtime
internal import Realtime

/// Learns the echo of each click from what remains of it: a Kalman filter in every cell of time and frequency.
///
/// What the variance of a cell explains is the echo's, and corrects it; what is more is the player's or noise, and hardly
/// does. A residual that repeats itself from click to click is not the player's: the path has changed, and the variance is
/// raised until the echo has followed.
///
/// It runs on the audio thread, so the work is cut into steps of one row of cells. Nothing of it is used before it is done.
/// - SeeAlso: Enzner & Vary, "Frequency-domain adaptive Kalman filter for acoustic echo control", Signal Processing 86(6),
///   2006.
internal struct EchoLearning: ~Copyable, Sendable {
    /// What a step does with its row.
    private enum Stage: UInt8, Sendable {
        case findDelay, searchJump, predict, align, analyze, explain, compare, spread, raise, correct, measure, keep
    }

    /// The first 50 ms tell the delay: later the room does.
    private static var directSeconds: Double { @_noLocks get { 0.05 } }
    /// Samples in which a residual is correlated: below 800 Hz there is little of it.
    private static var correlated: Double { @_noLocks get { 30 } }

    let sizes: EchoSizes
    /// Whether notes are played from the first click on, so that none is heard alone.
    let isAmongNotes: Bool
    var transform: EchoTransform
    var scratch: EchoScratch
    /// The click that is being learnt from, and whether its sound or its path is new.
    private(set) var click = ExpectedClick()
    private(set) var isFirst = false, isNew = false
    /// Whether nothing was heard of it lately, so that nothing of its echo is taken out.
    private var isSilent = false
    /// Whether it is another one after that.
    private var isOther = false
    /// When the path was last found to be another one.
    var lastChange: Int64?
    /// Compares the residual with the last one of the sound and with what was predicted.
    var likeness = EchoLikeness()
    /// The power of the noise in a cell.
    private(set) var noise: Float = 0

    /// By how much later than its sample this click arrived.
    private var delay = 0.0
    private var jump: EchoJump
    private var stage = Stage.findDelay
    private var row = 0
    /// Whether a click is being learnt from.
    private(set) var isBusy = false

    init(sizes: EchoSizes, isAmongNotes: Bool) throws(OnsetError) {
        self.isAmongNotes = isAmongNotes
        transform = try EchoTransform(sizes: sizes)
        jump = EchoJump(sizes: sizes)
        scratch = EchoScratch(sizes: sizes)
        self.sizes = sizes
    }

    @_noLocks mutating func reset() {
        lastChange = nil
        isBusy = false
    }

    /// Writes the echo of a sound, `delay` samples later, its end faded out.
    @_noLocks mutating func predict(
        _ echoes: borrowing ClickEchoes, _ sound: Int, delay: Double, into prediction: UnsafeMutablePointer<Float>
    ) {
        transform.prepareShift(by: delay)
        for hop in 0..<sizes.hops { transform.shift(echoes.echo(sound), hop: hop, into: prediction) }
        for n in (sizes.length - 6 * sizes.hop)..<sizes.length { prediction[n] *= echoes.taper(n) }
    }

    /// Begins to learn from a click whose echo has ended.
    ///
    /// - Parameters:
    ///   - click: the click.
    ///   - remainder: what was left of the echo's samples.
    ///   - noise: the power of the noise, full scale 1.
    @_noLocks mutating func begin(
        _ click: ExpectedClick, _ remainder: UnsafePointer<Float>, noise: Float, _ echoes: borrowing ClickEchoes
    ) {
        self.click = click
        self.noise = max(1e-12, noise * Float(sizes.hop))
        isFirst = echoes.sounds.unsafeElements[click.sound].count == 0
        isSilent = !isFirst && echoes.sounds.unsafeElements[click.sound].isSilent
        (likeness, isOther) = (EchoLikeness(), false)
        for n in 0..<sizes.length { scratch.residual[n] = remainder[n] }
        (stage, row, isBusy) = (.findDelay, 0, true)
    }

    /// Does one step of the work.
    ///
    /// - Parameters:
    ///   - prediction: what was subtracted for the click.
    ///   - neighbours: the last clicks; those that overlap share the blame.
    @_noLocks mutating func step(
        _ prediction: UnsafePointer<Float>, _ echoes: inout ClickEchoes, _ delays: inout EchoDelays,
        neighbours: UnsafeMutableBufferPointer<ExpectedClick>
    ) {
        let cells = row * sizes.bins
        switch stage {
        case .findDelay: findDelay(prediction, echoes, &delays)
        case .searchJump:
            jump.search(step: row)
            if next(.predict, after: EchoJump.steps) {
                endSearch(prediction, &delays)
                transform.prepareShift(by: delay)
            }
        case .predict:
            subtractAgain(prediction, echoes)
            if next(.align, after: sizes.hops) { transform.prepareShift(by: -delay) }
        case .align:
            transform.shift(scratch.residual, hop: row, into: scratch.aligned)
            scratch.copyEcho(echoes.echo(click.sound), hop: row)
            next(.analyze, after: sizes.hops)
        case .analyze:
            transform.analyze(scratch.aligned, frame: row, into: scratch.cells + cells)
            likeness.add(scratch.cells + cells, echoes, click.sound, first: cells, sizes.bins)
            scratch.square(row: row)
            if next(.explain, after: sizes.frames) { judge(&echoes) }
        case .explain:
            explain(row, neighbours, &echoes)
            next(isNew ? .correct : .compare, after: sizes.frames)
        case .compare:
            compare(row, echoes)
            next(.spread, after: sizes.frames)
        case .spread:
            scratch.spread(row: row)
            next(.raise, after: sizes.frames)
        case .raise:
            raise(row, echoes)
            next(.correct, after: sizes.frames)
        case .correct:
            correct(row, echoes)
            next(.measure, after: sizes.frames)
        case .measure:
            transform.analyze(scratch.echo, frame: row, into: scratch.cells + cells)
            scratch.square(row: row)
            next(.keep, after: sizes.frames)
        case .keep:
            scratch.keepPower(row: row)
            if next(.findDelay, after: sizes.frames) {
                echoes.keep(scratch, of: click)
                isBusy = false
            }
        }
    }

    /// Goes on to the next row, or to another stage when `count` rows are done; whether it did the latter.
    @discardableResult @_noLocks private mutating func next(_ stage: Stage, after count: Int) -> Bool {
        row += 1
        guard row >= count else { return false }
        (self.stage, row) = (stage, 0)
        return true
    }

    @_noLocks private mutating func findDelay(
        _ prediction: UnsafePointer<Float>, _ echoes: borrowing ClickEchoes, _ delays: inout EchoDelays
    ) {
        delays.advance(to: click.frame)
        delay = click.fraction + delays.delay(of: click.sound)
        if isFirst {
            delays.begin(click.sound)
            delay = click.fraction
            transform.prepareShift(by: -delay)
            next(.align, after: 1)
        } else if !isSilent && click.isKnown && jump.begin(scratch.residual, prediction) {
            next(.searchJump, after: 1)
        } else {
            if !isSilent && click.isKnown { correctDelay(prediction, &delays) }
            transform.prepareShift(by: delay)
            next(.predict, after: 1)
        }
    }

    @_noLocks private mutating func endSearch(_ prediction: UnsafePointer<Float>, _ delays: inout EchoDelays) {
        guard let later = jump.found() else { return correctDelay(prediction, &delays) }
        // Another sound may have told it already.
        let known = click.fraction + delays.delay(of: click.sound) - click.delay
        if abs(later - known) > 1 { delays.jump(by: later - known) }
        delay = click.fraction + delays.delay(of: click.sound)
    }

    /// A hop of the residual as if the corrected delay had been known.
    @_noLocks private mutating func subtractAgain(
        _ prediction: UnsafePointer<Float>, _ echoes: borrowing ClickEchoes
    ) {
        let (e, s) = (scratch.residual, scratch.aligned)
        transform.shift(echoes.echo(click.sound), hop: row, into: s)
        for n in (row * sizes.hop)..<((row + 1) * sizes.hop) {
            e[n] += (click.isKnown ? prediction[n] : 0) - (isSilent ? 0 : s[n])
        }
        likeness.add(
            e, s, from: row * sizes.hop, count: sizes.hop,
            isDirect: Double(row * sizes.hop) < Self.directSeconds * sizes.sampleRate)
    }

    /// Decides what the click may teach.
    ///
    /// Where nothing at all was heard of it, it teaches nothing: the microphone was muted, and its echo will be the same when
    /// that is over. What is heard then is the echo, or else another one.
    @_noLocks private mutating func judge(_ echoes: inout ClickEchoes) {
        if isSilent {
            guard !likeness.isSilentStill else { return isBusy = false }
            // Learns from it after all, as from one that was not subtracted.
            isOther = !likeness.isBack
            (isSilent, click.isKnown, likeness) = (false, false, EchoLikeness())
            echoes.sounds.unsafeElements[click.sound].isSilent = false
            (stage, row) = (.findDelay, 0)
        } else if click.isKnown && likeness.isSilence {
            echoes.sounds.unsafeElements[click.sound].isSilent = true
            isBusy = false
        } else {
            isNew = isFirst || isOther || hasChanged(echoes)
        }
    }

    /// Projects what remains on the derivative of what was subtracted: by how much later it should have been.
    @_noLocks private mutating func correctDelay(_ prediction: UnsafePointer<Float>, _ delays: inout EchoDelays) {
        let count = min(sizes.length - 1, Int(Self.directSeconds * sizes.sampleRate))
        var (product, slopes, energy) = (0.0, 1e-20, 1e-12)
        for n in 1..<count {
            let slope = Double(prediction[n + 1] - prediction[n - 1]) / 2
            let e = Double(scratch.residual[n])
            product += e * slope
            slopes += slope * slope
            energy += e * e
        }
        let innovation = -product / slopes + click.delay - click.fraction - delays.delay(of: click.sound)
        // A millionth of a sample squared for what is not white.
        let variance = energy / Self.correlated / slopes + 1e-6
        delay += delays.correct(click.sound, by: innovation, variance: variance)
    }
}
