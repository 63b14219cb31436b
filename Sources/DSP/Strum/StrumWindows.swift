/// The windows in which one strum is measured: each half as long again, roughly, so that no error falls by less than two.
struct StrumWindows: BitwiseCopyable, Sendable {
    /// How many have been fitted; all when none is due.
    private(set) var fitted = count
    private static var count: Int { @_noLocks get { 8 } }

    @_noLocks init() {}

    var areDone: Bool { @_noLocks get { fitted == Self.count } }
    /// Whether the next one is the very first: it holds the picks, and does not wait for the later strings.
    var isGlance: Bool { @_noLocks get { fitted == 0 } }
    /// Whether the next one begins before the last string may have been struck.
    var isEarly: Bool { @_noLocks get { fitted < 2 } }
    /// Whether the newest one was fitted with all strings in it.
    var isLate: Bool { @_noLocks get { fitted > 2 } }
    /// Whether the newest one is the first in which silent strings are told, 0.5 s: then other tunings are tried.
    var isTrial: Bool { @_noLocks get { fitted == Self.trial } }
    /// Whether the newest one is that of 1 s, in which a tuning is tried again that seemed to lack a string.
    var isSecondTrial: Bool { @_noLocks get { fitted == Self.secondTrial } }
    /// Whether other tunings have been tried in the window that comes next, or will not be.
    var isSettled: Bool { @_noLocks get { fitted >= Self.trial } }
    private static var trial: Int { @_noLocks get { 4 } }
    private static var secondTrial: Int { @_noLocks get { 6 } }

    @_noLocks mutating func begin() { fitted = 0 }
    /// Begins anew, without the very first window.
    @_noLocks mutating func beginAgain() { fitted = 1 }
    @_noLocks mutating func advance() { fitted += 1 }
    @_noLocks mutating func end() { fitted = Self.count }

    /// The first sample of the next window.
    ///
    /// It begins when the last string has been struck and its pick is silent; the first two do not wait for the strings, and the
    /// very first, for which a player waits, not for the pick. One of which a stretch is lost begins after that instead.
    /// - Returns: `nil` where that is so late that the window would tell less than those before.
    @_noLocks func start(after onset: borrowing StrumOnset, sampleRate: Double) -> Int64? {
        let struck = isEarly ? onset.first : max(onset.first + Int64(strumTime * sampleRate), onset.latest)
        let begin = struck + Int64((isGlance ? stepTime : pickTime) * sampleRate)
        guard onset.loss.touches(begin, begin + Int64(seconds * sampleRate)) else { return begin }
        return Double(onset.loss.end - begin) < longestDelay * sampleRate ? onset.loss.end : nil
    }

    /// The length of the next window.
    var seconds: Double {
        @_noLocks get {
            switch fitted {
            case 0, 1: 0.25
            case 2: 0.35
            case 3: 0.5
            case 4: 0.7
            case 5: 1
            case 6: 1.4
            default: 2
            }
        }
    }
}

/// Seconds from the first string of an ordinary strum to the last.
private var strumTime: Double { @_noLocks get { 0.06 } }
/// Seconds after a string is struck: the noise of a pick is over.
private var pickTime: Double { @_noLocks get { 0.04 } }
/// Seconds from the first string to the first window: the step of `StrumOnset`. The pick is in it, but at its edge: the
/// window's weights leave 1/50 of the power of the first 40 ms.
private var stepTime: Double { @_noLocks get { 0.005 } }
/// Seconds. A string that falls by 60 dB in 4 s is 13 dB softer then, and the longest window tells no more of it than the one of
/// 0.7 s that came before: the error falls with the length to the power of 1.5.
private var longestDelay: Double { @_noLocks get { 0.9 } }
