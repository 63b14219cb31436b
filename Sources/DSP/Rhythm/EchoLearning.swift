internal import CRealtime
internal import Realtime

/// Learns the echo of each click from what remains of it: a Kalman filter in every cell of time and frequency.
///
/// What the variance of a cell explains is the echo's, and corrects it; what is more is the player's or noise, and hardly
/// does. A residual that repeats itself from click to click is not the player's: the path has changed, and the variance is
/// raised until the echo has followed.
/// - SeeAlso: Enzner & Vary, "Frequency-domain adaptive Kalman filter for acoustic echo control", Signal Processing 86(6),
///   2006.
internal struct EchoLearning: ~Copyable, Sendable {
    /// How fast a new residual replaces the old ones in the coherence.
    private static var renewal: Float { @_noLocks get { 0.4 } }
    /// The largest share of an echo's power that its variance is raised to by coherence.
    private static var cap: Float { @_noLocks get { 0.1 } }
    /// The first 50 ms tell the delay: later the room does.
    private static var directSeconds: Double { @_noLocks get { 0.05 } }
    /// Samples in which a residual is correlated: below 800 Hz there is little of it.
    private static var correlated: Double { @_noLocks get { 30 } }

    /// The correlation of two residuals from which on they are the same: a player's notes have none.
    private static var repeated: Double { @_noLocks get { 0.6 } }

    /// 10 dB below the echo: what is left of a prediction that has failed.
    private static var failed: Double { @_noLocks get { 0.1 } }

    private var transform: EchoTransform
    /// When the path was last found to be another one.
    private var lastChange: Int64?
    private var jump: EchoJump
    private let sizes: EchoSizes
    private let residual: SampleBuffer<Float>, shifted: SampleBuffer<Float>
    private let cells: SampleBuffer<SIMD2<Float>>
    private let smoothed: SampleBuffer<Float>, others: SampleBuffer<Float>, gains: SampleBuffer<Float>
    private let work: SampleBuffer<Float>

    init(sizes: EchoSizes) throws(OnsetError) {
        transform = try EchoTransform(sizes: sizes)
        jump = EchoJump(sizes: sizes)
        self.sizes = sizes
        residual = SampleBuffer(count: sizes.length)
        shifted = SampleBuffer(count: sizes.length)
        cells = SampleBuffer(count: sizes.cells, repeating: .zero)
        smoothed = SampleBuffer(count: sizes.cells)
        others = SampleBuffer(count: sizes.cells)
        gains = SampleBuffer(count: sizes.cells)
        work = SampleBuffer(count: sizes.cells)
    }

    @_noLocks mutating func reset() { lastChange = nil }

    /// Writes the echo of a sound, `delay` samples later.
    @_noLocks mutating func predict(
        _ echoes: borrowing ClickEchoes, _ sound: Int, delay: Double, into prediction: UnsafeMutablePointer<Float>
    ) { transform.shift(echoes.echo(sound), by: delay, into: prediction) }

    /// Fades the end of a prediction out.
    @_noLocks func fade(_ prediction: UnsafeMutablePointer<Float>, _ echoes: borrowing ClickEchoes) {
        for n in (sizes.length - 6 * sizes.hop)..<sizes.length { prediction[n] *= echoes.taper(n) }
    }

    /// Learns from a click whose echo has ended.
    ///
    /// - Parameters:
    ///   - click: the click.
    ///   - remainder: what was left of the echo's samples.
    ///   - prediction: what was subtracted.
    ///   - neighbours: the last clicks; those that overlap share the blame.
    ///   - noise: the power of the noise, full scale 1.
    @_noLocks mutating func learn(
        _ click: ExpectedClick, _ remainder: UnsafePointer<Float>, _ prediction: UnsafePointer<Float>,
        _ echoes: inout ClickEchoes, _ delays: inout EchoDelays, neighbours: UnsafeMutableBufferPointer<ExpectedClick>,
        noise: Float
    ) {
        guard let e = residual.unsafeElements.baseAddress, let s = shifted.unsafeElements.baseAddress,
            let cell = cells.unsafeElements.baseAddress, let scratch = work.unsafeElements.baseAddress,
            let a = smoothed.unsafeElements.baseAddress, let gain = gains.unsafeElements.baseAddress
        else { return }
        let sound = click.sound
        let isFirst = echoes.sounds.unsafeElements[sound].count == 0
        for n in 0..<sizes.length { e[n] = remainder[n] }
        delays.advance(to: click.frame)
        if isFirst {
            delays.begin(sound)
        } else {
            if click.isKnown, let later = jump.find(remainder, prediction) {
                // Another sound may have told it already.
                let known = delays.delay(of: sound) - click.delay
                if abs(later - known) > 1 { delays.jump(by: later - known) }
            } else if click.isKnown {
                correctDelay(click, prediction, &delays)
            }
            // As if the corrected delay had been known.
            predict(echoes, sound, delay: delays.delay(of: sound), into: s)
            for n in 0..<sizes.length { e[n] += (click.isKnown ? prediction[n] : 0) - s[n] }
        }
        transform.shift(e, by: -delays.delay(of: sound), into: s)
        transform.analyze(s, into: cell)
        let isNew = isFirst || hasChanged(click, cell, echoes)
        grow(click, cell, isNew, &echoes)
        blame(click, neighbours, echoes)
        for c in 0..<sizes.cells { a[c] = squared(cell[c]) }
        transform.smooth(a, by: scratch)
        if !isNew { compareWithLast(sound, cell, echoes) }
        let (variance, old) = (echoes.variance(sound), echoes.residual(sound))
        let least = max(1e-12, noise * Float(sizes.hop))
        for c in 0..<sizes.cells {
            old[c] = cell[c]
            let (p, o) = (variance[c], others.unsafeElements[c])
            gain[c] = p / (p + o + max(least, a[c] - p - o))
            variance[c] = (1 - gain[c]) * p + 1e-30
        }
        transform.add(cell, times: gain, to: echoes.echo(sound))
        transform.analyze(echoes.echo(sound), into: cell)
        let power = echoes.power(sound)
        for c in 0..<sizes.cells { power[c] = squared(cell[c]) }
        transform.smooth(power, by: scratch)
        echoes.sounds.unsafeElements[sound].count += 1
        echoes.sounds.unsafeElements[sound].last = click.frame
    }

    /// Projects what remains on the derivative of what was subtracted: by how much later it should have been.
    @_noLocks private mutating func correctDelay(
        _ click: ExpectedClick, _ prediction: UnsafePointer<Float>, _ delays: inout EchoDelays
    ) {
        let count = min(sizes.length - 1, Int(Self.directSeconds * sizes.sampleRate))
        var (product, slopes, energy) = (0.0, 1e-20, 1e-12)
        for n in 1..<count {
            let slope = Double(prediction[n + 1] - prediction[n - 1]) / 2
            let e = Double(residual.unsafeElements[n])
            product += e * slope
            slopes += slope * slope
            energy += e * e
        }
        let innovation = -product / slopes + click.delay - delays.delay(of: click.sound)
        // A millionth of a sample squared for what is not white.
        delays.correct(click.sound, by: innovation, variance: energy / Self.correlated / slopes + 1e-6)
    }

    /// Whether the way to the microphone is another one: the prediction has failed, as it did last time, and left the same.
    ///
    /// What one sound has found out holds for the others: the next failure of each is enough.
    @_noLocks private mutating func hasChanged(
        _ click: ExpectedClick, _ cell: UnsafePointer<SIMD2<Float>>, _ echoes: borrowing ClickEchoes
    ) -> Bool {
        guard click.isKnown else { return false }
        let (last, power) = (echoes.residual(click.sound), echoes.power(click.sound))
        var (product, now, before, known) = (0.0, 0.0, 0.0, 0.0)
        for c in 0..<sizes.cells {
            product += Double(cell[c].x * last[c].x + cell[c].y * last[c].y)
            now += Double(squared(cell[c]))
            before += Double(squared(last[c]))
            known += Double(power[c])
        }
        guard now > Self.failed * known else { return false }
        if let lastChange, echoes.sounds.unsafeElements[click.sound].last < lastChange { return true }
        guard product > Self.repeated * rt_sqrt(now * before), before > 0.25 * now else { return false }
        lastChange = click.frame
        return true
    }

    /// The variance before the click: that of the room when the path is new, otherwise a little more than it was.
    @_noLocks private func grow(
        _ click: ExpectedClick, _ cell: UnsafePointer<SIMD2<Float>>, _ isNew: Bool, _ echoes: inout ClickEchoes
    ) {
        let sound = click.sound
        let (variance, power) = (echoes.variance(sound), echoes.power(sound))
        guard isNew else {
            let growth = echoes.growth(sound, at: click.frame)
            for c in 0..<sizes.cells { variance[c] += growth * power[c] }
            return
        }
        var peak = echoes.sounds.unsafeElements[sound].peak
        for c in 0..<sizes.cells { peak = max(peak, squared(cell[c])) }
        echoes.sounds.unsafeElements[sound].peak = peak
        let spectrum = echoes.spectrum(sound)
        for frame in 0..<sizes.frames {
            let prior = echoes.prior(frame: frame, peak: peak)
            for bin in 0..<sizes.bins { variance[frame * sizes.bins + bin] = prior * spectrum[bin] }
        }
    }

    /// The variance of other clicks that sound at the same time.
    @_noLocks private mutating func blame(
        _ click: ExpectedClick, _ neighbours: UnsafeMutableBufferPointer<ExpectedClick>,
        _ echoes: borrowing ClickEchoes
    ) {
        for c in 0..<sizes.cells { others.unsafeElements[c] = 0 }
        let own = echoes.sounds.unsafeElements[click.sound].peak
        for index in 0..<neighbours.count {
            let other = neighbours[index]
            let distance = other.frame - click.frame
            guard other.isUnderWay, distance != 0 || other.sound != click.sound, abs(distance) < sizes.length else {
                continue
            }
            let isKnown = echoes.sounds.unsafeElements[other.sound].count > 0
            let shift = Int(rt_floor(Double(distance) / Double(sizes.hop)))
            let variance = echoes.variance(other.sound)
            // The frame before and the one after.
            for first in shift...(shift + 1) {
                let spectrum = echoes.spectrum(other.sound)
                for frame in max(0, first)..<max(max(0, first), min(sizes.frames, sizes.frames + first)) {
                    let prior = echoes.prior(frame: frame - first, peak: own)
                    for bin in 0..<sizes.bins {
                        let value =
                            isKnown
                            ? variance[(frame - first) * sizes.bins + bin]
                            : prior * spectrum[bin]
                        let c = frame * sizes.bins + bin
                        others.unsafeElements[c] = max(others.unsafeElements[c], value)
                    }
                }
            }
        }
    }

    /// Raises the variance where this residual repeats the last one.
    @_noLocks private mutating func compareWithLast(
        _ sound: Int, _ cell: UnsafePointer<SIMD2<Float>>, _ echoes: borrowing ClickEchoes
    ) {
        guard let scratch = work.unsafeElements.baseAddress, let value = gains.unsafeElements.baseAddress else {
            return
        }
        let (last, cross, product) = (echoes.residual(sound), echoes.crossPower(sound), echoes.product(sound))
        let keep = 1 - Self.renewal
        for c in 0..<sizes.cells { value[c] = cell[c].x * last[c].x + cell[c].y * last[c].y }
        transform.smooth(value, by: scratch)
        transform.smooth(value, by: scratch)
        for c in 0..<sizes.cells { cross[c] = keep * cross[c] + Self.renewal * value[c] }
        for c in 0..<sizes.cells { value[c] = Float(rt_sqrt(Double(squared(cell[c]) * squared(last[c])))) }
        transform.smooth(value, by: scratch)
        transform.smooth(value, by: scratch)
        for c in 0..<sizes.cells { product[c] = keep * product[c] + Self.renewal * value[c] }
        let (variance, power) = (echoes.variance(sound), echoes.power(sound))
        let peak = echoes.sounds.unsafeElements[sound].peak
        let spectrum = echoes.spectrum(sound)
        for frame in 0..<sizes.frames {
            let prior = echoes.prior(frame: frame, peak: peak)
            for bin in 0..<sizes.bins {
                let c = frame * sizes.bins + bin
                let limit = min(Self.cap * power[c], prior * spectrum[bin])
                let coherent = ClickEchoes.coherent(cross[c], product[c])
                variance[c] = max(variance[c], min(coherent, min(smoothed.unsafeElements[c], limit)))
            }
        }
    }
}

@inline(__always) @_noLocks private func squared(_ cell: SIMD2<Float>) -> Float { cell.x * cell.x + cell.y * cell.y }
