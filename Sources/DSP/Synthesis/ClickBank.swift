internal import CRealtime
package import Music
internal import Realtime
package import Timebase

/// The click sounds of a metronome at one sample rate: all levels of each layer (voice).
package struct ClickBank: ~Copyable, Sendable {
    /// How many voices can sound at once.
    package let layerCount: Int
    /// How many sounds the first layer can choose from.
    internal let choiceCount: Int
    /// The peak of the loudest sound of each level, relative to the most that a layer may have.
    package let levelPeaks: LevelAmplitudes
    private let levelCount = AccentLevel.allCases.count
    internal let kernels: SampleBuffer<ClickKernel>
    internal let partials: SampleBuffer<PartialKernel>
    internal let hasRecordings: Bool
    /// For each sound the index of the kernel of its first word; -1: it does not count.
    private let firstWords: SampleBuffer<Int>
    /// For each sound, how many frames before their instants its words begin at most, with the fade of the word before; and
    /// whether it is recorded.
    private let wordLeads: SampleBuffer<Int>, areRecorded: SampleBuffer<Bool>
    /// The loudness of the words of each level.
    internal let wordLevels = LevelAmplitudes { Float($0.defaultLoudness.amplitude) * ClickBank.speech }
    /// 3 dB below a click of the same peak, to which speech is louder by more: -21 LUFS, and clicks -34 to -23.
    fileprivate static let speech: Float = 0.708
    /// The recordings one after another, each padded with silence for the delay filter.
    internal let recordings: SampleBuffer<Float>

    /// The peak of the loudest level of all layers together: -2 dBFS. The room up to -1 dBFS is for tails that ring into the
    /// next click.
    internal static let ceiling = 0.794

    /// Prepares sounds. Allocates, and finds the peaks of recordings between their samples with 256 multiplications per
    /// sample: call before the stream starts.
    ///
    /// - Parameters:
    ///   - sounds: one per layer, at least one; recordings have to be at the same sample rate.
    ///   - choices: further sounds that the first layer can change to; see `ClickTrack.choose`.
    ///   - sampleRate: partials above 45 % of it are left out.
    package init(sounds: [ClickSound], choices: [ClickSound] = [], sampleRate: Hertz) {
        precondition(!sounds.isEmpty, "a bank needs at least one sound")
        (layerCount, choiceCount) = (sounds.count, 1 + choices.count)
        var layout = BankLayout(layers: sounds.count, choices: choices.count, sampleRate: sampleRate.value)
        // The choices come after the layers, like layers that never sound at the same time.
        for (place, sound) in (sounds + choices).enumerated() {
            switch sound {
            case .voice(let voice): for level in AccentLevel.audible { layout.add(voice, level: level, place: place) }
            case .recorded(let click):
                if let tick = click.tick {
                    for level in AccentLevel.audible { layout.add(tick, level: level, place: place) }
                    layout.add(click.words, peak: click.wordPeak, place: place)
                } else {
                    layout.add(click, place: place)
                }
            }
            layout.align(place: place)
        }
        levelPeaks = layout.levelPeaks
        kernels = SampleBuffer(copying: layout.kernels, filler: ClickKernel())
        let silence = PartialKernel(amplitude: 0, angle: 1, damping: 1, attackDamping: 1)
        partials = SampleBuffer(copying: layout.partials, filler: silence)
        hasRecordings = layout.hasRecordings
        recordings = SampleBuffer(copying: layout.recordings, filler: 0)
        firstWords = SampleBuffer(copying: layout.firstWords, filler: -1)
        wordLeads = SampleBuffer(copying: layout.wordLeads, filler: 0)
        areRecorded = SampleBuffer(copying: layout.areRecorded, filler: false)
    }

    /// How long a word fades before the next one begins: 10 ms, which sounds like an early end and not like a cut.
    internal static func wordFade(_ sampleRate: Double) -> Int { max(1, Int(sampleRate / 100)) }

    /// The longest ring of all sounds, in frames.
    internal var longestRing: Int {
        var longest = 0
        for index in kernels.indices { longest = max(longest, kernels[index].frameCount) }
        return longest
    }

    /// How many frames before its instant a click of any layer begins, if the first layer has a certain sound.
    @_noLocks internal func lead(choice: Int, isExact: Bool) -> Int {
        var isRecorded = areRecorded[place(layer: 0, choice: choice)]
        for layer in 1..<layerCount where areRecorded[layer] { isRecorded = true }
        return wordLeads[place(layer: 0, choice: choice)] + (isExact && isRecorded ? FractionalDelay.lead : 0)
    }

    /// The largest of these leads.
    internal var longestLead: Int {
        var longest = hasRecordings ? FractionalDelay.lead : 0
        for choice in 0..<choiceCount { longest = max(longest, lead(choice: choice, isExact: true)) }
        return longest
    }

    @_noLocks internal func counts(choice: Int) -> Bool { firstWords[place(layer: 0, choice: choice)] >= 0 }

    /// The kernel of a word; -1 if the sound does not have it.
    @_noLocks internal func kernelIndex(of word: CountWord, choice: Int) -> Int {
        let first = firstWords[place(layer: 0, choice: choice)]
        if first < 0 { return -1 }
        return kernels[first + word.index].frameCount > 0 ? first + word.index : -1
    }

    @_noLocks private func place(layer: Int, choice: Int) -> Int {
        layer == 0 && choice > 0 ? layerCount - 1 + choice : layer
    }

    @_noLocks internal func kernelIndex(layer: Int, choice: Int, level: AccentLevel) -> Int {
        place(layer: layer, choice: choice) * levelCount + level.number
    }
}

/// Collects the parts of a bank.
private struct BankLayout {
    var kernels: [ClickKernel]
    var partials: [PartialKernel] = []
    var recordings: [Float] = []
    var hasRecordings = false
    var levelPeaks = LevelAmplitudes()
    var firstWords: [Int], wordLeads: [Int], areRecorded: [Bool]
    private let levelCount = AccentLevel.allCases.count
    private let layers: Int
    private let sampleRate: Double

    init(layers: Int, choices: Int, sampleRate: Double) {
        kernels = Array(repeating: ClickKernel(), count: (layers + choices) * levelCount)
        firstWords = Array(repeating: -1, count: layers + choices)
        wordLeads = Array(repeating: 0, count: layers + choices)
        areRecorded = Array(repeating: false, count: layers + choices)
        (self.layers, self.sampleRate) = (layers, sampleRate)
    }

    mutating func add(_ voice: ClickVoice, level: AccentLevel, place: Int) {
        let expression = voice.expression(of: level)
        var kernel = ClickKernel()
        kernel.attackDamping = 1 / (voice.attack.inSeconds * sampleRate)
        for lane in 0..<8 { kernel.attackLanes[lane] = Float(rt_exp(-kernel.attackDamping * Double(lane))) }
        kernel.attackStep = Float(rt_exp(-kernel.attackDamping * 8))
        // At a rate too low for every partial, all of them are lowered instead of left out.
        let lowest = voice.partials.map(\.frequency.value).min() ?? 0
        let pitch = min(expression.pitch, 0.4 * sampleRate / max(lowest, 1))
        // The longest first, so that those that have died away are dropped from the end.
        let audible = voice.partials.filter { $0.frequency.value * pitch < 0.45 * sampleRate }
        let own = audible.sorted { $0.decay > $1.decay }.map { partial in
            PartialKernel(
                amplitude: partial.amplitude, angle: 2 * .pi * partial.frequency.value * pitch / sampleRate,
                damping: 1 / (partial.decay.inSeconds * expression.decay * sampleRate),
                attackDamping: kernel.attackDamping)
        }
        kernel.frameCount = own.first?.frameCount ?? 0
        kernel.firstPartial = partials.count
        kernel.partialCount = own.count
        partials += own
        let peak = peak(of: kernel, own)
        let loudness = expression.loudness.amplitude * ClickBank.ceiling / Double(layers)
        kernel.gain = peak > 0 ? Float(loudness / peak) : 0
        levelPeaks[level] = max(levelPeaks[level], Float(expression.loudness.amplitude))
        kernels[place * levelCount + level.number] = kernel
    }

    mutating func add(_ click: RecordedClick, place: Int) {
        let peaks = AccentLevel.audible.map { (level: $0, peak: TruePeak().peak(of: click.samples(of: $0))) }
        let loudest = peaks.map { $0.peak }.max() ?? 0
        for (level, peak) in peaks { add(click.samples(of: level), peak, loudest, level: level, place: place) }
    }

    private mutating func add(_ samples: [Float], _ peak: Float, _ loudest: Float, level: AccentLevel, place: Int) {
        let kernel = kernel(of: samples[...], loudest)
        if kernel.gain > 0 { levelPeaks[level] = max(levelPeaks[level], peak / loudest) }
        areRecorded[place] = true
        kernels[place * levelCount + level.number] = kernel
    }

    /// Adds the words of a count. Only the first layer counts.
    mutating func add(_ words: [RecordedClick.Word?], peak: Float?, place: Int) {
        guard place == 0 || place >= layers else { return }
        let loudest = peak ?? words.reduce(0) { max($0, $1.map { TruePeak().peak(of: $0.samples) } ?? 0) }
        firstWords[place] = kernels.count
        areRecorded[place] = true
        for word in words {
            // Half a second of it before its instant at most.
            let late = max(0, (word?.instant ?? 0) - Int(sampleRate / 2))
            var kernel = kernel(of: word?.samples.dropFirst(late) ?? [], loudest)
            (kernel.isWord, kernel.preRoll) = (true, min(word?.instant ?? 0, word?.samples.count ?? 0) - late)
            if kernel.frameCount > 0 {
                wordLeads[place] = max(wordLeads[place], kernel.preRoll + ClickBank.wordFade(sampleRate))
            }
            kernels.append(kernel)
        }
        for level in AccentLevel.audible {
            levelPeaks[level] = max(levelPeaks[level], Float(level.defaultLoudness.amplitude) * ClickBank.speech)
        }
    }

    /// Keeps a recording that is scaled by the same gain as the loudest of its sound.
    private mutating func kernel(of samples: ArraySlice<Float>, _ loudest: Float) -> ClickKernel {
        var kernel = ClickKernel()
        kernel.isRecorded = true
        kernel.firstSample = recordings.count
        kernel.frameCount = samples.count
        // What Float cannot scale, because it is too faint or too loud, is no sound.
        let gain = Float(ClickBank.ceiling / Double(layers)) / loudest
        if loudest > 0 && gain.isNormal { kernel.gain = gain } else { kernel.frameCount = 0 }
        recordings += Array(repeating: 0, count: FractionalDelay.taps)
        recordings += samples
        // The filter looks ahead, and eight samples are computed at once.
        recordings += Array(repeating: 0, count: 2 * FractionalDelay.taps)
        hasRecordings = true
        return kernel
    }

    /// The peak of one click within its first 30 ms, after which it only decays.
    private func peak(of kernel: ClickKernel, _ partials: [PartialKernel]) -> Double {
        var peak = 0.0
        for n in 0..<min(kernel.frameCount, Int(0.03 * sampleRate)) {
            peak = max(peak, abs(value(of: kernel, partials, at: Double(n) + 1)))
        }
        return peak
    }

    /// A click before its gain, `t` frames after the start of its attack.
    private func value(of kernel: ClickKernel, _ partials: some Sequence<PartialKernel>, at t: Double) -> Double {
        var sum = 0.0
        for partial in partials {
            sum += partial.amplitude * rt_exp(-partial.damping * t) * rt_cos(partial.angle * t + partial.phase)
        }
        let envelope = 1 - rt_exp(-kernel.attackDamping * t)
        return sum * envelope * envelope * envelope
    }

    /// Starts all levels of a voice so far into the attack that the first frame is not silent in 16 bits: two steps, or one
    /// in a part of a beat, wherever the instant lies within half a frame.
    mutating func align(place: Int) {
        let levels = place * levelCount..<(place + 1) * levelCount
        let voiced = kernels[levels].filter { !$0.isRecorded && $0.partialCount > 0 }
        // At most four frames or half of the attack, where the envelope has a sixteenth of its height.
        let latest = max(4, voiced.reduce(0) { max($0, 0.5 / $1.attackDamping) })
        let audible = stride(from: 1, through: latest, by: 0.125).first { start in
            voiced.allSatisfy { kernel in
                let own = partials[kernel.firstPartial..<(kernel.firstPartial + kernel.partialCount)]
                let values = (-4...4).map { value(of: kernel, own, at: start + Double($0) / 8) * Double(kernel.gain) }
                // All of one sign: where the sign changes, one instant is silent.
                return values.allSatisfy { $0 >= 2.0 / 32_768 } || values.allSatisfy { $0 <= -2.0 / 32_768 }
            }
        }
        let start = audible ?? 1
        for index in levels { kernels[index].start = start }
    }
}
