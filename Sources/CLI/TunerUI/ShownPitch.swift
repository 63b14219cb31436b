internal import Intonation
internal import Music

/// The number and the word on the display: the mean over a cycle of vibrato, eight times a second so that it can be read.
struct ShownPitch: Sendable {
    /// Up to where a note is in tune.
    var tolerance: Cents
    private(set) var cents = 0.0
    /// The standard error of `cents`; 0 when unknown.
    private(set) var error = 0.0
    /// The frequency that belongs to `cents`.
    private(set) var frequency = 0.hertz
    /// `nil` while the pitch swings and less than one swing was heard.
    private(set) var verdict: TuningVerdict?
    private var mean = DeviationMean()
    private var lastShown = -Double.infinity

    /// 8 times a second: numbers that change faster cannot be read.
    static let refresh = 0.125

    init(tolerance: Cents = TuningVerdict.usualTolerance) { self.tolerance = tolerance }

    var response: Response {
        get { mean.response }
        set { mean.response = newValue }
    }

    /// Adds what is heard.
    ///
    /// - Parameters:
    ///   - error: the standard error of its deviation.
    ///   - isNew: whether another note has begun.
    mutating func hear(_ pitch: TunedNote.Pitch, error: Cents, at seconds: Double, isNew: Bool) {
        mean.add(pitch.deviation, error: error, at: seconds, isNew: isNew)
        if isNew { (lastShown, verdict) = (-.infinity, nil) }
        guard seconds - lastShown >= Self.refresh || seconds < lastShown, let mean = mean.mean else { return }
        (cents, self.error) = (mean.deviation.value, mean.error.value)
        frequency = pitch.target.raised(by: mean.deviation)
        lastShown = seconds
        if self.mean.isSettled || verdict != nil {
            verdict = TuningVerdict(mean.deviation, after: verdict, tolerance: tolerance)
        }
    }

    /// Begins again, as after a change of the instrument.
    mutating func forget() { (lastShown, verdict) = (-.infinity, nil) }
}
