internal import CRealtime
internal import Realtime

/// The probabilities of all courses of a beat: how many frames it lasts, and how many of them have passed.
///
/// A hidden Markov model whose states are pairs of period and place. The place moves on by one frame per frame; the period
/// changes only between two beats, the likelier the less it changes. The filter is causal: what a frame says counts at once.
/// - SeeAlso: Whiteley, Cemgil & Godsill, "Bayesian modelling of temporal structure in musical audio", ISMIR 2006; Krebs,
///   Böck & Widmer, "An efficient state-space model for joint tempo and meter tracking", ISMIR 2015.
internal struct BeatStates: ~Copyable, Sendable {
    /// A state: the index of its period, and the place in frames.
    internal struct State: BitwiseCopyable {
        var index = 0, place = 0
        var probability: Float = 0
        @_noLocks init() {}
    }

    /// The shortest period in frames.
    var shortest: Int { @_noLocks get { rings.shortest } }

    /// How many periods there are.
    var periodCount: Int { @_noLocks get { rings.count } }

    private let constants: TempoConstants
    private var rings: BeatRings
    private let periods: PeriodPrior
    private let changes: PeriodChanges
    private let shapes: BeatShapes
    private var repetition: BarRepetition
    /// What ends and what begins in this frame, by period.
    private let ended: SampleBuffer<Float>, begun: SampleBuffer<Float>
    private let factors = SampleBuffer<Float>(count: BeatShapes.levelCount + 1)
    /// Whether nothing was heard yet.
    private(set) var isEmpty = true

    /// - Parameters:
    ///   - periods: in frames.
    ///   - beginning: those that a course may begin with; it may then leave them.
    ///   - preferred: the likeliest period in frames.
    ///   - frameSeconds: how long a frame is.
    init(
        periods: ClosedRange<Int>, beginning: ClosedRange<Double>, preferred: Double, frameSeconds: Double,
        constants: TempoConstants
    ) {
        self.constants = constants
        rings = BeatRings(periods: periods)
        self.periods = PeriodPrior(
            periods: periods, beginning: beginning, preferred: preferred, constants: constants)
        ended = SampleBuffer(count: periods.count)
        begun = SampleBuffer(count: periods.count)
        changes = PeriodChanges(periods: periods, steadiness: Double(constants.steadiness))
        repetition = BarRepetition(periods: periods, frameSeconds: frameSeconds, constants: constants)
        shapes = BeatShapes(periods: periods, width: Double(constants.width))
    }

    /// Frames from the beginning of a period to its beat.
    @_noLocks func half(of index: Int) -> Int { shapes.halves.unsafeElements[index] }

    /// Takes a frame in.
    ///
    /// - Parameter strength: how much stands out in it, 0 to 1.
    @_noLocks mutating func advance(_ strength: Float) {
        guard !isEmpty else { return }
        repetition.take(strength)
        move()
        if strength > 0.3 { inject(constants.renewal * strength, ago: 0) }
        observe(strength)
        rings.normalize()
    }

    /// Begins with the hypothesis that there was a beat some frames ago, whatever the period.
    @_noLocks mutating func begin(ago frames: Int) {
        isEmpty = false
        inject(1, ago: frames)
        rings.normalize()
    }

    @_noLocks mutating func reset() {
        isEmpty = true
        rings.clear()
        repetition.reset()
    }

    /// The likeliest of all states.
    @_noLocks func best() -> State { rings.best() }

    /// The likeliest state that goes on from one of the frame before: its period is among `indices`, and its place within
    /// an eighth of the period.
    @_noLocks func best(after old: State, among indices: Range<Int>) -> State {
        var state = old
        state.probability = 0
        let share = Double(old.place + 1 - half(of: old.index)) / Double(shortest + old.index)
        for index in max(0, indices.lowerBound)..<max(0, min(rings.count, indices.upperBound)) {
            let period = shortest + index
            let middle = Int(rt_round(share * Double(period))) + half(of: index)
            for step in -(period / 8)...(period / 8) {
                let place = (middle + step + 2 * period) % period
                let probability = rings.probabilities.unsafeElements[rings.slot(of: place, in: index)]
                if probability > state.probability {
                    (state.index, state.place, state.probability) = (index, place, probability)
                }
            }
        }
        return state
    }

    /// How likely a state is beside the others, whatever it says of itself.
    @_noLocks func probability(of state: State) -> Float {
        rings.probabilities.unsafeElements[rings.slot(of: state.place, in: state.index)]
    }

    /// Keeps a course from being forgotten while another is by far the likelier.
    @_noLocks mutating func keep(_ state: State, beside other: State) {
        let slot = rings.slot(of: state.place, in: state.index)
        let ring = rings.probabilities.unsafeElements
        ring[slot] = max(ring[slot], Self.kept * other.probability)
    }

    /// The probability that is kept of a course, beside that of the likeliest.
    private static var kept: Float { @_noLocks get { 1e-12 } }

    /// The probability of these periods, 0 to 1.
    @_noLocks func share(of indices: Range<Int>) -> Double { rings.share(of: indices) }

    /// All places move on by a frame; where a beat ends another begins.
    @_noLocks private mutating func move() {
        for index in 0..<rings.count {
            rings.turn(index)
            ended.unsafeElements[index] = rings.probabilities.unsafeElements[rings.slot(of: 0, in: index)]
            begun.unsafeElements[index] = 0
        }
        changes.spread(ended.unsafeElements, into: begun.unsafeElements)
        for index in 0..<rings.count {
            rings.probabilities.unsafeElements[rings.slot(of: 0, in: index)] =
                begun.unsafeElements[index] * periods.preference.unsafeElements[index]
                * repetition.weights.unsafeElements[index]
        }
    }

    /// Adds the hypothesis that there was a beat some frames ago.
    @_noLocks private mutating func inject(_ mass: Float, ago frames: Int) {
        for index in 0..<rings.count {
            let slot = rings.slot(of: half(of: index) + frames, in: index)
            rings.probabilities.unsafeElements[slot] += mass * periods.prior.unsafeElements[index]
        }
    }

    /// Multiplies the states at a beat by what the frame says for them.
    @_noLocks private mutating func observe(_ strength: Float) {
        let ring = rings.probabilities.unsafeElements
        // The silence of a beat is shared among its frames, so that it says the same at every tempo.
        for index in 0..<rings.count {
            let half = half(of: index)
            let period = shortest + index
            let start = rings.starts.unsafeElements[index]
            let levels = shapes.levels(of: index)
            let nepers = constants.gain * strength - constants.silence * shapes.perFrame.unsafeElements[index]
            let step = Float(rt_exp(Double(nepers) / Double(BeatShapes.levelCount)))
            var factor: Float = 1
            for n in 0...BeatShapes.levelCount {
                factors.unsafeElements[n] = factor
                factor *= step
            }
            var slot = rings.offset(of: 0, in: index)
            for place in 0...(2 * half) {
                ring[start + slot] *= factors.unsafeElements[Int(levels[place])]
                slot = slot == 0 ? period - 1 : slot - 1
            }
        }
    }
}
