internal import CRealtime
internal import Realtime

/// How much what is heard comes back after two, three or four beats, for each period of the beat.
///
/// Notes often fit two courses, three beats of one to four of the other. But music comes back after a bar, and a bar is a few
/// beats of only one of them. Here that is the autocorrelation of the accents, and a period weighs the more the higher it is.
/// All levels of a beat weigh the same, so that this does not choose between them.
///
/// - SeeAlso: Dixon, Pampalk & Widmer, "Classification of dance music by periodicity patterns", ISMIR 2003; Gainza, "Automatic
///   musical meter detection", ICASSP 2009.
internal struct BarRepetition: ~Copyable, Sendable {
    /// The weight of each period at a beat, 1 or more.
    let weights: SampleBuffer<Float>
    /// The lags of each period: those of two, three and four of its beats.
    private let lags: SampleBuffer<Lag>
    /// The last accents less their mean, from where the next one goes on backwards.
    private let past: SampleBuffer<Float>
    private var place = 0, frames = 0
    /// By lag: the sum of the products of accents so far apart, and of the mean of their squares.
    private let products: SampleBuffer<Float>, energies: SampleBuffer<Float>
    /// The sum of all accents, and of their squares less the mean; what is older counts less.
    private var sum: Float = 0, energy: Float = 0
    private var known: Float = 0
    private var smoothing = AccentSmoothing()
    private let forgetting: Float
    private let doubt: Float

    /// What a full repetition says for a beat of a period, in nepers a frame of it, and the shortest period.
    private let nepers: Float
    private let shortest: Int

    /// Frames from one look at the lags to the next, 46 ms: a beat lasts five or more of them.
    private static var step: Int { @_noLocks get { 8 } }
    private static var beats: ClosedRange<Int> { @_noLocks get { 2...4 } }

    /// A lag in frames, and by how much it may differ as periods are whole frames.
    ///
    /// Not private: a debug build of the file that owns a `BarRepetition` would end with a fault of the compiler (6.3.1).
    internal struct Lag: BitwiseCopyable {
        var frames = 0, tolerance = 0
    }

    /// - Parameters:
    ///   - periods: in frames.
    ///   - frameSeconds: how long a frame is.
    init(periods: ClosedRange<Int>, frameSeconds: Double, constants: TempoConstants) {
        let band = Double(constants.repetitionBand) / frameSeconds
        var lags: [Lag] = []
        for period in periods {
            // The level whose beats last `repetitionBand` to twice as long stands for all.
            let octaves = rt_floor(rt_log2(Double(period) / band))
            let level = rt_exp(-octaves * rt_log(2))
            for beats in Self.beats {
                let frames = rt_round(Double(beats * period) * level)
                let tolerance = rt_ceil(Double(beats) * max(1, level) / 2)
                lags.append(Lag(frames: Int(frames), tolerance: Int(tolerance)))
            }
        }
        let count = (lags.map { $0.frames + $0.tolerance }.max() ?? 0) + 1
        weights = SampleBuffer(count: periods.count, repeating: 1)
        self.lags = SampleBuffer(copying: lags)
        past = SampleBuffer(count: count)
        products = SampleBuffer(count: count)
        energies = SampleBuffer(count: count)
        forgetting = Float(rt_exp(-frameSeconds / Double(constants.repetitionMemory)))
        doubt = constants.repetitionDoubt
        nepers = constants.repetition * Float(frameSeconds)
        shortest = periods.lowerBound
    }

    /// Forgets what was heard.
    @_noLocks mutating func reset() {
        (place, frames, sum, energy, known, smoothing) = (0, 0, 0, 0, 0, AccentSmoothing())
        for lag in 0..<past.count {
            past.unsafeElements[lag] = 0
            products.unsafeElements[lag] = 0
            energies.unsafeElements[lag] = 0
        }
        for index in 0..<weights.count { weights.unsafeElements[index] = 1 }
    }

    /// Takes a frame in.
    ///
    /// - Parameter strength: how much stands out in it, 0 to 1.
    @_noLocks mutating func take(_ strength: Float) {
        let accent = smoothing.take(strength)
        sum = forgetting * sum + accent
        known = forgetting * known + 1
        let value = accent - sum / known
        let count = past.count
        let (past, products, energies) = (past.unsafeElements, products.unsafeElements, energies.unsafeElements)
        for lag in 1..<max(1, min(count, frames + 1)) {
            let before = past[place < lag ? place - lag + count : place - lag]
            products[lag] = forgetting * products[lag] + value * before
            energies[lag] = forgetting * energies[lag] + 0.5 * (value * value + before * before)
        }
        energy = forgetting * energy + value * value
        past[place] = value
        place = place + 1 == count ? 0 : place + 1
        frames += 1
        // A minute of silence: numbers near the smallest are slow.
        if energy > 0, energy < Self.least { return reset() }
        if frames % Self.step == 0 { weigh() }
    }

    @_noLocks private mutating func weigh() {
        // A lag that was heard for a short time says little.
        let least = max(Self.faintest, doubt * energy)
        for index in 0..<weights.count {
            var most: Float = 0
            for n in Self.beats.count * index..<Self.beats.count * (index + 1) {
                let lag = lags.unsafeElements[n]
                for frames in lag.frames - lag.tolerance...lag.frames + lag.tolerance {
                    most = max(most, products.unsafeElements[frames] / (energies.unsafeElements[frames] + least))
                }
            }
            weights.unsafeElements[index] = Float(rt_exp(Double(nepers * Float(shortest + index) * most)))
        }
    }

    /// Accents of noise have more energy; and that of a silence so long that nothing is remembered.
    private static var faintest: Float { @_noLocks get { 1e-6 } }
    private static var least: Float { @_noLocks get { 1e-12 } }
}
