internal import Intonation
internal import Music
internal import TerminalUI

/// The strings that have been tuned: the ticks of the display.
///
/// A string is ticked after half a second in tune. It keeps its tick while other strings are tuned, until it is itself heard
/// out of tune for half a second: tuning one string can detune the others.
struct StringTicks: Sendable {
    /// The positions of the strings that have been tuned.
    private(set) var done: Set<Int> = []
    private var since: (seconds: Double, isInTune: Bool)?

    /// Half a second: a note that glides through the target is not in tune.
    private static let patience = 0.5
    /// The bridge gives way by some tens of cents when other strings are tuned. A note farther off is fretted, or it is
    /// another string that is being tuned up.
    private static let widest = 60.cents

    /// Begins to wait again: another note sounds, or none.
    mutating func pause() { since = nil }

    /// Adds what a strum tells of a string, which needs no patience.
    mutating func hear(_ verdict: TuningVerdict, ofStrummed string: Int) {
        if verdict == .inTune { done.insert(string) } else { done.remove(string) }
    }

    /// Adds what is heard of strings that have the same pitch.
    mutating func hear(_ verdict: TuningVerdict, _ deviation: Cents, of strings: [Int], at seconds: Double) {
        let isInTune = verdict == .inTune
        guard isInTune || abs(deviation.value) <= Self.widest.value else { return pause() }
        if since?.isInTune != isInTune { since = (seconds, isInTune) }
        guard let since, seconds - since.seconds >= Self.patience else { return }
        if isInTune { done.formUnion(strings) } else { done.subtract(strings) }
    }
}
