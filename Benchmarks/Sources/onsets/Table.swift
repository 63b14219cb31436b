import Figures
import Foundation

/// The lines that the command prints.
struct Table: FigureTable {
    var missed = 0

    func head() {
        print(
            pad("", 12)
                + "    F      P      R     bias  sigma    p95   first p95   refined p95 ms  within 2 σ  notes")
    }

    /// All figures of a group.
    func note(_ score: Score, _ name: String) {
        guard score.truths > 0 else { return }
        print(
            pad(name, 12)
                + String(
                    format: "%.3f  %.3f  %.3f  %+6.2f %6.2f %6.2f %6.1f %5.1f %6.1f %5.1f      %.3f      %d", score.f,
                    score.precision, score.recall, score.bias, score.sigma, score.p95, score.firstDelay(0.5),
                    score.firstDelay(0.95), score.finalDelay(0.5), score.finalDelay(0.95), score.covered,
                    score.truths))
    }
}
