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
    /// a jump, and the delay filter rings to both sides of it. A count begins earlier by its longest consonant and by the fade
    /// of the word before. Changes with `choose`.
    public private(set) var leadFrames: Int
    /// The same for clicks that have no fraction.
    package private(set) var wholeLeadFrames: Int
    /// The frames after which a click is silent.
    public let longestRing: Int
    private let wordFade: Int

    /// A silent track. Allocates.
    ///
    /// - Parameters:
    ///   - sounds: one for each layer, at least one. Recordings have to be at the same rate.
    ///   - sampleRate: the rate of the stream. Partials above 45 % of it are left out.
    public init(sounds: [ClickSound], sampleRate: Hertz) {
        self.init(bank: ClickBank(sounds: sounds, sampleRate: sampleRate), sampleRate: sampleRate)
    }

    package init(bank: consuming ClickBank, sampleRate: Hertz) {
        // A layer rings, fades and begins. Strikes that are ahead by the lead of a count come on top, every 5 ms at most.
        let ahead = bank.longestLead - (bank.hasRecordings ? FractionalDelay.lead : 0)
        let count = bank.layerCount * (3 + ahead / max(1, Int(sampleRate.value / 200)))
        strikes = SampleBuffer(count: count, repeating: Strike())
        order = SampleBuffer(count: count, repeating: 0)
        for place in 0..<count { order[place] = place }
        real = SampleBuffer(count: count * ClickVoice.maximumPartials, repeating: SIMD8<Float>())
        imaginary = SampleBuffer(count: count * ClickVoice.maximumPartials, repeating: SIMD8<Float>())
        delays = SampleBuffer(count: count, repeating: FractionalDelay())
        leadFrames = bank.lead(choice: 0, isExact: true)
        wholeLeadFrames = bank.lead(choice: 0, isExact: false)
        fadeFrames = max(1, bank.hasRecordings ? FractionalDelay.lead : 0, Int(sampleRate.value / 1_000))
        wordFade = ClickBank.wordFade(sampleRate.value)
        longestRing = bank.longestRing + 2 * bank.longestLead + 8
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
        strike(layer: layer, level: level, gain: gain, fraction: fraction, ahead: ahead, word: nil)
    }

    /// Whether the sound of the first layer is a count.
    package var isCounting: Bool { @_noLocks get { bank.counts(choice: choice) } }

    /// Starts a click, or a word of a count.
    ///
    /// - Parameter word: what a count says; `nil`: it ticks.
    @_noLocks package mutating func strike(
        layer: Int, level: AccentLevel, gain: Float, fraction: Double?, ahead: Int, word: CountWord?
    ) {
        if level.number == 0 || layer >= bank.layerCount { return }
        var kernelIndex = bank.kernelIndex(layer: layer, choice: choice, level: level)
        var strike = Strike()
        strike.gain = gain
        if let word, layer == 0 {
            let spoken = bank.kernelIndex(of: word, choice: choice)
            if spoken >= 0 {
                kernelIndex = spoken
                strike.gain *= bank.wordLevels[level]
            }
        }
        let kernel = bank.kernels[kernelIndex]
        // What sounds before the frame, as far as there is time for it.
        let isDelayed = kernel.isRecorded && fraction != nil
        let begin = ahead - kernel.preRoll - (isDelayed ? FractionalDelay.lead : 0)
        let missing = max(0, -begin)
        let slot = makeRoom(layer: layer, before: max(0, begin))
        strike.framesLeft = kernel.frameCount + (isDelayed ? 2 * FractionalDelay.lead : 0) - missing
        if kernel.frameCount == 0 || strike.framesLeft <= 0 { return }
        makeLatest(slot)
        strike.layer = layer
        strike.kernel = kernelIndex
        strike.gain *= kernel.gain
        strike.untilFrame = ahead
        strike.wait = max(0, begin)
        if kernel.isRecorded {
            strike.isDelayed = isDelayed
            if let fraction { delays[slot] = FractionalDelay(fraction) }
            strike.played = missing
            if kernel.isWord && missing > 0 {
                strike.rise = wordFade / 2
                strike.riseLeft = strike.rise
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
        if choice < 0 || choice >= bank.choiceCount { return }
        self.choice = choice
        leadFrames = bank.lead(choice: choice, isExact: true)
        wholeLeadFrames = bank.lead(choice: choice, isExact: false)
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
    @_noLocks public mutating func fade(layer: Int) {
        for index in strikes.indices where strikes[index].layer == layer && strikes[index].framesLeft > 0 {
            damp(index)
        }
    }

    /// Fades everything.
    @_noLocks public mutating func fade() { for layer in 0..<bank.layerCount { fade(layer: layer) } }

    /// Silences everything at once.
    @_noLocks public mutating func reset() {
        for index in strikes.indices { strikes[index].framesLeft = 0 }
    }

    /// Fades a click from now on.
    @_noLocks private mutating func damp(_ index: Int) {
        var strike = strikes[index]
        if strike.fade == 0 {
            // A click that has not reached its frame must not reach it.
            let until = strike.untilFrame
            strike.fade = until == 0 ? fadeFrames : min(until - strike.wait, max(fadeFrames, 1))
        } else if strike.framesLeft > strike.fade {
            // It was to fade later.
            strike.fade = min(strike.fade, fadeFrames)
        }
        strike.framesLeft = strike.wait > 0 ? 0 : min(strike.framesLeft, strike.fade)
        strikes[index] = strike
    }

    /// Fades what rings on a layer before its next click begins, or from now on if there is no time for it; and returns a free
    /// place, or the one that will be silent soonest.
    ///
    /// - Parameter begin: in how many frames the click begins.
    @_noLocks private mutating func makeRoom(layer: Int, before begin: Int) -> Int {
        var slot = order[0]
        for place in order.indices {
            let index = order[place]
            var strike = strikes[index]
            if strike.framesLeft > 0 && strike.layer == layer {
                let length = bank.kernels[strike.kernel].isWord ? wordFade : fadeFrames
                if strike.wait > 0 && strike.wait >= begin {
                    strike.framesLeft = 0
                } else if strike.fade == 0 || strike.framesLeft > strike.fade {
                    let left = max(begin - strike.wait, strike.wait > 0 ? 1 : length)
                    strike.fade = min(length, left)
                    strike.framesLeft = min(strike.framesLeft, left)
                }
                strikes[index] = strike
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
