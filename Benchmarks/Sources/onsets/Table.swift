import Foundation

/// The lines that the command prints.
struct Table {
    private(set) var missed = 0

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

    /// A figure nothing is demanded of.
    func note(_ quantity: String, _ text: String) { print(pad(quantity, 40) + text) }

    mutating func row(_ quantity: String, _ measured: Double, atLeast limit: Double) {
        line(quantity, String(format: ">= %.3f", limit), String(format: "%.3f", measured), measured >= limit)
    }

    mutating func row(_ quantity: String, _ measured: Double, atMost limit: Double, unit: String) {
        line(
            quantity, String(format: "<= %.3g %@", limit, unit), String(format: "%.3g %@", measured, unit),
            measured <= limit)
    }

    private mutating func line(_ quantity: String, _ must: String, _ measured: String, _ isMet: Bool) {
        if !isMet { missed += 1 }
        print(pad(quantity, 48) + pad(must, 14) + pad(measured, 14) + (isMet ? "ok" : "MISSED"))
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
