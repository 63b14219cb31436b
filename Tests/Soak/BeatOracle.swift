/// Where beats lie, by exact integers: the sum of all intervals so far, over the common denominator of the tempi in use.
struct BeatOracle {
    /// Tempi in use, in tenths of a beat per minute.
    static let tempi: [Int64] = [973, 1_200, 1_337]
    /// Of 973 and 1337; 1200 divides the frames of a minute.
    private static let denominator: Int128 = 973 * 1_337

    private let framesPerMinute: Int128
    /// The instant of the next beat, in fractions of a frame.
    private var instant: Int128
    private var period: Int128
    /// From 0.
    private(set) var beat = 0
    private var later: (period: Int128, onBar: Bool)?

    init(sampleRate: Int, tempo: Int64, frame: Int64) {
        framesPerMinute = 60 * Int128(sampleRate)
        instant = Int128(frame) * Self.denominator
        period = 10 * framesPerMinute * Self.denominator / Int128(tempo)
    }

    var nearestFrame: Int64 { Int64((2 * instant + Self.denominator) / (2 * Self.denominator)) }
    var floorFrame: Int64 { Int64(instant / Self.denominator) }
    var fraction: Double { Double(instant % Self.denominator) / Double(Self.denominator) }

    /// Moves on to the following beat.
    mutating func advance() {
        if let change = later, !change.onBar || beat == 0 {
            period = change.period
            later = nil
        }
        instant += period
        beat = (beat + 1) % 4
    }

    /// Changes the tempo with the next beat, or the next bar.
    mutating func change(to tempo: Int64, onBar: Bool) {
        later = (10 * framesPerMinute * Self.denominator / Int128(tempo), onBar)
    }

    mutating func move(by frames: Int64) { instant += Int128(frames) * Self.denominator }

    /// Begins again with a first beat on a frame.
    mutating func restart(at frame: Int64) {
        if let change = later { period = change.period }
        (instant, beat, later) = (Int128(frame) * Self.denominator, 0, nil)
    }
}
