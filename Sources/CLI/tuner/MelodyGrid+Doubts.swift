import Rhythm
import TerminalUI
import Transcription

extension MelodyGrid {
    /// Says on standard error where the notes keep to no beat, and where they may as well be in another tempo.
    ///
    /// - Parameters:
    ///   - starts: the beginnings of the notes in the order of time, in seconds.
    ///   - guess: what is a guess there.
    func complain(_ starts: [Double], guess: String) {
        let advice = "Give the tempo, as in --tempo 97, or about how fast it is with --around"
        if let stray = stray(starts) {
            TerminalUI.complain(
                "tuner",
                "\(Self.words(stray)) the notes do not keep to the beat that was heard: there, and after it, \(guess) are a guess. "
                    + advice)
        }
        if !ambiguous.isEmpty {
            TerminalUI.complain(
                "tuner",
                "\(ambiguous.map(Self.words).joined(separator: ", ")) the notes may as well be in another tempo: there, \(guess) "
                    + "are a guess. " + advice)
        }
    }

    private static func words(_ seconds: ClosedRange<Double>) -> String {
        let (from, to) = (fixedPoint(seconds.lowerBound, decimals: 1), fixedPoint(seconds.upperBound, decimals: 1))
        return "from \(from) s to \(to) s"
    }
}
