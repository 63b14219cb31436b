internal import Music
internal import Timebase

/// How far the plan has come, the clock, the sound, the keys.
extension MetronomeScreen {
    /// How far the plan has come.
    mutating func drawPlace(row: Int) {
        guard model.beat != nil else { return }
        let place = model.place
        var parts: [String] = []
        if place.isCountIn {
            parts.append("count-in" + (place.label.map { " to \($0)" } ?? ""))
        } else if let label = place.label {
            parts.append(label + (place.bars.map { " \(place.bar)/\($0)" } ?? ""))
        }
        if let count = model.progress.barCount, count > 0, !place.isCountIn { parts.append("of \(count) bars") }
        if let gap = place.gap {
            let bars = gap.bars.map { $0 == 1 ? "1 bar" : "\($0) bars" }
            if gap.isMuted {
                parts.append("muted" + (bars.map { ", \($0) left" } ?? ""))
            } else if let bars {
                parts.append("muted in \(bars)")
            }
        }
        if let step = place.nextStep {
            let beats = step.beats == 1 ? "1 beat" : "\(step.beats) beats"
            parts.append("\(MetronomeModel.text(ofTempo: step.tempo)) BPM in \(beats)")
        }
        let arrow = canvas.unicode ? "→" : "->"
        guard let ramp = place.ramp else {
            return canvas.write(
                fitted(parts.joined(separator: "   "), canvas.columns - 2), row: row, centredAt: middle, ink: .dim)
        }
        let (from, to) = (MetronomeModel.text(ofTempo: ramp.from), MetronomeModel.text(ofTempo: ramp.to))
        parts.append("\(from) \(arrow) \(to)")
        let text = fitted(parts.joined(separator: "   "), canvas.columns - 2)
        canvas.write(text, row: row, column: 1, ink: .dim)
        drawBar(ramp.share, row: row, from: text.count + 3, to: canvas.columns - 1)
    }

    mutating func drawBar(_ share: Double, row: Int, from first: Int, to last: Int) {
        guard last - first >= 4 else { return }
        let count = Int((share * Double(last - first)).rounded())
        for column in first..<last {
            let isOver = column - first < count
            let mark: Unicode.Scalar = canvas.unicode ? (isOver ? "━" : "╌") : (isOver ? "=" : ".")
            canvas.put(mark, row: row, column: column, ink: isOver ? .plain : .dim)
        }
    }

    mutating func drawStatus(row: Int) {
        let (hours, minutes, seconds) = (model.elapsed / 3_600, model.elapsed / 60 % 60, model.elapsed % 60)
        let clock = (hours > 0 ? "\(hours):" : "") + (hours > 0 && minutes < 10 ? "0" : "") + "\(minutes):"
        canvas.write(clock + (seconds < 10 ? "0" : "") + "\(seconds)", row: row, column: 1, ink: .dim)
        var parts = [model.sound]
        if model.volume.value < 0 { parts.append(fixedPoint(model.volume.value, decimals: 0) + " dB") }
        if model.isMuted { parts.append("muted") }
        if model.flashes { parts.append("flash") }
        canvas.write(
            fitted(parts.joined(separator: "   "), canvas.columns - 10), row: row, endingAt: canvas.columns - 1,
            ink: model.isMuted ? .plain : .dim)
    }

    mutating func drawFooter(row: Int) {
        if let entry = model.entry {
            let text = "tempo: \(entry)_   Enter: at the next beat, Esc: leave it"
            canvas.write(fitted(text, canvas.columns - 2), row: row, column: 1, ink: .lit)
            return
        }
        if let message = model.currentMessage {
            canvas.write(fitted(message, canvas.columns - 2), row: row, column: 1, ink: .lit)
            return
        }
        let hints = ["q quit", "space \(model.isRunning ? "stop" : "start")", "t tap", "m mute", "? help"]
        let arrows = canvas.unicode ? "↑↓ tempo" : "up/down tempo"
        let more = [hints[0], hints[1], arrows, hints[2], hints[3], "+/- volume", "< > nudge", hints[4]]
        var text = more.joined(separator: "   ")
        if text.count > canvas.columns - 2 { text = hints.joined(separator: "  ") }
        if text.count > canvas.columns - 2 { text = "q quit  ? help" }
        canvas.write(fitted(text, canvas.columns - 2), row: row, column: 1, ink: .dim)
    }

    mutating func drawHelp() {
        let width = model.keys.map(\.key.count).max() ?? 0
        let longest = model.keys.map(\.text.count).max() ?? 0
        let column = max(1, middle - (width + 2 + longest) / 2)
        // In two columns where there are too few rows for one.
        let room = canvas.rows - 2
        for (index, key) in model.keys.enumerated() {
            let row = 1 + max(0, (room - model.keys.count) / 2) + index
            guard row < canvas.rows - 1 else { return }
            canvas.write(key.key, row: row, column: column, ink: .bold)
            canvas.write(fitted(key.text, canvas.columns - column - width - 3), row: row, column: column + width + 2)
        }
    }
}
