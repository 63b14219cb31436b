/// Where the parts of a take's picture lie, in dots of 1/96 inch.
///
/// Up to a minute is one row on a sheet of A4 paper, landscape. Longer takes have a row for each minute, and the sheet grows
/// downwards: a viewer scrolls, and nothing becomes smaller.
struct TakeLayout: Sendable {
    static let width = 1_122.0
    static let left = 64.0, right = 812.0, top = 56.0
    static let boxLeft = 862.0, boxRight = 1_082.0

    /// The time at the left end of the first row.
    let start: Double
    /// The length of the take.
    let length: Double
    let rowSeconds: Double
    let rowCount: Int
    /// The height of a row's pitch panel.
    let rowHeight: Double
    /// The height of a note in the panel of the notes.
    let noteStep: Double
    let boxBottom: Double

    private static let longestRow = 60.0
    /// More rows than this get longer.
    private static let mostRows = 30
    /// Below a row: the labels of its time axis.
    private static let gap = 46.0
    private static let spectrogramHeight = 200.0

    /// A layout.
    ///
    /// - Parameters:
    ///   - semitones: the range of the pitch panel.
    ///   - notes: the number of notes in the panel beside it.
    init(start: Double, length: Double, semitones: Double, notes: Int) {
        self.start = start
        self.length = max(0.001, length)
        if length <= Self.longestRow {
            (rowSeconds, rowCount) = (self.length, 1)
            // A sheet of paper, or 10 dots for each semitone.
            rowHeight = max(424, min(720, 10 * semitones))
        } else {
            let least = (length / Double(Self.mostRows) / Self.longestRow).rounded(.up) * Self.longestRow
            rowSeconds = max(Self.longestRow, least)
            rowCount = Int((length / rowSeconds).rounded(.up))
            rowHeight = max(160, min(480, 8 * semitones))
        }
        let height = Double(rowCount) * (rowHeight + Self.gap) - Self.gap
        // From 14 dots, at which the names stand clear of each other, to 36.
        noteStep = max(14, min(36, height / Double(max(1, notes))))
        boxBottom =
            rowCount == 1
            ? max(Self.top + height, Self.top + noteStep * Double(notes))
            : Self.top + max(rowHeight, noteStep * Double(notes))
    }

    func top(ofRow row: Int) -> Double { Self.top + Double(row) * (rowHeight + Self.gap) }

    func bottom(ofRow row: Int) -> Double { top(ofRow: row) + rowHeight }

    /// The spectrogram of the whole take.
    var spectrogramTop: Double { bottom(ofRow: rowCount - 1) + 50 }
    var spectrogramBottom: Double { spectrogramTop + Self.spectrogramHeight }
    var height: Double { max(spectrogramBottom, boxBottom) + 63 }

    /// The row of a time.
    func row(at seconds: Double) -> Int { max(0, min(rowCount - 1, Int((seconds - start) / rowSeconds))) }

    /// The times that a row shows.
    func times(ofRow row: Int) -> ClosedRange<Double> {
        let first = start + Double(row) * rowSeconds
        return first...min(first + rowSeconds, start + length)
    }

    /// The place of a time in its row, or on an axis of the whole take.
    func x(_ seconds: Double, row: Int?) -> Double {
        let first = row.map { start + Double($0) * rowSeconds } ?? start
        return Self.left + (Self.right - Self.left) * (seconds - first) / (row == nil ? length : rowSeconds)
    }
}
