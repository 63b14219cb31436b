internal import CRealtime
public import Music
internal import Realtime
public import Timebase

/// Strikes clicks and mixes those that ring: the last stage of the metronome's audio thread.
///
/// A layer is a single instrument: a strike fades what still rings on it within `fadeFrames`. Call `fade(layer:)` that much
/// before the next strike and one layer is never louder than one click. The result does not depend on the block sizes, to
/// the bit.
public struct ClickTrack: ~Copyable, Sendable {
    private let bank: ClickBank
    /// The sound of the first layer.
    private var choice = 0
    private var strikes: SampleBuffer<Strike>
    /// The places of the strikes, the latest last. Mixing in this order makes the sum independent of which place was free, to
    /// the bit.
    private var order: SampleBuffer<Int>
    /// For each strike the state of each partial: eight samples of a rotating, decaying complex number.
    private var real: SampleBuffer<SIMD8<Float>>, imaginary: SampleBuffer<SIMD8<Float>>
    private var delays: SampleBuffer<FractionalDelay>
    /// The length of a fade: one millisecond, short enough to be masked by the new click and long enough not to crackle.
    public let fadeFrames: Int
    /// How many frames before its instant a click between two frames begins to sound: 0 for voices. A recording may begin with
    /// a jump, and the delay filter rings to both sides of it.
    public let leadFrames: Int
    /// The frames after which a click is silent.
    public let longestRing: Int

    /// A silent track. Allocates.
    ///
    /// - Parameters:
    ///   - sounds: one for each layer, at least one. Recordings have to be at the same rate.
    ///   - sampleRate: the rate of the stream. Partials above 45 % of it are left out.
    public init(sounds: [ClickSound], sampleRate: Hertz) {
        self.init(bank: ClickBank(sounds: sounds, sampleRate: sampleRate), sampleRate: sampleRate)
    }

    package init(bank: consuming ClickBank, sampleRate: Hertz) {
        let count = bank.layerCount * 3
        strikes = SampleBuffer(count: count, repeating: Strike())
        order = SampleBuffer(count: count, repeating: 0)
        for place in 0..<count { order[place] = place }
        real = SampleBuffer(count: count * ClickVoice.maximumPartials, repeating: SIMD8<Float>())
        imaginary = SampleBuffer(count: count * ClickVoice.maximumPartials, repeating: SIMD8<Float>())
        delays = SampleBuffer(count: count, repeating: FractionalDelay())
        leadFrames = bank.hasRecordings ? FractionalDelay.lead : 0
        fadeFrames = max(1, leadFrames, Int(sampleRate.value / 1_000))
        longestRing = bank.longestRing + 2 * leadFrames + 8
        self.bank = bank
    }

    /// Starts a click on a coming frame, the first one on which a voice sounds.
    ///
    /// - Parameters:
    ///   - layer: the voice.
    ///   - level: the accent level; `.silent` does nothing.
    ///   - gain: a further factor, 0 to 1.
    ///   - fraction: how far after that frame the exact instant lies, -1/2 to 1/2 frame; `nil`: all clicks have the same samples.
    ///   - ahead: the distance of that frame from the next one to be rendered. A recording needs `leadFrames` to be heard
    ///     completely.
    ///
    /// A voice starts a frame or more into its attack, where it is audible in 16 bits. This offset is the same for all clicks of
    /// the voice, so the time from click to click is exact.
    @_noLocks public mutating func strike(
        layer: Int, level: AccentLevel, gain: Float, fraction: Double?, ahead: Int = 0
    ) {
        if level.number == 0 || layer >= bank.layerCount { return }
        let slot = damp(layer: layer)
        let kernelIndex = bank.kernelIndex(layer: layer, choice: choice, level: level)
        let kernel = bank.kernels[kernelIndex]
        if kernel.frameCount == 0 { return }
        makeLatest(slot)
        var strike = Strike()
        strike.framesLeft = kernel.frameCount
        strike.layer = layer
        strike.kernel = kernelIndex
        strike.gain = kernel.gain * gain
        strike.untilFrame = ahead
        strike.wait = ahead
        if kernel.isRecorded {
            if let fraction {
                strike.isDelayed = true
                delays[slot] = FractionalDelay(fraction)
                // What sounds before the frame, as far as there is time for it.
                let lead = min(FractionalDelay.lead, ahead)
                strike.wait -= lead
                strike.played = FractionalDelay.lead - lead
                strike.framesLeft += FractionalDelay.lead + lead
            }
            strikes[slot] = strike
            return
        }
        strike.soundingPartials = kernel.partialCount
        let t = kernel.start - (fraction ?? 0)
        strike.attack = kernel.attackLanes * Float(rt_exp(-kernel.attackDamping * t))
        for p in 0..<kernel.partialCount {
            let partial = bank.partials[kernel.firstPartial + p]
            let amplitude = partial.amplitude * rt_exp(-partial.damping * t)
            let angle = partial.angle * t + partial.phase
            let (re, im) = (Float(amplitude * rt_cos(angle)), Float(amplitude * rt_sin(angle)))
            let at = slot * ClickVoice.maximumPartials + p
            real[at] = partial.laneReal * re - partial.laneImaginary * im
            imaginary[at] = partial.laneReal * im + partial.laneImaginary * re
        }
        strikes[slot] = strike
    }

    /// Changes the sound of the first layer: 0 is the original one, 1 the first of the bank's choices. What rings goes on
    /// ringing. A choice that the bank does not have changes nothing.
    @_noLocks public mutating func choose(_ choice: Int) {
        if choice >= 0 && choice < bank.choiceCount { self.choice = choice }
    }

    /// Overwrites a part of the block with the sum of all clicks.
    @_noLocks public mutating func render(into frames: inout MutableSpan<Float>, from start: Int, to end: Int) {
        for i in start..<end { frames[i] = 0 }
        for place in order.indices {
            let index = order[place]
            if strikes[index].framesLeft > 0 { mix(index, into: &frames, from: start, to: end) }
        }
    }

    /// Fades what rings on one layer.
    @_noLocks public mutating func fade(layer: Int) { _ = damp(layer: layer) }

    /// Fades everything.
    @_noLocks public mutating func fade() { for layer in 0..<bank.layerCount { _ = damp(layer: layer) } }

    /// Silences everything at once.
    @_noLocks public mutating func reset() {
        for index in strikes.indices { strikes[index].framesLeft = 0 }
    }

    /// Fades what rings on a layer, and returns a free place, or the one that will be silent soonest.
    @_noLocks private mutating func damp(layer: Int) -> Int {
        var slot = order[0]
        for place in order.indices {
            let index = order[place]
            let framesLeft = strikes[index].framesLeft
            if framesLeft > 0 && strikes[index].layer == layer && strikes[index].fade == 0 {
                // A click that has not reached its frame must not reach it.
                let until = strikes[index].untilFrame
                let fade = until == 0 ? fadeFrames : until - strikes[index].wait
                strikes[index].fade = fade
                strikes[index].framesLeft = strikes[index].wait > 0 ? 0 : min(framesLeft, fade)
            }
            if strikes[index].framesLeft < strikes[slot].framesLeft { slot = index }
        }
        return slot
    }

    /// Moves a place to the end of the order.
    @_noLocks private mutating func makeLatest(_ slot: Int) {
        var place = 0
        while order[place] != slot { place += 1 }
        while place + 1 < order.count {
            order[place] = order[place + 1]
            place += 1
        }
        order[place] = slot
    }

    @_noLocks private mutating func mix(
        _ index: Int, into frames: inout MutableSpan<Float>, from start: Int, to end: Int
    ) {
        var strike = strikes[index]
        strike.untilFrame = max(0, strike.untilFrame - (end - start))
        var i = min(end, start + strike.wait)
        strike.wait -= i - start
        let last = min(end, i + strike.framesLeft)
        while i < last {
            if strike.lane == 0 {
                strike.pending = nextEight(index, &strike)
                if strike.fade == 0 && last - i >= 8 {
                    for lane in 0..<8 { frames[i + lane] += strike.pending[lane] }
                    i += 8
                    strike.framesLeft -= 8
                    continue
                }
            }
            var sample = strike.pending[strike.lane]
            if strike.fade > 0 { sample *= Float(strike.framesLeft) / Float(strike.fade) }
            frames[i] += sample
            strike.lane = (strike.lane + 1) & 7
            strike.framesLeft -= 1
            i += 1
        }
        strikes[index] = strike
    }

    @_noLocks private mutating func nextEight(_ index: Int, _ strike: inout Strike) -> SIMD8<Float> {
        let kernel = bank.kernels[strike.kernel]
        if kernel.isRecorded { return nextEightRecorded(index, kernel, &strike) }
        var sum = SIMD8<Float>()
        var count = strike.soundingPartials
        while count > 0 && bank.partials[kernel.firstPartial + count - 1].frameCount <= strike.played { count -= 1 }
        strike.soundingPartials = count
        strike.played += 8
        for p in 0..<count {
            let at = index * ClickVoice.maximumPartials + p
            let (re, im) = (real[at], imaginary[at])
            let partial = bank.partials[kernel.firstPartial + p]
            sum += re
            real[at] = re * partial.stepReal - im * partial.stepImaginary
            imaginary[at] = re * partial.stepImaginary + im * partial.stepReal
        }
        let blow = 1 - strike.attack
        strike.attack *= kernel.attackStep
        return sum * blow * blow * blow * strike.gain
    }

    /// The next eight samples of a recording, delayed by a fraction of a sample if the strike lies between two frames.
    @_noLocks private func nextEightRecorded(_ index: Int, _ kernel: ClickKernel, _ strike: inout Strike)
        -> SIMD8<Float>
    {
        var eight = SIMD8<Float>()
        // The recording is preceded by as many zeros as the filter has weights.
        let first = kernel.firstSample + strike.played
        strike.played += 8
        if !strike.isDelayed {
            for lane in 0..<8 { eight[lane] = bank.recordings[first + FractionalDelay.taps + lane] }
            return eight * strike.gain
        }
        let delay = delays[index]
        for lane in 0..<8 {
            var (even, odd) = (SIMD8<Float>(), SIMD8<Float>())
            for group in 0..<4 {
                var (left, right) = (SIMD8<Float>(), SIMD8<Float>())
                for i in 0..<8 {
                    left[i] = bank.recordings[first + lane + 16 * group + i]
                    right[i] = bank.recordings[first + lane + 16 * group + 8 + i]
                }
                even += left * delay.weights[2 * group]
                odd += right * delay.weights[2 * group + 1]
            }
            let sum = even + odd
            eight[lane] = (sum[0] + sum[1]) + (sum[2] + sum[3]) + ((sum[4] + sum[5]) + (sum[6] + sum[7]))
        }
        return eight * strike.gain
    }
}
