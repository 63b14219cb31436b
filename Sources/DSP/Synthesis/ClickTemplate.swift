internal import CRealtime
internal import Timebase

/// The first 8 ms of a click, to be laid over others.
internal struct ClickTemplate: Sendable {
    internal let isOurs: Bool
    /// The same click at several places between two samples; the first is searched with.
    private let variants: [Variant]
    /// From the first of the samples to the first one that stands out.
    private let lead: Int
    /// By how much the first one that stands out may be late, or, in noise, early.
    private let late: Int, early: Int

    private struct Variant: Sendable {
        let samples: [Float]
        let energy: Double
        /// Where the instant of the click lies, from the first of `samples`.
        let offset: Double

        init?(_ samples: [Float], offset: Double) {
            energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
            guard energy > 0 else { return nil }
            (self.samples, self.offset) = (samples, offset)
        }
    }

    internal static func count(_ sampleRate: Int) -> Int { sampleRate / 125 }

    /// The three levels of a sound, as the metronome strikes them.
    internal static func known(_ sound: ClickSound, sampleRate: Int) -> [ClickTemplate] {
        [AccentLevel.normal, .medium, .accent].compactMap { level in
            // A bright click changes its samples much within half a sample: it is tried at four places.
            let variants = [0, 0.25, -0.25, 0.5].compactMap { fraction in
                Variant(struck(sound, level, fraction, sampleRate), offset: fraction)
            }
            guard let first = variants.first else { return nil }
            let lead = first.samples.withUnsafeBufferPointer {
                firstStanding(out: $0, from: 1, to: min($0.count, 3 * sampleRate / 1_000))
            }
            return ClickTemplate(isOurs: true, variants: variants, lead: lead, sampleRate: sampleRate)
        }
    }

    private static func struck(
        _ sound: ClickSound, _ level: AccentLevel, _ fraction: Double, _ sampleRate: Int
    ) -> [Float] {
        var track = ClickTrack(bank: ClickBank(sounds: [sound], sampleRate: sampleRate), sampleRate: sampleRate)
        track.strike(layer: 0, level: level, gain: 1, fraction: fraction)
        var samples = [Float](repeating: 0, count: count(sampleRate))
        var span = samples.mutableSpan
        track.render(into: &span, from: 0, to: span.count)
        return samples
    }

    private init(isOurs: Bool, variants: [Variant], lead: Int, sampleRate: Int) {
        (self.isOurs, self.variants, self.lead) = (isOurs, variants, lead)
        (late, early) = (sampleRate / 2_000, sampleRate / 800)
    }

    /// A click that was heard first of its kind; `onset` stands for its instant.
    internal init?(learntFrom values: UnsafeBufferPointer<Float>, onset: Int, sampleRate: Int) {
        let lead = min(onset, sampleRate / 1_000)
        let end = min(values.count, onset - lead + Self.count(sampleRate))
        guard let variant = Variant(Array(values[(onset - lead)..<end]), offset: Double(lead)) else { return nil }
        self.init(isOurs: false, variants: [variant], lead: lead, sampleRate: sampleRate)
    }

    /// The first sample that stands out of a blow: its step is a tenth of the largest.
    internal static func firstStanding(out values: UnsafeBufferPointer<Float>, from first: Int, to end: Int) -> Int {
        var largest: Float = 0
        for n in first..<end { largest = max(largest, abs(values[n] - values[n - 1])) }
        var n = first
        while n < end - 1, abs(values[n] - values[n - 1]) < 0.1 * largest { n += 1 }
        return n
    }

    /// How far behind `onset`, the first sample of a click that stands out, its instant lies by this template, and how
    /// alike it is; `nil` when it cannot be laid over it.
    internal func match(_ values: UnsafeBufferPointer<Float>, onset: Int) -> (place: Double, likeness: Double)? {
        let count = variants[0].samples.count
        let first = max(1, onset - lead - late)
        let last = min(onset - lead + early, values.count - count - 2)
        guard first <= last else { return nil }
        var (best, bestLikeness) = (first, 0.0)
        for shift in first...last {
            let likeness = likeness(of: variants[0], values, shift)
            if likeness > bestLikeness { (best, bestLikeness) = (shift, likeness) }
        }
        // Half of what will do: the best place between two samples is not known yet.
        guard bestLikeness > 0.5 else { return nil }
        var found: (place: Double, likeness: Double)?
        for variant in variants {
            for shift in max(1, best - 1)...min(best + 1, last + 1) {
                let here = likeness(of: variant, values, shift)
                guard here > found?.likeness ?? 0 else { continue }
                let (before, after) = (
                    likeness(of: variant, values, shift - 1), likeness(of: variant, values, shift + 1)
                )
                guard here >= before, here >= after else { continue }
                found = (Double(shift - onset) + Self.vertex(before, here, after) + variant.offset, here)
            }
        }
        return found
    }

    /// Where a cosine through three points has its top, from the middle one, -1/2 to 1/2: exact for a click of one
    /// frequency, and a parabola's vertex where that is low.
    private static func vertex(_ before: Double, _ here: Double, _ after: Double) -> Double {
        let turn = (before + after) / (2 * here)
        guard turn > -1, turn < 1 else { return 0 }
        let sine = rt_sqrt(1 - turn * turn)
        let shift = rt_atan2(after - before, 2 * here * sine) / rt_atan2(sine, turn)
        return max(-0.5, min(0.5, shift))
    }

    /// The normalized correlation: 1 is the same click, whatever its loudness and whatever comes after its 8 ms. Below
    /// zero is not alike: what a microphone has turned over is learnt.
    private func likeness(of variant: Variant, _ values: UnsafeBufferPointer<Float>, _ shift: Int) -> Double {
        let window = UnsafeRawBufferPointer(
            UnsafeBufferPointer(rebasing: values[shift..<(shift + variant.samples.count)]))
        return variant.samples.withUnsafeBytes { bytes in
            var (products, squares) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var at = 0
            let wide = MemoryLayout<SIMD8<Float>>.stride
            while at + wide <= bytes.count {
                let value = window.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
                products += bytes.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self) * value
                squares += value * value
                at += wide
            }
            let power = Double(squares.sum())
            return power > 0 ? Double(products.sum()) / rt_sqrt(variant.energy * power) : 0
        }
    }
}
