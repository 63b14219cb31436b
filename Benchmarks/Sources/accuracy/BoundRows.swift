import Foundation
import RealNotes
import WellTempered

/// The error in white noise of 20 dB beside the bound that physics sets.
///
/// Two thirds of the squared error come from a twentieth of the tones, the lowest of them that have few partials. So
/// the root mean square over 200 tones says little: it varies by 13 % between seeds, by 3 % over 4,000.
struct BoundRows {
    let listener: Listener
    let seed: UInt64
    let tones: Int
    var isVerbose = false

    /// What one tone gave.
    private struct Outcome {
        var frequency, slope, bound: Double
        var own = ErrorTally()
        var windows: [Double] = []
        var stiff = 0
        var square: Double { own.rms * own.rms }
    }

    /// The tones of the steady rows, each with noise of its own.
    ///
    /// - Parameter limit: cents that the root mean square may come to.
    func rows(_ table: inout Table, window: Double, name: String, limit: Double) throws {
        let listener = listener.with(window: window)
        let outcomes = try (0..<tones).map { try outcome(of: $0, listener) }
        let total = outcomes.reduce(into: ErrorTally()) { $0.add($1.own) }
        table.row("20 dB, \(name) window: rms", total.rms, atMost: limit, unit: "c")
        let squares = outcomes.map(\.square)
        let bounds = outcomes.map { $0.bound * $0.bound }
        table.note(
            "  uncertainty from the choice of \(tones) tones",
            String(format: "%.2g c", deviationOfMean(squares) / (2 * total.rms)))
        let least = mean(bounds).squareRoot()
        table.note("  the bound's own rms for these tones", String(format: "%.3g c", least))
        let ratio = total.rms / least
        // Of a ratio of means: its error is that of squares - ratio² bounds.
        let rest = zip(squares, bounds).map { $0 - ratio * ratio * $1 }
        table.note(
            "  times the bound's rms",
            String(format: "%.3f, uncertain by %.3f", ratio, deviationOfMean(rest) / (2 * ratio * least * least)))
        table.row(
            "20 dB, \(name) window: times the bound, median",
            percentile(outcomes.filter { $0.own.good.count > 5 }.map { $0.own.rms / $0.bound }, 0.5), atMost: 1.3,
            unit: "")
        table.row(
            "20 dB, \(name) window: gross and missed", total.grossShare + total.missedShare, atMost: 0, unit: "%")
    }

    private func outcome(of index: Int, _ listener: Listener) throws -> Outcome {
        var source = SignalGenerator(seed: seed &* 1_000_000 &+ UInt64(index), rate: listener.rate)
        let count = Int(listener.rate)
        let frequency = source.logUniform(27.5, 4_186)
        let slope = source.uniform(0.5, 2)
        let tone = source.tone(
            phase: source.steadyPhase(frequency, count: count), highest: frequency, slope: slope,
            withoutFundamental: source.uniform() < 0.15)
        let sigma = 0.1
        var result = Outcome(
            frequency: frequency, slope: slope,
            bound: bound(
                information: tone.information / (sigma * sigma), frequency: frequency,
                count: listener.window * listener.rate, rate: listener.rate))
        for reading in try listener(mix(tone.samples, 0.1, source.noise(count), 0.1 * sigma))
        where Double(reading.frame) >= 0.35 * listener.rate {
            result.own.add(reading, truth: frequency)
            result.windows.append(Double(reading.window))
            if reading.inharmonicity > 0 { result.stiff += 1 }
        }
        if isVerbose {
            print(
                String(
                    format: "    %4d %8.2f Hz  slope %.2f  rms %.4f c  mean %+.4f c  bound %.4f c  %.2f times, "
                        + "%.0f samples, %d of %d stiff, %d gross, %d missed",
                    index, frequency, slope, result.own.rms, mean(result.own.good), result.bound,
                    result.own.rms / result.bound,
                    percentile(result.windows, 0.1), result.stiff, result.windows.count, result.own.gross,
                    result.own.missed))
        }
        return result
    }
}

private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

/// The standard error of the mean of independent values.
private func deviationOfMean(_ values: [Double]) -> Double {
    let middle = mean(values)
    let sum = values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
    return (sum / Double(max(1, values.count * (values.count - 1)))).squareRoot()
}
