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
    internal let bank: ClickBank
    /// The sound of the first layer.
    private var choice = 0
    internal var strikes: SampleBuffer<Strike>
    /// The places of the strikes, the latest last. Mixing in this order makes the sum independent of which place was free, to
    /// the bit.
    private var order: SampleBuffer<Int>
    /// For each strike the state of each partial: eight samples of a rotating, decaying complex number.
    internal var real: SampleBuffer<SIMD8<Float>>, imaginary: SampleBuffer<SIMD8<Float>>
    internal var delays: SampleBuffer<FractionalDelay>
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
}
