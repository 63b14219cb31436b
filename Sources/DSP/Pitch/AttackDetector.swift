internal import CRealtime
internal import Realtime
internal import Spectral

/// Where a sound begins: the sample of its attack, and whether anything sounds at all.
struct AttackDetector: ~Copyable {
    /// How many times louder than all of the level memory a step is that begins a sound: 9 dB. Beats and tremolo rise by less
    /// within it, and a note 10 dB over what rings by more.
    private static var attackRise: Double { @_noLocks get { 8 } }
    /// The power of the faintest attack, -80 dB of full scale: that of a quiet room's noise.
    private static var leastPower: Double { @_noLocks get { 1e-8 } }

    /// Where the note's window begins, in samples of the widest copy.
    private(set) var onset = 0
    /// The power of the newest step.
    private(set) var power = 0.0
    /// Where the last attack was, in the same samples. The beginning of a stream is none.
    private(set) var attack = -1 << 40
    /// The powers of the last steps.
    private let powers: SampleBuffer<Double>
    private var steps = 0
    private var received = 0
    /// Whether the window may still begin later, once the attack has come to its height.
    private var isRising = false

    /// - Parameter step: input samples.
    init(sampleRate: Double, step: Int, constants: PitchConstants) {
        let count = Int((constants.levelMemory * sampleRate / Double(step)).rounded(.up))
        powers = SampleBuffer(count: max(1, count))
    }

    @_noLocks mutating func reset() {
        (onset, attack, power, steps, received, isRising) = (0, -1 << 40, 0, 0, 0, false)
    }

    /// Takes in a step, whose last sample has the index `end` in the widest copy; returns how loud the sound before was
    /// where an attack began, as a share of the attack.
    @_noLocks mutating func hear(_ step: borrowing Span<Float>, base: Int) -> Double? {
        received += step.count
        power = meanSquare(of: step, newest: step.count)
        let before = loudest(of: powers.count)
        powers.unsafeElements[steps % powers.count] = power
        steps += 1
        let isKnown = received > powers.count * step.count
        if power > Background.leastRise * before, isKnown { attack = received / base }
        guard power > Self.attackRise * before, power > Self.leastPower else { return nil }
        var peak: Float = 0
        for n in 0..<step.count { peak = max(peak, abs(step[n])) }
        // The first sample that reaches a fifth of the peak and four times what sounded before, as noise seldom does.
        let least = max(0.2 * peak, 4 * Float(rt_sqrt(before)))
        var first = 0
        while first < step.count - 1 && abs(step[first]) <= least { first += 1 }
        onset = (received - step.count + first + base - 1) / base
        isRising = true
        return before / power
    }

    /// Whether anything sounds: in the level memory, or within one and a half periods of a note of `frequency` hertz.
    @_noLocks func isSounding(_ frequency: Double, _ sizes: NoteSizes) -> Bool {
        let periods =
            frequency > 0 ? Int(1.5 * sizes.rate / (frequency * Double(sizes.step))) + 2 : powers.count
        return loudest(of: periods) > PitchRange.silence()
    }

    /// Nothing sounds: the next sound begins now, and is compared with nothing.
    @_noLocks mutating func rest(at end: Int) { (onset, steps) = (end, 0) }

    /// Whether an attack came a short time ago.
    @_noLocks func isAnnounced(at end: Int, _ analyzer: borrowing NoteAnalyzer) -> Bool {
        end - attack < analyzer.sizes.samples(analyzer.constants.announcement)
    }

    /// Lets the window begin where the attack has come to 0.4 of its height, 1.5 ms later at most.
    @_noLocks mutating func passRise(_ analyzer: inout NoteAnalyzer) {
        guard isRising else { return }
        let longest = Int(analyzer.constants.longestRise * analyzer.sizes.rate)
        let known = analyzer.end - onset
        // Until a step after the attack: before that its height is not known.
        guard known >= longest + analyzer.sizes.step / 2 else { return }
        isRising = false
        guard known <= longest + 2 * analyzer.sizes.step else { return }
        let samples = analyzer.bank.latest(known, of: 0)
        var peak: Float = 0
        for n in 0..<known { peak = max(peak, abs(samples[n])) }
        var first = 0
        while first < longest && abs(samples[first]) < 0.4 * peak { first += 1 }
        onset += first
    }

    /// The highest power of the last `count` steps.
    @_noLocks private func loudest(of count: Int) -> Double {
        var loudest = 1e-14
        for n in 0..<min(min(steps, powers.count), count) {
            loudest = max(loudest, powers.unsafeElements[(steps - 1 - n) % powers.count])
        }
        return loudest
    }
}
