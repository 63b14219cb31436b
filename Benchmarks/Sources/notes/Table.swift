import Figures
import Foundation

/// The lines that the command prints.
struct Table: FigureTable {
    var missed = 0

    func head() {
        print(
            pad("", 12) + "    F  with ends  onset F      P      R  octaves   bias  shown p95   right p95 ms"
                + "  first another  none  cost %   late  notes")
    }

    /// All figures of a group.
    func note(_ score: Score, _ name: String) {
        guard score.count > 0 else { return }
        print(
            pad(name, 12)
                + String(
                    format: "%.3f      %.3f    %.3f  %.3f  %.3f    %.3f %+6.2f %5.0f %4.0f %6.0f %4.0f ",
                    score.f, score.withEnds, score.onsetF, score.precision, score.recall, score.octaves, score.bias,
                    score.shown(0.5), score.shown(0.95), score.right(0.5), score.right(0.95))
                + String(
                    format: "%15.3f %.3f %7.2f  %.3f  %5d", score.revised, score.withdrawn, 100 * score.cost,
                    score.shownLater(than: 80), score.count))
    }
}
