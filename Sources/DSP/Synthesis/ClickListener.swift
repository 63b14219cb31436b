/// Hears clicks in a recording and tells where each begins, to a fraction of a sample.
///
/// A rise of energy finds a click, of whatever sound; its waveform places it. A click of our own is laid over what its
/// voice sounds like, and its position is the instant that the metronome meant. Any other sound is learnt when it is
/// heard first, and later ones are laid over that: from click to click that is as exact, and only the constant between
/// the instant that is told and the one that was meant is a guess, the first sample that stands out.
///
/// Not for the audio thread: it allocates.
/// - SeeAlso: Turin, "An introduction to matched filters", IRE Trans. Information Theory 6(3), 1960; Bello et al., "A
///   tutorial on onset detection in music signals", IEEE Trans. Speech Audio Processing 13(5), 2005.
public struct ClickListener: Sendable {
    /// A click that was heard.
    public struct Click: Sendable, Hashable {
        /// Where it begins in all samples taken in, counted from 0; between two samples as a rule.
        public var position: Double
        /// The largest sample of its first 8 ms, without a sign.
        public var peak: Double
        /// How alike it is to the waveform that placed it, 0 to 1; 0: it was the first of its kind.
        public var likeness: Double
        /// Whether that waveform was one of ours.
        public var isOurs: Bool
    }

    private var templates: [ClickTemplate]
    private let sampleRate: Int
    private let spacing: Int
    /// Samples not done with: the oldest has the index `start`.
    private var samples: [Float] = []
    private var start: Int
    /// Where to look next.
    private var next: Int
    /// The energy of the loudest click so far.
    private var loudest = 0.0

    /// A listener.
    ///
    /// - Parameters:
    ///   - sampleRate: of what is heard, in frames per second.
    ///   - sounds: those that are known, such as all voices of the metronome; others are learnt.
    ///   - spacing: the shortest time between two clicks, in seconds.
    public init(sampleRate: Int, knowing sounds: [ClickSound] = [], spacing: Double = 0.05) {
        precondition(sampleRate >= 1_000 && spacing > 0, "a rate of 1 kHz or more, a time above zero")
        self.sampleRate = sampleRate
        self.spacing = max(1, Int(spacing * Double(sampleRate)))
        templates = sounds.flatMap { ClickTemplate.known($0, sampleRate: sampleRate) }
        // Silence before the first sample: what is recorded may begin with a click.
        samples = [Float](repeating: 0, count: sampleRate / 50)
        (start, next) = (-samples.count, -sampleRate / 1_000)
    }

    /// Takes in the next samples and returns the clicks that are certain now, oldest first.
    public mutating func process(_ block: borrowing Span<Float>) -> [Click] {
        samples.reserveCapacity(samples.count + block.count)
        for i in block.indices { samples.append(block[i].isFinite ? block[i] : 0) }
        return search()
    }

    /// There is no more: returns the clicks at the very end, if any.
    public mutating func finish() -> [Click] {
        // Held, not dropped to zero: that would be a blow.
        samples.append(contentsOf: repeatElement(samples.last ?? 0, count: reach + 1))
        return search()
    }

    /// How far ahead of where it looks the listener has to see: the rise, the click and what it may be shifted by.
    private var reach: Int { sampleRate / 1_000 * 6 + ClickTemplate.count(sampleRate) }
    /// 1 ms, in which energy has to come, and 10 ms before it.
    private var short: Int { sampleRate / 1_000 }
    private var long: Int { sampleRate / 100 }
    /// 10 dB above the 10 ms before.
    private static let rise = 10.0
    /// 40 dB below the loudest click, and 80 dB below full scale.
    private static let share = 1e-4
    private static let floor = 1e-8

    private mutating func search() -> [Click] {
        var found: [Click] = []
        while next + reach < start + samples.count {
            guard let onset = firstOnset() else { break }
            let (click, learnt) = place(onset)
            if let learnt, templates.count < 64, onset > long { templates.append(learnt) }
            // A recording that begins in the middle of a sound begins with a rise, and not with a click.
            if click.isOurs || onset > long { found.append(click) }
            next = onset + spacing
        }
        // The 10 ms before where to look, and what a template may reach back.
        let done = max(0, min(samples.count, next - start - 2 * long))
        samples.removeFirst(done)
        start += done
        return found
    }

    /// The first sample that stands out of the first click from `next` on; `nil`: there is none in what can be seen.
    private mutating func firstOnset() -> Int? {
        let (short, long) = (short, long)
        let origin = start
        var at = next
        let end = start + samples.count - reach
        let loudest = loudest
        let onset: (index: Int, energy: Double)? = samples.withUnsafeBufferPointer { values in
            // Differences: a hum and a standing voltage have little of them, a blow has much.
            func power(_ n: Int) -> Double {
                let i = n - origin
                let step = i > 0 ? Double(values[i]) - Double(values[i - 1]) : 0
                return step * step
            }
            var ahead = (at..<(at + short)).reduce(0.0) { $0 + power($1) }
            var before = (max(origin, at - long)..<at).reduce(0.0) { $0 + power($1) }
            let floor = max(Self.floor, loudest * Self.share)
            while at < end {
                let energy = ahead / Double(short)
                if energy > floor, energy > Self.rise * before / Double(long) {
                    // Three milliseconds hold the steepest of the blow.
                    let first = max(1, at - origin)
                    return (
                        origin + ClickTemplate.firstStanding(out: values, from: first, to: first + 3 * short), energy
                    )
                }
                ahead = max(0, ahead - power(at) + power(at + short))
                before = max(0, before + power(at) - (at - long >= origin ? power(at - long) : 0))
                at += 1
            }
            return nil
        }
        guard let onset else {
            next = max(next, end)
            return nil
        }
        self.loudest = max(loudest, onset.energy)
        return onset.index
    }

    private func place(_ onset: Int) -> (Click, ClickTemplate?) {
        samples.withUnsafeBufferPointer { values in
            let i = onset - start
            let count = ClickTemplate.count(sampleRate)
            var peak: Float = 0
            for n in i..<min(values.count, i + count) { peak = max(peak, abs(values[n])) }
            var best: (place: Double, likeness: Double, isOurs: Bool)?
            for template in templates {
                guard let match = template.match(values, onset: i), match.likeness > best?.likeness ?? 0.9 else {
                    continue
                }
                best = (match.place, match.likeness, template.isOurs)
            }
            if let best {
                return (
                    Click(
                        position: Double(onset) + best.place, peak: Double(peak), likeness: best.likeness,
                        isOurs: best.isOurs), nil
                )
            }
            let click = Click(position: Double(onset), peak: Double(peak), likeness: 0, isOurs: false)
            return (click, ClickTemplate(learntFrom: values, onset: i, sampleRate: sampleRate))
        }
    }
}
