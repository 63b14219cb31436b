package import Music
package import Synthesis

/// Finds the clicks in a recording, each to a fraction of a sample.
///
/// A rise of energy finds a click of any sound, and its waveform gives its position. Clicks of the metronome are compared
/// with the waveforms of its voices, so that the position is the instant that the metronome meant. An unknown sound is
/// learnt from its first click, and later ones are compared with that: the distances from click to click are as exact, and
/// only the constant offset from the instant that was meant is a guess, the onset of the first click.
///
/// Not for the audio thread: it allocates.
/// - SeeAlso: Bello et al., "A tutorial on onset detection in music signals", IEEE Trans. Speech Audio Processing 13(5),
///   2005.
package struct ClickListener: Sendable {
    package struct Click: Sendable, Hashable {
        /// The position of its instant among all samples taken in, from 0; usually between two samples.
        package var position: Double
        /// The largest absolute sample of its first 8 ms.
        package var peak: Double
        /// The normalized correlation with the waveform it was compared with, 0 to 1; 0 for the first of its kind.
        package var likeness: Double
        /// Whether that waveform was one of the known sounds.
        package var isOurs: Bool
    }

    private var templates: [ClickTemplate]
    private let sampleRate: Int, spacing: Int
    /// Samples that are still needed: the oldest has the index `start`.
    private var samples: [Float] = []
    private var start: Int
    /// Where the search goes on.
    private var next: Int
    /// The energy of the loudest click so far.
    private var loudest = 0.0

    /// - Parameters:
    ///   - sampleRate: of the recording, at least 1 kHz.
    ///   - sounds: the known sounds, such as all voices of the metronome; others are learnt.
    ///   - spacing: the shortest time between two clicks.
    package init(sampleRate: Hertz, knowing sounds: [ClickSound] = [], spacing: Duration = .milliseconds(50)) {
        precondition(sampleRate.value >= 1_000 && spacing > .zero, "at least 1 kHz, and a time above zero")
        let rate = Int(sampleRate.value.rounded())
        self.sampleRate = rate
        self.spacing = max(1, Int(spacing.inSeconds * sampleRate.value))
        templates = sounds.flatMap { ClickTemplate.known($0, sampleRate: rate) }
        // Silence before the first sample: a recording may begin with a click.
        samples = [Float](repeating: 0, count: rate / 50)
        (start, next) = (-samples.count, -rate / 1_000)
    }

    /// Takes in the next samples and returns the clicks that are certain now, oldest first.
    package mutating func process(_ block: borrowing Span<Float>) -> [Click] {
        samples.reserveCapacity(samples.count + block.count)
        for i in block.indices { samples.append(safe(block[i])) }
        return search()
    }

    /// Ends the recording; returns the clicks at its very end, if any.
    package mutating func finish() -> [Click] {
        // The last value is held: a drop to zero would be a click.
        samples.append(contentsOf: repeatElement(samples.last ?? 0, count: reach + 1))
        return search()
    }

    /// How many samples beyond the current one are needed: the rise, the click and the shifts that are tried.
    private var reach: Int { sampleRate / 1_000 * 6 + ClickTemplate.count(sampleRate) }
    /// The energy of 1 ms is compared with that of the 10 ms before.
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
            // A recording that begins in the middle of a sound begins with a rise that is no click.
            if click.isOurs || onset > long { found.append(click) }
            next = onset + spacing
        }
        // Keeps the 10 ms before `next`, and what a template may reach back.
        let done = max(0, min(samples.count, next - start - 2 * long))
        samples.removeFirst(done)
        start += done
        return found
    }

    /// The onset of the first click from `next` on; `nil` when the samples at hand hold none.
    private mutating func firstOnset() -> Int? {
        let (short, long) = (short, long)
        let origin = start
        var at = next
        let end = start + samples.count - reach
        let loudest = loudest
        let onset: (index: Int, energy: Double)? = samples.withUnsafeBufferPointer { values in
            // Of differences: hum and offset have little energy there, a click has much.
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
                    // The steepest sample of a click comes within 3 ms.
                    let first = max(1, at - origin)
                    return (origin + ClickTemplate.onset(in: values, from: first, to: first + 3 * short), energy)
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

    /// The click whose onset is at `onset`, and the template to learn from it when its sound is new.
    private func place(_ onset: Int) -> (Click, ClickTemplate?) {
        samples.withUnsafeBufferPointer { values in
            let i = onset - start
            var click = Click(position: Double(onset), peak: 0, likeness: 0, isOurs: false)
            for n in i..<min(values.count, i + ClickTemplate.count(sampleRate)) {
                click.peak = max(click.peak, Double(abs(values[n])))
            }
            // Below 0.9 it is another sound.
            var best = 0.9
            for template in templates {
                guard let match = template.match(values, onset: i), match.likeness > best else { continue }
                best = match.likeness
                click.position = Double(onset) + match.place
                (click.likeness, click.isOurs) = (match.likeness, template.isOurs)
            }
            guard click.likeness == 0 else { return (click, nil) }
            return (click, ClickTemplate(learntFrom: values, onset: i, sampleRate: sampleRate))
        }
    }
}
