/// Levels over time and pitch. Columns run from left to right, rows from low to high.
package struct SpectrogramPicture: Sendable {
    package let columns: Int, rows: Int
    /// The lower and upper edge, in semitones as MIDI counts them.
    package let pitches: ClosedRange<Double>
    /// Decibels relative to the loudest cell, row by row.
    package let levels: [Float]

    package init(columns: Int, rows: Int, pitches: ClosedRange<Double>, levels: [Float]) {
        precondition(levels.count == columns * rows, "one level for each cell")
        (self.columns, self.rows, self.pitches, self.levels) = (columns, rows, pitches, levels)
    }
}
