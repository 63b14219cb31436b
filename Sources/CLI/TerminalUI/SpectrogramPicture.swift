/// Levels of sound over time and pitch: columns from left to right, rows from low to high.
public struct SpectrogramPicture: Sendable {
    /// Its size.
    public let columns: Int, rows: Int
    /// Semitones (as MIDI numbers) at the lower and upper edge.
    public let pitches: ClosedRange<Double>
    /// Decibels below the loudest place, 0 or less; `columns` runs fastest.
    public let levels: [Float]

    /// A picture of these levels.
    public init(columns: Int, rows: Int, pitches: ClosedRange<Double>, levels: [Float]) {
        precondition(levels.count == columns * rows, "a level for each place")
        (self.columns, self.rows, self.pitches, self.levels) = (columns, rows, pitches, levels)
    }
}
