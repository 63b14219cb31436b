internal import CRealtime

/// Decides which of several places in a passage a waveform is at.
///
/// A tone is nearly as like itself a cycle later, and where an encoder has spoiled the attack of a click, the highest
/// correlation may lie milliseconds from it. So the places are compared by their likelihood, with a noise power of its own
/// for each 2 ms: a spoiled part counts little, and what the encoder has kept counts in full. Sound before the waveform
/// begins counts as noise, too, which a place too late does not explain.
/// - SeeAlso: Huber & Ronchetti, "Robust Statistics", 2nd ed., Wiley, 2009, ch. 7.
internal struct PlaceChoice {
    /// The lag of the best place.
    internal let lag: Int
    /// The variance of the place, in samples squared, by the chance that it is another one.
    internal let variance: Double

    /// - Parameters:
    ///   - passage: where to look.
    ///   - template: the spectrum of the waveform, as `shifts` makes it.
    ///   - noise: the mean square of the noise around clicks.
    ///   - layout: of the passage.
    internal init(
        in passage: ClickPassage, of template: WindowShifts.Spectrum, noise: Double, _ layout: PassageLayout,
        _ shifts: inout WindowShifts
    ) {
        let waveform = shifts.window(template)
        let lags = Self.candidates(passage, waveform)
        guard lags.count > 1, let first = lags.min() else {
            (lag, variance) = (lags.first ?? passage.lag, 0)
            return
        }
        // Where the waveform explains nine tenths of the sound, the highest correlation is the most likely place.
        if let filter = MatchedFilter(waveform) {
            let likeness = passage.samples.withUnsafeBufferPointer { filter.likeness($0, at: lags[0]) }
            guard likeness * likeness < 0.9 else {
                (lag, variance) = (lags[0], 0)
                return
            }
        }
        // The same samples for all places; the taper at the end of the window is in the waveform alone.
        let end = first + shifts.count - shifts.fall
        let length = max(1, layout.rate / 500)
        let energy = waveform.reduce(0.0) { $0 + Double($1) * Double($1) }
        // What resampling and numerical errors leave.
        let floor = max(noise, 1e-4 * energy / Double(waveform.count), 1e-20)
        let scores = lags.map { lag in
            let spectrum = shifts.spectrum(passage.samples[lag..<(lag + shifts.count)])
            let shift = shifts.shift(of: spectrum, behind: template)
            let model = shifts.window(shifts.moved(template, by: -shift))
            var parts: [Part] = []
            for start in stride(from: 0, to: end, by: length) {
                parts.append(Part(passage.samples, model, from: start, to: min(end, start + length), at: lag))
            }
            return Self.likelihood(of: parts, floor) / Double(layout.factor) / Self.dependence
        }
        let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        lag = lags[best]
        // The posterior probability of each place, all being alike before.
        var (sum, squares) = (0.0, 0.0)
        for (lag, score) in zip(lags, scores) {
            let (chance, distance) = (rt_exp(score - scores[best]), Double(lag - lags[best]))
            (sum, squares) = (sum + chance, squares + chance * distance * distance)
        }
        variance = squares / sum
    }

    /// What spoils one part, such as a recording that begins within a click, spoils its neighbours: four of them say as much
    /// as one that is independent.
    private static let dependence = 4.0

    /// The highest peaks of the correlation, at most eight, and none below half of the highest.
    private static func candidates(_ passage: ClickPassage, _ waveform: [Float]) -> [Int] {
        guard let filter = MatchedFilter(waveform), passage.samples.count > waveform.count else { return [] }
        let values = passage.samples.withUnsafeBufferPointer { samples in
            (0...(samples.count - waveform.count)).map { filter.correlation(samples, at: $0) }
        }
        let least = 0.5 * (values.max() ?? 0)
        let peaks = values.indices.filter { n in
            values[n] >= least && values[n] > 0 && (n == 0 || values[n] >= values[n - 1])
                && (n + 1 == values.count || values[n] > values[n + 1])
        }
        return Array(peaks.sorted { values[$0] > values[$1] }.prefix(8))
    }

    /// What 2 ms say.
    private struct Part {
        let count: Double
        private(set) var (products, squares, power) = (0.0, 0.0, 0.0)

        init(_ samples: [Float], _ model: [Float], from start: Int, to end: Int, at lag: Int) {
            count = Double(end - start)
            for n in start..<end {
                let value = Double(samples[n])
                power += value * value
                guard n >= lag, n - lag < model.count else { continue }
                let expected = Double(model[n - lag])
                products += value * expected
                squares += expected * expected
            }
        }

        /// The mean square of what the waveform leaves at some gain.
        func residual(_ gain: Double) -> Double {
            max(0, power - 2 * gain * products + gain * gain * squares) / count
        }
    }

    /// The logarithm of the likelihood at the best gain.
    private static func likelihood(of parts: [Part], _ floor: Double) -> Double {
        // The median of the parts' own gains, by their energy, is that of the parts that are not spoiled.
        let gains = parts.filter { $0.squares > 0 }.map { (gain: $0.products / $0.squares, weight: $0.squares) }
            .sorted { $0.gain < $1.gain }
        var (gain, below) = (0.0, 0.0)
        let half = gains.reduce(0) { $0 + $1.weight } / 2
        for part in gains {
            (gain, below) = (part.gain, below + part.weight)
            if below >= half { break }
        }
        gain = max(0, gain)
        for _ in 0..<4 {
            var (products, squares) = (0.0, 0.0)
            for part in parts {
                let weight = 1 / max(floor, part.residual(gain))
                (products, squares) = (products + weight * part.products, squares + weight * part.squares)
            }
            if squares > 0 { gain = max(0, products / squares) }
        }
        return parts.reduce(0) { sum, part in
            let residual = part.residual(gain)
            let variance = max(floor, residual)
            return sum - part.count / 2 * (rt_log(variance) + residual / variance)
        }
    }
}
