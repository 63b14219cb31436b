internal import Music
internal import Timebase

/// The position in the plan, the clock, the sound, the keys.
extension MetronomeScreen {
    mutating func drawPlace(row: Int) {
        guard model.beat != nil else { return }
        let place = model.place
        var parts: [String] = []
        if place.isCountIn {
            parts.append("count-in" + (place.label.map { " to \($0)" } ?? ""))
        } else if let label = place.label {
            parts.append(label + (place.bars.map { " \(place.bar)/\($0)" } ?? ""))
        }
        if let count = model.grid.barCount, count > 0, !place.isCountIn { parts.append("of \(count) bars") }
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
            parts.append("\(place.countedNote)\(MetronomeModel.text(ofTempo: step.tempo)) BPM in \(beats)")
        }
        if let ramp = place.ramp {
            let (from, to) = (MetronomeModel.text(ofTempo: ramp.from), MetronomeModel.text(ofTempo: ramp.to))
            parts.append("\(place.countedNote)\(from) \(canvas.unicode ? "→" : "->") \(to)")
        }
        let text = fitted(parts.joined(separator: "   "), canvas.columns - 2)
        guard let ramp = place.ramp else { return canvas.write(text, row: row, centredAt: middle, ink: .dim) }
        canvas.write(text, row: row, column: 1, ink: .dim)
        let (first, last) = (text.count + 3, canvas.columns - 1)
        if last - first >= 4 { canvas.drawBar(ramp.share, row: row, columns: first..<last) }
    }

    mutating func drawStatus(row: Int) {
        let (hours, minutes, seconds) = (model.elapsed / 3_600, model.elapsed / 60 % 60, model.elapsed % 60)
        let clock = (hours > 0 ? "\(hours):" : "") + (hours > 0 && minutes < 10 ? "0" : "") + "\(minutes):"
        canvas.write(clock + (seconds < 10 ? "0" : "") + "\(seconds)", row: row, column: 1, ink: .dim)
        if let text = figures.first(where: { $0.count <= canvas.columns - 12 }), !text.isEmpty {
            return canvas.write(text, row: row, endingAt: canvas.columns - 1)
        }
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
            return canvas.writeFooter(
                [
                    "tempo: \(entry)_   Enter: set it at the next beat, Esc: cancel",
                    "tempo: \(entry)_   Enter, Esc",
                ], row: row, ink: .lit)
        }
        // What a key did is shown first, for two seconds.
        if model.currentMessage == nil, let prompt = model.prompt {
            return canvas.writeFooter(prompt, row: row, ink: .lit)
        }
        if let message = model.currentMessage { return canvas.writeFooter([message], row: row, ink: .lit) }
        if model.leads != nil {
            let keys = ["q quit", "space begin anew", "m mute", "+/- volume", "? help"]
            return canvas.writeFooter([keys.joined(separator: "   "), "q quit  space anew  ? help"], row: row)
        }
        let run = "space \(model.isRunning ? "stop" : "start")"
        let tempo = canvas.unicode ? "↑↓ tempo" : "up/down tempo"
        let all = ["q quit", run, tempo, "t tap", "e edit", "m mute", "s sound", "+/- volume", "< > nudge", "? help"]
        let usual = ["q quit", run, tempo, "t tap", "e edit", "s sound", "? help"]
        canvas.writeFooter(
            [
                all.joined(separator: "   "), usual.joined(separator: "  "), "q quit  \(run)  t tap  ? help",
                "q quit  ? help",
            ], row: row)
    }
}
