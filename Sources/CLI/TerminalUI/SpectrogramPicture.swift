/// Levels over time and pitch. Columns run from left to right, rows from low to high.
public struct SpectrogramPicture: Sendable {
    /// The size in cells.
    public let columns: Int, rows: Int
    /// The lower and upper edge, in semitones as MIDI counts them.
    public let pitches: ClosedRange<Double>
    /// Decibels relative to the loudest cell, row by row.
    public let levels: [Float]

    /// A picture of these levels, one for each cell.
    public init(columns: Int, rows: Int, pitches: ClosedRange<Double>, levels: [Float]) {
        precondition(levels.count == columns * rows, "one level for each cell")
        (self.columns, self.rows, self.pitches, self.levels) = (columns, rows, pitches, levels)
    }
}
