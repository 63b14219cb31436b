internal import Timebase

/// The parts of the beats and the voices of a polyrhythm, each in a row below the beats and at its place in the bar.
extension MetronomeScreen {
    /// The rows that the strokes of the bar need.
    var strokeRows: Int { (model.strokes.parts.isEmpty ? 0 : 1) + model.strokes.voices.count { !$0.isEmpty } }

    mutating func drawStrokes(top: Int, rows: Int, columns: Range<Int>) {
        var row = top
        if rows > 0, !model.strokes.parts.isEmpty, let beat = model.beat {
            let part = model.part
            draw(model.strokes.parts, row: row, columns) { $0.beat == beat.beat && $0.part == part }
            row += 1
        }
        for (index, voice) in model.strokes.voices.enumerated() where !voice.isEmpty && row < top + rows {
            let line: Unicode.Scalar = canvas.unicode ? "─" : "-"
            canvas.fill(line, row: row, columns: columns, ink: .dim)
            let heard = model.voices[Int32(index) + 1].map { $0 - 1 }
            draw(voice, row: row, columns) { stroke in heard.map { $0 < voice.count && voice[$0] == stroke } ?? false }
            let name = "\(voice.count)"
            if columns.lowerBound > name.count {
                canvas.write(name, row: row, endingAt: columns.lowerBound - 1, ink: .dim)
            }
            row += 1
        }
    }

    private mutating func draw(
        _ strokes: [BarStrokes.Stroke], row: Int, _ columns: Range<Int>, _ isCurrent: (BarStrokes.Stroke) -> Bool
    ) {
        let marks = BeatRow(unicode: canvas.unicode)
        // Where strokes are closer than columns, the last one of a column is seen.
        for stroke in strokes {
            let column = columns.lowerBound + Int(stroke.place * Double(columns.count))
            let isNow = model.isRunning && isCurrent(stroke)
            let mark = isNow ? (canvas.unicode ? "█" : "#") : String(marks.mark(stroke.level))
            canvas.write(mark, row: row, column: column, ink: isNow ? .inTune : .dim)
        }
    }
}
