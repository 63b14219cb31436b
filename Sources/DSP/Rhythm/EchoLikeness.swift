internal import CRealtime
internal import Realtime

/// Whether a residual shows that the way from loudspeaker to microphone is another one.
///
/// Three things tell it from a player: much is left; the last click of the sound has left the same; and the prediction itself
/// is in it. A path that has gone leaves the prediction with the opposite sign, one that has become louder leaves some more
/// of it. A player who strikes the same note on each click repeats himself too, but all of the click is still there beside
/// him. Where much of the prediction is missing, one click is enough.
internal struct EchoLikeness: BitwiseCopyable, Sendable {
    /// The correlation of two residuals from which on they are the same: a player's notes have none.
    private static var repeated: Double { @_noLocks get { 0.6 } }
    /// 10 dB below the echo: what is left of a prediction that has failed.
    private static var failed: Double { @_noLocks get { 0.1 } }
    /// The power of the last residual over that of this one: one that was much fainter is no failure that repeats itself.
    private static var comparable: Double { @_noLocks get { 0.25 } }
    /// The correlation of a residual with the prediction, either way. A path that has nothing to do with the old one leaves
    /// -0.71, a new room with the old direct sound -0.4; notes that begin by chance are within ±0.1.
    private static var predicted: Double { @_noLocks get { 0.25 } }

    /// The same where it is sure at once: half of what a prediction leaves that is missing as a whole, and five times what
    /// notes have by chance.
    private static var missing: Double { @_noLocks get { 0.5 } }

    /// The same among notes, for less than the whole prediction: of a player's notes that were learnt with the click, and are
    /// missing, the residual is the opposite, and its product with the prediction is its own power, -1 in the mean. Notes that
    /// were learnt and are others now leave -0.5 at most. With a correlation above what chance reaches.
    private static var gone: (share: Double, correlation: Double) { @_noLocks get { (0.65, 0.12) } }

    /// 20 dB below the direct sound of an echo: nothing was heard.
    private static var nothing: Double { @_noLocks get { 0.01 } }

    /// Of the residual with the last one, of each with itself, and of the known echo, in cells.
    private var product = 0.0, now = 0.0, before = 0.0, known = 0.0
    /// Of the residual with the prediction and of each with itself, in samples.
    private var residue = 0.0, left = 0.0, prediction = 0.0
    /// The same of the direct sound.
    private var directResidue = 0.0, directLeft = 0.0, directPrediction = 0.0
    /// The power of the residual's loudest cell.
    private(set) var peak: Float = 0

    @_noLocks init() {}

    /// Adds a row of cells.
    @_noLocks mutating func add(
        _ cell: UnsafePointer<SIMD2<Float>>, _ echoes: borrowing ClickEchoes, _ sound: Int, first: Int, _ count: Int
    ) {
        let (last, power) = (echoes.residual(sound) + first, echoes.power(sound) + first)
        for c in 0..<count {
            let own = cell[c].x * cell[c].x + cell[c].y * cell[c].y
            product += Double(cell[c].x * last[c].x + cell[c].y * last[c].y)
            now += Double(own)
            before += Double(last[c].x * last[c].x + last[c].y * last[c].y)
            known += Double(power[c])
            peak = max(peak, own)
        }
    }

    /// Adds samples of the residual and of the prediction.
    @_noLocks mutating func add(
        _ residual: UnsafePointer<Float>, _ predicted: UnsafePointer<Float>, from first: Int, count: Int, isDirect: Bool
    ) {
        let product = Double(dotProduct(residual + first, predicted + first, count))
        let own = Double(dotProduct(residual + first, residual + first, count))
        let known = Double(dotProduct(predicted + first, predicted + first, count))
        (residue, left, prediction) = (residue + product, left + own, prediction + known)
        guard isDirect else { return }
        (directResidue, directLeft, directPrediction) =
            (directResidue + product, directLeft + own, directPrediction + known)
    }

    /// Whether nothing at all was heard in the time of the direct sound, not even the prediction much softer.
    var isSilence: Bool {
        @_noLocks get {
            // Digital silence is the difference of equal numbers: rounding leaves 60 dB less.
            let heard = max(1e-6 * directPrediction, directLeft + 2 * directResidue + directPrediction)
            return heard < Self.nothing * directPrediction
                && directResidue + directPrediction < Self.predicted * rt_sqrt(heard * directPrediction)
        }
    }

    /// Where nothing was subtracted: whether nothing was heard again.
    var isSilentStill: Bool { @_noLocks get { directLeft < Self.nothing * directPrediction } }

    /// Where nothing was subtracted: whether the prediction is in what was heard.
    var isBack: Bool { @_noLocks get { residue > Self.predicted * rt_sqrt(left * prediction) } }

    /// Whether the prediction has failed, and is missing itself or more of it is there.
    var hasFailed: Bool {
        @_noLocks get {
            now > Self.failed * known && abs(residue) > Self.predicted * rt_sqrt(left * prediction)
        }
    }

    /// Whether what is left is half and more of the prediction itself, with the opposite sign: it is not in the sound. That is
    /// known at once, as no note does so by chance; a player whose notes lay on all clicks leaves it who stops playing.
    var isMissing: Bool {
        @_noLocks get { now > Self.failed * known && residue < -Self.missing * rt_sqrt(left * prediction) }
    }

    /// Whether what is left lacks a part of the prediction, and is that part: notes that were learnt with the click.
    var isWithoutNotes: Bool {
        @_noLocks get {
            now < known && residue < -Self.gone.share * left
                && residue < -Self.gone.correlation * rt_sqrt(left * prediction)
        }
    }

    /// Whether what is left is small beside the echo.
    var isFaint: Bool { @_noLocks get { now < Self.failed * known } }

    /// Whether the last residual of the sound was the same.
    var isRepeated: Bool {
        @_noLocks get { product > Self.repeated * rt_sqrt(now * before) && before > Self.comparable * now }
    }
}
