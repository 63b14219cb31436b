package import Intonation
internal import Music
internal import TerminalUI

extension NoteSummary.Entry {
    package var line: String {
        padded(fixedPoint(start.inSeconds, decimals: 2), to: 7) + " s  " + padded(label, toColumns: 4)
            + padded(fixedPoint(deviation.value, decimals: 1, signed: true), to: 6) + " c  spread "
            + padded(fixedPoint(spread.value, decimals: 1), to: 3)
            + padded(fixedPoint(frequency.value, decimals: 2), to: 10) + " Hz  "
            + padded(fixedPoint(duration.inSeconds, decimals: 2), to: 5) + " s long"
    }
}

extension Drift {
    package var text: String { isSignificant ? "drift \(number)" : "no significant drift (\(number))" }

    /// The same without its name.
    package var words: String { isSignificant ? number : "none that is significant (\(number))" }

    private var number: String {
        let slope = fixedPoint(perMinute.value, decimals: 1, signed: true)
        return "\(slope) cents a minute, standard error \(fixedPoint(standardError.value, decimals: 1))"
    }
}
