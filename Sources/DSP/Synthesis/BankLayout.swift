internal import CRealtime
internal import Music
internal import Timebase

/// Collects the parts of a bank.
internal struct BankLayout {
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
    ///
    /// Each partial is turned and damped from frame to frame instead of computed anew, which takes a tenth of the time.
    private func peak(of kernel: ClickKernel, _ partials: [PartialKernel]) -> Double {
        var peak = 0.0
        var phasors = partials.map { partial in
            let (level, angle) = (partial.amplitude * rt_exp(-partial.damping), partial.angle + partial.phase)
            return SIMD2(level * rt_cos(angle), level * rt_sin(angle))
        }
        let steps = partials.map { partial in
            rt_exp(-partial.damping) * SIMD2(rt_cos(partial.angle), rt_sin(partial.angle))
        }
        let damping = rt_exp(-kernel.attackDamping)
        var attack = damping
        for _ in 0..<min(kernel.frameCount, Int(0.03 * sampleRate)) {
            var sum = 0.0
            for i in phasors.indices {
                let (z, step) = (phasors[i], steps[i])
                sum += z.x
                phasors[i] = SIMD2(z.x * step.x - z.y * step.y, z.x * step.y + z.y * step.x)
            }
            let envelope = 1 - attack
            peak = max(peak, abs(sum * envelope * envelope * envelope))
            attack *= damping
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
