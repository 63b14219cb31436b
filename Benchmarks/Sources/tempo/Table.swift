import Figures
import Foundation

/// The lines that the command prints.
struct Table: FigureTable {
    var missed = 0

    func head(_ title: String) {
        print(
            pad(title, 14)
                + "files    F   CMLt   AMLt    bias  sigma ms   tempo after 20 s, median p90 %   lock s (files)   told after, median p95 ms"
        )
    }

    /// All figures of a group.
    func note(_ group: Group, _ name: String) {
        print(
            pad(name, 14)
                + String(
                    format:
                        "%3d   %.3f  %.3f  %.3f  %+6.2f %6.2f              %.4f  %.4f              %.2f (%d)           %.0f %.0f",
                    group.outcomes.count, group.f, group.cmlt, group.amlt, group.bias, group.sigma,
                    group.tempoError(0.5),
                    group.tempoError(0.9), group.lock, group.locked, group.delay(0.5), group.delay(0.95)))
    }

    /// One recording.
    func note(_ outcome: Outcome) {
        let score = outcome.score
        let lock = outcome.lock.map { String(format: "%.2f", $0) } ?? "-"
        let tempo =
            outcome.beats.last.map {
                String(
                    format: "%.2f ± %.2f (%.2f)", $0.tempo.beatsPerMinute, $0.tempo.standardError, $0.tempo.confidence)
            } ?? "-"
        print(
            pad("  " + outcome.recording.name, 28)
                + String(format: "F %.3f  CMLt %.3f  AMLt %.3f  lock ", score.f, score.cmlt, score.amlt) + pad(lock, 6)
                + " last tempo \(tempo)")
    }
}
