package import Music

/// One session of practice: a row of the log.
package struct PracticeSession: Sendable, Equatable {
    /// The program that logs it: `metronome` or `tuner`.
    package var program: String
    /// When it began, in seconds since 1970 (UTC).
    package var began: Int64
    /// How long was played.
    package var length = Duration.zero
    /// What was practised, as the player calls it.
    package var piece: String?
    /// The arguments of the command, or the recording.
    package var plan: String
    package var device: String?
    package var tempo: Tempo?
    /// The player's notes, where the microphone heard them.
    package var timing: Timing?
    /// The intonation, where it was heard.
    package var intonation: Intonation?

    /// The tempo at the beginning and the highest one, in beats per minute.
    package struct Tempo: Sendable, Equatable {
        package var first: Double, reached: Double

        package init(first: Double, reached: Double) { (self.first, self.reached) = (first, reached) }
    }

    /// How early (negative) or late the notes were: the mean, `nil` where the latency of the devices was not calibrated, and
    /// the standard deviation round it.
    package struct Timing: Sendable, Equatable {
        package var notes: Int
        package var mean: Duration?
        package var spread: Duration

        package init(notes: Int, mean: Duration?, spread: Duration) {
            (self.notes, self.mean, self.spread) = (notes, mean, spread)
        }
    }

    /// How far the notes were from their frequencies: the mean, and the standard deviation round it.
    package struct Intonation: Sendable, Equatable {
        package var mean: Cents, spread: Cents

        package init(mean: Cents, spread: Cents) { (self.mean, self.spread) = (mean, spread) }
    }

    package init(program: String, began: Int64, plan: String, piece: String? = nil, device: String? = nil) {
        (self.program, self.began, self.plan) = (program, began, plan)
        (self.piece, self.device) = (piece, device)
    }
}
