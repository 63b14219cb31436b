internal import Timebase

/// The player's notes below the beats: for each beat a scale from 50 ms early on the left to 50 ms late on the right.
extension MetronomeScreen {
    /// The rows that the notes need: the scale and the words.
    var noteRows: Int { model.notes == nil ? 0 : 2 }

    /// `100 ms early`.
    private static var longestWords: Int { 12 }

    /// Half of a scale, in milliseconds.
    private static var reach: Double { 50 }

    mutating func drawNotes(top: Int, rows: Int) {
        guard rows > 0, let notes = model.notes, let beat = model.beat, let (left, width, step) = cells(beat) else {
            return
        }
        for index in 0..<Int(beat.beatsInBar) {
            let (first, centre) = (left + index * step, left + index * step + width / 2)
            canvas.fill(canvas.unicode ? "─" : "-", row: top, columns: first..<first + width, ink: .dim)
            canvas.put(canvas.unicode ? "┼" : "+", row: top, column: centre, ink: .dim)
            guard let marks = notes.marks[Int32(index + 1)], let last = marks.last else { continue }
            for mark in marks {
                let share = min(1, max(-1, mark.late / Self.reach))
                let column = centre + Int((share * Double((width - 1) / 2)).rounded())
                let ink: Ink = mark.isExtra ? .dim : abs(mark.late) <= 10 ? .inTune : .near
                canvas.put(
                    mark.isExtra ? "x" : canvas.unicode ? "●" : "o", row: top, column: min(column, first + width - 1),
                    ink: ink)
            }
            guard rows > 1 else { continue }
            // All beats in the same words.
            let text = step > Self.longestWords ? HeardNotes.words(of: last) : HeardNotes.shortWords(of: last)
            guard text.count < step else { continue }
            canvas.write(text, row: top + 1, centredAt: centre, ink: .dim)
        }
    }

    /// What is heard, for rows that have no scale.
    var figures: [String] { model.notes?.figures ?? [] }
}
