public import Music

/// The notes of a take: one line a note instead of one a reading.
///
/// A note lasts while its readings stay within 60 cents of their median and no gap exceeds 0.15 s; what is shorter
/// than 0.1 s is not counted as a note.
public struct NoteSummary: Sendable {
    /// One note of the take.
    public struct Entry: Sendable {
        /// Seconds from the start of the file to its first reading.
        public let start: Double
        /// Seconds to its last reading.
        public let end: Double
        /// The nearest note to the median.
        public let note: Note
        /// Its name with the octave, as the player writes it.
        public let label: String
        /// The median above (+) or below (-) that note.
        public let deviation: Cents
        /// Half the distance between the quartiles, in cents: how steady the note was.
        public let spread: Cents
        /// The median frequency.
        public let frequency: Hertz
    }

    /// The rules by which the next note is found.
    public var finder: NoteFinder
    private var current: [(seconds: Double, frequency: Hertz)] = []
    /// The notes that have ended.
    public private(set) var entries: [Entry] = []

    private static let longestGap = 0.15
    static let shortestNote = 0.1
    private static let widestStep = 60.0

    /// An empty summary; notes are found by these rules.
    public init(finder: NoteFinder) { self.finder = finder }

    /// Takes the next reading.
    public mutating func add(_ reading: TunedNote) {
        guard let pitch = reading.pitch else {
            if let last = current.last, reading.seconds - last.seconds > Self.longestGap { endNote() }
            return
        }
        if let last = current.last {
            let step = Cents(from: last.frequency, to: pitch.frequency)
            if reading.seconds - last.seconds > Self.longestGap || abs(step.value) > Self.widestStep { endNote() }
        }
        current.append((reading.seconds, pitch.frequency))
    }

    /// Ends the take: the note that still sounds is counted.
    public mutating func finish() { endNote() }

    /// An entry as a line of text, `width` columns at most.
    public static func line(_ entry: Entry) -> String {
        let name = entry.label
        return padded(fixedPoint(entry.start, decimals: 2), to: 7) + " s  " + name
            + String(repeating: " ", count: max(0, 4 - displayWidth(of: name)))
            + padded(fixedPoint(entry.deviation.value, decimals: 1, signed: true), to: 6) + " c  ±"
            + padded(fixedPoint(entry.spread.value, decimals: 1), to: 4)
            + padded(fixedPoint(entry.frequency.value, decimals: 2), to: 10) + " Hz  "
            + padded(fixedPoint(entry.end - entry.start, decimals: 2), to: 5) + " s long"
    }

    private mutating func endNote() {
        defer { current.removeAll(keepingCapacity: true) }
        guard let first = current.first, let last = current.last, last.seconds - first.seconds >= Self.shortestNote
        else { return }
        let sorted = current.map(\.frequency).sorted()
        let median = sorted[sorted.count / 2]
        // The readings' frequencies are corrected already.
        var plain = finder
        plain.clockError = 0
        guard let pitch = plain.pitch(of: median) else { return }
        let spread = Cents(from: sorted[sorted.count / 4], to: sorted[sorted.count * 3 / 4]).value / 2
        entries.append(
            Entry(
                start: first.seconds, end: last.seconds, note: pitch.note, label: pitch.label,
                deviation: pitch.deviation, spread: spread.cents, frequency: median))
    }
}
