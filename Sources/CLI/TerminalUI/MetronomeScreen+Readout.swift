internal import Timebase

extension MetronomeScreen {
    var state: String {
        if !model.isRunning { return "stopped" }
        if model.beat?.isMuted == true { return "muted" }
        return model.beat == nil ? "" : model.leads?.words.last ?? ""
    }

    mutating func drawReadout(row: Int) {
        guard let beat = model.beat else { return }
        var text = "beat \(beat.beat)/\(beat.beatsInBar)   bar \(beat.bar)   \(model.tempo) BPM"
        if !state.isEmpty { text += "   " + state }
        if text.count > canvas.columns - 2 { text = text.split(separator: " ").joined(separator: " ") }
        canvas.write(fitted(text, canvas.columns - 2), row: row, centredAt: middle)
    }

    mutating func drawBigReadout(top: Int) {
        guard let beat = model.beat else { return }
        let parts = [
            ("\(beat.beat)/\(beat.beatsInBar)", "beat"), ("\(beat.bar)", "bar"),
            (model.tempo, "BPM"),
        ]
        let widths = parts.map { BigText.columns($0.0.count, scale: 1) }
        // Spread over the available width, up to a limit.
        let gap = min(16, (canvas.columns - 2 - widths.reduce(0, +)) / 2)
        guard gap >= 3, parts.allSatisfy({ BigText.canShow($0.0) }) else { return drawReadout(row: top + 2) }
        var column = middle - (widths.reduce(0, +) + 2 * gap) / 2
        for (index, part) in parts.enumerated() {
            BigText.draw(part.0, on: &canvas, row: top, column: column, scale: 1, ink: state.isEmpty ? .plain : .dim)
            let word = index == 0 && !state.isEmpty ? "beat, \(state)" : part.1
            canvas.write(word, row: top + 4, column: column, ink: .dim)
            column += widths[index] + gap
        }
    }
}
