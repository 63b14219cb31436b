internal import CRealtime
internal import Realtime

/// The probabilities of all courses of a beat: how many frames it lasts, and how many of them have passed.
///
/// A hidden Markov model whose states are pairs of period and place. The place moves on by one frame per frame; the period
/// changes only between two beats, the likelier the less it changes. The filter is causal: what a frame says counts at once.
///
/// The probabilities stay where they are in memory, and the beginning of each period's ring moves instead.
/// - SeeAlso: Whiteley, Cemgil & Godsill, "Bayesian modelling of temporal structure in musical audio", ISMIR 2006; Krebs,
///   Böck & Widmer, "An efficient state-space model for joint tempo and meter tracking", ISMIR 2015.
internal struct BeatStates: ~Copyable, Sendable {
    /// A state: the index of its period, and the place in frames.
    internal struct State: BitwiseCopyable {
        var index = 0, place = 0
        var probability: Float = 0
        @_noLocks init() {}
    }

    /// The shortest period in frames, and how many there are.
    let shortest: Int, count: Int

    private let constants: TempoConstants
    private let probabilities: SampleBuffer<Float>
    /// Where the ring of each period begins in memory, a multiple of 8, and within it the state of place 0.
    private let starts: SampleBuffer<Int>
    private let heads: SampleBuffer<Int>
    /// How likely a period is before anything is heard, with sum 1, and the weight of each at a beat.
    private let prior: SampleBuffer<Float>
    private let preference: SampleBuffer<Float>
    private let changes: PeriodChanges
    private let shapes: BeatShapes
    /// What ends and what begins in this frame, by period.
    private let ended: SampleBuffer<Float>, begun: SampleBuffer<Float>
    private let factors = SampleBuffer<Float>(count: BeatShapes.levelCount + 1)
    /// The largest probability of each period, and the sum of all.
    private let largest: SampleBuffer<Float>, sums: SampleBuffer<Float>
    /// The sum of all probabilities, between 1e-3 and 1e3.
    private var total: Float = 0
    /// Whether nothing was heard yet.
    private(set) var isEmpty = true

    /// Less is nothing: far above the numbers that processors are slow with.
    private static var least: Float { @_noLocks get { 1e-25 } }

    /// - Parameters:
    ///   - periods: in frames.
    ///   - beginning: those that a course may begin with; it may then leave them.
    ///   - preferred: the likeliest period in frames.
    init(
        periods: ClosedRange<Int>, beginning: ClosedRange<Double>, preferred: Double, constants: TempoConstants
    ) {
        self.constants = constants
        let all = Array(periods)
        (shortest, count) = (periods.lowerBound, all.count)
        var (start, places) = (0, [Int]())
        for period in all {
            places.append(start)
            start += (period + 7) / 8 * 8
        }
        starts = SampleBuffer(copying: places)
        probabilities = SampleBuffer(count: start)
        heads = SampleBuffer(count: all.count)
        largest = SampleBuffer(count: all.count)
        sums = SampleBuffer(count: all.count)
        ended = SampleBuffer(count: all.count)
        begun = SampleBuffer(count: all.count)
        let weights = all.map { period in
            let octaves = rt_log2(Double(period) / preferred) / Double(constants.octaves)
            // One more for the density: each octave has twice as many periods as the one above.
            return beginning.contains(Double(period)) ? rt_exp(-octaves * octaves / 2) / Double(period) : 0
        }
        let sum = weights.reduce(0, +)
        prior = SampleBuffer(copying: weights.map { Float($0 / sum) })
        preference = SampleBuffer(
            copying: all.map { period in
                let octaves = rt_log2(Double(period) / preferred) / Double(constants.octaves)
                return Float(rt_exp(-octaves * octaves / 2 * Double(constants.persistence)))
            })
        changes = PeriodChanges(periods: periods, steadiness: Double(constants.steadiness))
        shapes = BeatShapes(periods: periods, width: Double(constants.width))
    }

    /// Frames from the beginning of a period to its beat.
    @_noLocks func half(of index: Int) -> Int { shapes.halves.unsafeElements[index] }

    /// Takes a frame in.
    ///
    /// - Parameter strength: how much stands out in it, 0 to 1.
    @_noLocks mutating func advance(_ strength: Float) {
        guard !isEmpty else { return }
        move()
        if strength > 0.3 { inject(constants.renewal * strength, ago: 0) }
        observe(strength)
        normalize()
    }

    /// Begins with the hypothesis that there was a beat some frames ago, whatever the period.
    @_noLocks mutating func begin(ago frames: Int) {
        isEmpty = false
        inject(1, ago: frames)
        normalize()
    }

    @_noLocks mutating func reset() {
        (isEmpty, total) = (true, 0)
        for n in 0..<probabilities.count { probabilities.unsafeElements[n] = 0 }
        for n in 0..<count {
            (largest.unsafeElements[n], sums.unsafeElements[n], heads.unsafeElements[n]) = (0, 0, 0)
        }
    }

    /// The likeliest of all states.
    @_noLocks func best() -> State {
        var state = State()
        for index in 0..<count where largest.unsafeElements[index] > state.probability {
            (state.index, state.probability) = (index, largest.unsafeElements[index])
        }
        let ring = probabilities.unsafeElements
        let start = starts.unsafeElements[state.index]
        for n in 0..<shortest + state.index where ring[start + n] == state.probability {
            // The place of a slot is how many frames ago it was the head.
            let place = heads.unsafeElements[state.index] - n
            state.place = place < 0 ? place + shortest + state.index : place
            break
        }
        return state
    }

    /// The likeliest state that goes on from one of the frame before: its period is among `indices`, and its place within
    /// an eighth of the period.
    @_noLocks func best(after old: State, among indices: Range<Int>) -> State {
        var state = old
        state.probability = 0
        let ring = probabilities.unsafeElements
        let share = Double(old.place + 1 - half(of: old.index)) / Double(shortest + old.index)
        for index in max(0, indices.lowerBound)..<max(0, min(count, indices.upperBound)) {
            let period = shortest + index
            let middle = Int(rt_round(share * Double(period))) + half(of: index)
            for step in -(period / 8)...(period / 8) {
                let place = (middle + step + 2 * period) % period
                var slot = heads.unsafeElements[index] - place
                if slot < 0 { slot += period }
                let probability = ring[starts.unsafeElements[index] + slot]
                if probability > state.probability {
                    (state.index, state.place, state.probability) = (index, place, probability)
                }
            }
        }
        return state
    }

    /// Keeps a course from being forgotten while another is by far the likelier.
    @_noLocks mutating func keep(_ state: State, beside other: State) {
        var slot = heads.unsafeElements[state.index] - state.place
        if slot < 0 { slot += shortest + state.index }
        let place = starts.unsafeElements[state.index] + slot
        probabilities.unsafeElements[place] = max(probabilities.unsafeElements[place], Self.kept * other.probability)
    }

    /// The probability that is kept of a course, beside that of the likeliest.
    private static var kept: Float { @_noLocks get { 1e-12 } }

    /// The probability of these periods, 0 to 1.
    @_noLocks func share(of indices: Range<Int>) -> Double {
        var sum: Float = 0
        for index in max(0, indices.lowerBound)..<max(0, min(count, indices.upperBound)) {
            sum += sums.unsafeElements[index]
        }
        return Double(min(1, sum / max(Self.least, total)))
    }

    /// All places move on by a frame; where a beat ends another begins.
    @_noLocks private mutating func move() {
        let ring = probabilities.unsafeElements
        for index in 0..<count {
            let period = shortest + index
            let head = heads.unsafeElements[index] + 1
            heads.unsafeElements[index] = head == period ? 0 : head
            let slot = starts.unsafeElements[index] + heads.unsafeElements[index]
            ended.unsafeElements[index] = ring[slot]
            begun.unsafeElements[index] = 0
        }
        changes.spread(ended.unsafeElements, into: begun.unsafeElements)
        for index in 0..<count {
            ring[starts.unsafeElements[index] + heads.unsafeElements[index]] =
                begun.unsafeElements[index] * preference.unsafeElements[index]
        }
    }

    /// Adds the hypothesis that there was a beat some frames ago.
    @_noLocks private mutating func inject(_ mass: Float, ago frames: Int) {
        let ring = probabilities.unsafeElements
        for index in 0..<count {
            var place = heads.unsafeElements[index] - half(of: index) - frames
            if place < 0 { place += shortest + index }
            ring[starts.unsafeElements[index] + place] += mass * prior.unsafeElements[index]
        }
    }

    /// Multiplies the states at a beat by what the frame says for them.
    @_noLocks private mutating func observe(_ strength: Float) {
        let ring = probabilities.unsafeElements
        // The silence of a beat is shared among its frames, so that it says the same at every tempo.
        for index in 0..<count {
            let half = half(of: index)
            let period = shortest + index
            let start = starts.unsafeElements[index]
            let levels = shapes.levels(of: index)
            let nepers = constants.gain * strength - constants.silence * shapes.perFrame.unsafeElements[index]
            let step = Float(rt_exp(Double(nepers) / Double(BeatShapes.levelCount)))
            var factor: Float = 1
            for n in 0...BeatShapes.levelCount {
                factors.unsafeElements[n] = factor
                factor *= step
            }
            var slot = heads.unsafeElements[index]
            for place in 0...(2 * half) {
                ring[start + slot] *= factors.unsafeElements[Int(levels[place])]
                slot = slot == 0 ? period - 1 : slot - 1
            }
        }
    }

    /// Makes the sum of all probabilities 1, and finds the largest of each period.
    @_noLocks private mutating func normalize() {
        let ring = probabilities.unsafeElements
        guard let base = ring.baseAddress else { return }
        var total: Float = 0
        for index in 0..<count {
            let start = starts.unsafeElements[index]
            let end = index + 1 < count ? starts.unsafeElements[index + 1] : ring.count
            var (sum, most) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var slot = start
            while slot < end {
                var eight = UnsafeRawPointer(base + slot).loadUnaligned(as: SIMD8<Float>.self)
                eight.replace(with: 0, where: eight .< Self.least)
                UnsafeMutableRawPointer(base + slot).storeBytes(of: eight, as: SIMD8<Float>.self)
                sum += eight
                most.replace(with: eight, where: eight .> most)
                slot += 8
            }
            sums.unsafeElements[index] = sum.sum()
            total += sums.unsafeElements[index]
            largest.unsafeElements[index] = most.max()
        }
        self.total = total
        guard total < 1e-3 || total > 1e3 else { return }
        let scale = 1 / max(Self.least, total)
        for slot in 0..<ring.count { ring[slot] *= scale }
        for index in 0..<count {
            largest.unsafeElements[index] *= scale
            sums.unsafeElements[index] *= scale
        }
        self.total *= scale
    }
}
