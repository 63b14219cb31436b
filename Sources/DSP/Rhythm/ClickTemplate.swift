internal import CRealtime
internal import Music
internal import Synthesis
internal import Timebase

/// The first 8 ms of a click, to be compared with others.
internal struct ClickTemplate: Sendable {
    internal let isOurs: Bool
    /// The same click at several places between two samples; the first one finds the peaks that are compared.
    private let variants: [Variant]
    /// The distance from the first sample to the onset.
    private let lead: Int
    /// By how much the onset may be late, or, in noise, early.
    private let late: Int, early: Int

    private struct Variant: Sendable {
        let filter: MatchedFilter
        /// The instant of the click, counted from the first sample.
        let offset: Double

        init?(_ samples: [Float], offset: Double) {
            guard let filter = MatchedFilter(samples) else { return nil }
            (self.filter, self.offset) = (filter, offset)
        }
    }

    /// The length of a template in samples.
    internal static func count(_ sampleRate: Int) -> Int { sampleRate / 125 }

    /// The levels of a sound, as the metronome plays them.
    internal static func known(_ sound: ClickSound, sampleRate: Int) -> [ClickTemplate] {
        AccentLevel.audible.compactMap { level in
            // The samples of a bright click change much within half a sample, so it is tried at four places.
            let fractions = [0, 0.25, -0.25, 0.5]
            let rendered = fractions.map { struck(sound, level, $0, sampleRate) }
            let variants = zip(fractions, rendered).compactMap { Variant($1, offset: $0) }
            guard variants.count == fractions.count else { return nil }
            let lead = rendered[0].withUnsafeBufferPointer {
                onset(in: $0, from: 1, to: min($0.count, 3 * sampleRate / 1_000))
            }
            return ClickTemplate(isOurs: true, variants: variants, lead: lead, sampleRate: sampleRate)
        }
    }

    /// The levels of a sound after 3 ms of silence, and where the instant lies.
    internal static func waveforms(
        _ sound: ClickSound, sampleRate: Int, count: Int
    ) -> [(samples: [Float], instant: Double)] {
        let silence = [Float](repeating: 0, count: sampleRate * 3 / 1_000)
        return AccentLevel.audible.map { level in
            let samples = silence + struck(sound, level, 0, sampleRate, count: max(1, count - silence.count))
            return (samples, Double(silence.count))
        }
    }

    private static func struck(
        _ sound: ClickSound, _ level: AccentLevel, _ fraction: Double, _ sampleRate: Int, count: Int? = nil
    ) -> [Float] {
        var track = ClickTrack(
            bank: ClickBank(sounds: [sound], sampleRate: sampleRate.hertz), sampleRate: sampleRate.hertz)
        track.strike(layer: 0, level: level, gain: 1, fraction: fraction)
        var samples = [Float](repeating: 0, count: count ?? Self.count(sampleRate))
        var span = samples.mutableSpan
        track.render(into: &span, from: 0, to: span.count)
        return samples
    }

    private init(isOurs: Bool, variants: [Variant], lead: Int, sampleRate: Int) {
        (self.isOurs, self.variants, self.lead) = (isOurs, variants, lead)
        (late, early) = (sampleRate / 2_000, sampleRate / 800)
    }

    /// The first click of an unknown sound; `onset` stands for its instant.
    internal init?(learntFrom values: UnsafeBufferPointer<Float>, onset: Int, sampleRate: Int) {
        let lead = min(onset, sampleRate / 1_000)
        let end = min(values.count, onset - lead + Self.count(sampleRate))
        guard let variant = Variant(Array(values[(onset - lead)..<end]), offset: Double(lead)) else { return nil }
        self.init(isOurs: false, variants: [variant], lead: lead, sampleRate: sampleRate)
    }

    /// The first sample of a click that rises above what was before: its step is a tenth of the largest.
    internal static func onset(in values: UnsafeBufferPointer<Float>, from first: Int, to end: Int) -> Int {
        var largest: Float = 0
        for n in first..<end { largest = max(largest, abs(values[n] - values[n - 1])) }
        var n = first
        while n < end - 1, abs(values[n] - values[n - 1]) < 0.1 * largest { n += 1 }
        return n
    }

    /// Compares a click with this template.
    ///
    /// - Returns: how far behind `onset` the instant of the click lies, and the likeness; `nil` when the click is another.
    internal func match(_ values: UnsafeBufferPointer<Float>, onset: Int) -> (place: Double, likeness: Double)? {
        let filter = variants[0].filter
        let first = max(1, onset - lead - late)
        let last = min(onset - lead + early, values.count - filter.count - 2)
        guard first <= last else { return nil }
        let coarse = (first...last).map { filter.likeness(values, at: $0) }
        // Half of the likeness that counts: the best place between two samples is not known yet.
        guard let most = coarse.max(), most > 0.5 else { return nil }
        // A bright click half a sample away is less like itself than one whose tone is some cycles late: every peak within
        // that loss is compared between the samples. A partial at half of the sample rate would lose all; 0.6 is what is
        // left at 0.3 of it.
        var peaks: Set<Int> = []
        for (n, likeness) in coarse.enumerated() where likeness >= 0.6 * most {
            guard n == 0 || likeness >= coarse[n - 1], n + 1 == coarse.count || likeness >= coarse[n + 1] else {
                continue
            }
            peaks.formUnion((first + n - 1)...(first + n + 1))
        }
        var found: (place: Double, likeness: Double)?
        for variant in variants {
            for shift in peaks.sorted() where shift >= 1 && shift <= last + 1 {
                let here = variant.filter.likeness(values, at: shift)
                guard here > found?.likeness ?? 0 else { continue }
                let before = variant.filter.likeness(values, at: shift - 1)
                let after = variant.filter.likeness(values, at: shift + 1)
                guard here >= before, here >= after else { continue }
                found = (Double(shift - onset) + Self.vertex(before, here, after) + variant.offset, here)
            }
        }
        return found
    }

    /// The peak of the cosine through three points, from the middle one, -1/2 to 1/2: exact for a click of one frequency,
    /// and close to the vertex of a parabola at low frequencies.
    private static func vertex(_ before: Double, _ here: Double, _ after: Double) -> Double {
        let turn = (before + after) / (2 * here)
        guard turn > -1, turn < 1 else { return 0 }
        let sine = (1 - turn * turn).squareRoot()
        let shift = rt_atan2(after - before, 2 * here * sine) / rt_atan2(sine, turn)
        return max(-0.5, min(0.5, shift))
    }
}
