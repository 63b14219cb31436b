internal import Music
internal import Timebase

/// The metronome's full display as a picture: the beats of the bar as columns, as high as they are loud.
///
/// Everything is a function of the model and the size; nothing depends on the terminal. Level is shown by height, the
/// beat that is heard by its filling and by brackets around its number, what is muted by dots and parentheses: none of
/// it needs colour.
public struct MetronomeScreen: Sendable {
    private let model: MetronomeModel
    private var canvas: Canvas

    /// Fewer rows than this and the one-line display is the better one.
    public static let fewestRows = 8

    /// The picture of a model.
    ///
    /// - Parameters:
    ///   - columns: 40 to 250 look as they should; others are drawn as far as they go.
    ///   - rows: 8 or more.
    ///   - unicode: whether the terminal shows more than ASCII.
    public static func draw(_ model: MetronomeModel, columns: Int, rows: Int, unicode: Bool) -> Canvas {
        var screen = MetronomeScreen(model: model, canvas: Canvas(columns: columns, rows: rows, unicode: unicode))
        screen.draw()
        return screen.canvas
    }

    private var middle: Int { canvas.columns / 2 }

    private mutating func draw() {
        let rows = canvas.rows
        canvas.write(fitted(model.title, canvas.columns - 2), row: 0, column: 1, ink: .dim)
        drawFooter(row: rows - 1)
        if model.showsHelp { return drawHelp() }
        drawStatus(row: rows - 2)
        drawPlace(row: rows - 3)
        let free = rows - 4
        if model.isBig {
            drawNumber(top: 1, rows: free - 2)
            drawMarks(row: free - 1)
            drawReadout(row: free)
        } else {
            let readout = free >= 12 && canvas.unicode && canvas.columns >= 66 ? 6 : 1
            drawColumns(top: 1, rows: free - readout)
            if readout > 1 { drawBigReadout(top: free - readout + 2) } else { drawReadout(row: free) }
        }
        guard model.isFlashing else { return }
        for index in canvas.cells.indices { canvas.cells[index].ink = .lit }
    }

    // MARK: The beats of the bar

    /// Where each beat of the bar stands, or `nil` if there are too many for the width or the event.
    private func cells(_ beat: BeatEvent) -> (left: Int, width: Int, step: Int)? {
        let count = Int(beat.beatsInBar)
        let room = canvas.columns - 2
        // The event carries the levels of 32 beats.
        guard count >= 1, count <= 32, count <= room else { return nil }
        let gap = room / count >= 6 ? 2 : room / count >= 3 ? 1 : 0
        let width = min(16, (room + gap) / count - gap)
        let left = middle - (count * (width + gap) - gap) / 2
        return (left, width, width + gap)
    }

    private func level(_ beat: BeatEvent, _ index: Int) -> AccentLevel {
        AccentLevel(rawValue: UInt8(beat.barLevels >> UInt64(2 * index) & 3)) ?? .normal
    }

    private mutating func drawColumns(top: Int, rows: Int) {
        guard let beat = model.beat else {
            return canvas.write(
                model.isRunning ? "listen ..." : "stopped", row: top + rows / 2, centredAt: middle, ink: .dim)
        }
        guard rows > 1, let (left, width, step) = cells(beat) else { return drawMarks(row: top + max(0, rows - 1)) }
        let height = rows - 1
        for index in 0..<Int(beat.beatsInBar) {
            let level = level(beat, index)
            let (isCurrent, isMuted) = state(beat, index)
            let filled: Int =
                switch level {
                case .silent: 0
                case .normal: max(1, height / 3)
                case .medium: max(1, height * 2 / 3)
                case .accent: height
                }
            let mark: Unicode.Scalar =
                switch (isMuted, isCurrent) {
                case (false, true): canvas.unicode ? "█" : "#"
                case (false, false): canvas.unicode ? "░" : ":"
                case (true, true): canvas.unicode ? "▒" : "+"
                case (true, false): canvas.unicode ? "·" : "."
                }
            let ink: Ink = isCurrent ? (isMuted ? .near : .inTune) : .dim
            for row in 0..<filled {
                for column in 0..<width {
                    canvas.put(mark, row: top + height - 1 - row, column: left + index * step + column, ink: ink)
                }
            }
            if filled == 0 {
                for column in 0..<width {
                    canvas.put("_", row: top + height - 1, column: left + index * step + column, ink: ink)
                }
            }
            let name = name(index, isCurrent, isMuted, room: step)
            let centre = left + index * step + width / 2
            canvas.write(name, row: top + height, centredAt: centre, ink: isCurrent ? .bold : .dim)
        }
    }

    /// Whether a beat of the bar is the one that is heard, and whether it is counted in silence.
    private func state(_ beat: BeatEvent, _ index: Int) -> (isCurrent: Bool, isMuted: Bool) {
        let isCurrent = model.isRunning && index + 1 == Int(beat.beat)
        return (isCurrent, model.isMuted || model.isMuted(beat: Int32(index + 1)) || isCurrent && beat.isMuted)
    }

    /// The number of a beat, in brackets when it is heard, in parentheses when it is muted; shorter where room is short.
    private func name(_ index: Int, _ isCurrent: Bool, _ isMuted: Bool, room: Int) -> String {
        let number = "\(index + 1)"
        if room >= number.count + 2 { return isCurrent ? "[\(number)]" : isMuted ? "(\(number))" : number }
        if isCurrent { return canvas.unicode ? "▲" : "^" }
        return room > number.count ? number : ""
    }

    /// The bar in one row: `[O] .  .  (.)`, or a line with a mark on it where the bar is too long.
    private mutating func drawMarks(row: Int) {
        guard let beat = model.beat else { return }
        let count = Int(beat.beatsInBar)
        let row3 = BeatRow(unicode: canvas.unicode)
        if count <= 32, count * 3 <= canvas.columns - 2 {
            var column = middle - count * 3 / 2
            for index in 0..<count {
                let (isCurrent, isMuted) = state(beat, index)
                let mark = row3.mark(level(beat, index))
                let text = isCurrent ? "[\(mark)]" : isMuted ? "(\(mark))" : " \(mark) "
                column = canvas.write(text, row: row, column: column, ink: isCurrent ? .inTune : .dim)
            }
            return
        }
        let width = canvas.columns - 4
        let place = 2 + (Int(beat.beat) - 1) * max(1, width - 1) / max(1, count - 1)
        for column in 2..<max(3, 2 + width) {
            canvas.put(canvas.unicode ? "─" : "-", row: row, column: column, ink: .dim)
        }
        canvas.put(canvas.unicode ? "█" : "#", row: row, column: place, ink: .inTune)
    }

    private mutating func drawNumber(top: Int, rows: Int) {
        guard let beat = model.beat, rows > 0 else { return drawColumns(top: top, rows: rows) }
        let text = model.isRunning ? "\(beat.beat)" : "-"
        // The room for the last beat of the bar, so that the size does not jump.
        let room = max(text.count, "\(beat.beatsInBar)".count)
        var scale = 0
        while BigText.rows(scale: scale + 1, unicode: canvas.unicode) <= rows,
            BigText.columns(room, scale: scale + 1) <= canvas.columns - 2, scale < 20
        {
            scale += 1
        }
        guard scale > 0 else { return canvas.write(text, row: top + rows / 2, centredAt: middle, ink: .bold) }
        let height = BigText.rows(scale: scale, unicode: canvas.unicode)
        BigText.draw(
            text, on: &canvas, row: top + (rows - height) / 2,
            column: middle - BigText.columns(text.count, scale: scale) / 2, scale: scale,
            ink: beat.isMuted ? .dim : beat.level == .accent ? .inTune : .plain)
    }

    // MARK: The numbers

    private var state: String { !model.isRunning ? "stopped" : model.beat?.isMuted == true ? "muted" : "" }

    private mutating func drawReadout(row: Int) {
        guard let beat = model.beat else { return }
        var text = "beat \(beat.beat)/\(beat.beatsInBar)   bar \(beat.bar)   \(model.tempo) BPM"
        if !state.isEmpty { text += "   " + state }
        if text.count > canvas.columns - 2 { text = text.split(separator: " ").joined(separator: " ") }
        canvas.write(fitted(text, canvas.columns - 2), row: row, centredAt: middle)
    }

    private mutating func drawBigReadout(top: Int) {
        guard let beat = model.beat else { return }
        let parts = [
            ("\(beat.beat)/\(beat.beatsInBar)", "beat"), ("\(beat.bar)", "bar"),
            (model.tempo, "BPM"),
        ]
        let widths = parts.map { BigText.columns($0.0.count, scale: 1) }
        // As far apart as there is room, but on a wide screen not so far that the eye has to travel.
        let gap = min(16, (canvas.columns - 2 - widths.reduce(0, +)) / 2)
        guard gap >= 3, parts.allSatisfy({ BigText.canShow($0.0) }) else { return drawReadout(row: top + 2) }
        var column = middle - (widths.reduce(0, +) + 2 * gap) / 2
        for (index, part) in parts.enumerated() {
            BigText.draw(
                part.0, on: &canvas, row: top, column: column, scale: 1, ink: state.isEmpty ? .plain : .dim)
            let word = index == 0 && !state.isEmpty ? "beat, \(state)" : part.1
            canvas.write(word, row: top + 4, column: column, ink: .dim)
            column += widths[index] + gap
        }
    }

    // MARK: Below

    /// How far the plan has come.
    private mutating func drawPlace(row: Int) {
        guard model.beat != nil else { return }
        let place = model.place
        var parts: [String] = []
        if place.isCountIn { parts.append("count-in") }
        if let label = place.label { parts.append(label + (place.bars.map { " \(place.bar)/\($0)" } ?? "")) }
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

    private mutating func drawBar(_ share: Double, row: Int, from first: Int, to last: Int) {
        guard last - first >= 4 else { return }
        let count = Int((share * Double(last - first)).rounded())
        for column in first..<last {
            let isOver = column - first < count
            let mark: Unicode.Scalar = canvas.unicode ? (isOver ? "━" : "╌") : (isOver ? "=" : ".")
            canvas.put(mark, row: row, column: column, ink: isOver ? .plain : .dim)
        }
    }

    private mutating func drawStatus(row: Int) {
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

    private mutating func drawFooter(row: Int) {
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
        let more = [hints[0], hints[1], arrows, hints[2], hints[3], "s sound", "+/- volume", "< > nudge", hints[4]]
        var text = more.joined(separator: "   ")
        if text.count > canvas.columns - 2 { text = hints.joined(separator: "  ") }
        if text.count > canvas.columns - 2 { text = "q quit  ? help" }
        canvas.write(fitted(text, canvas.columns - 2), row: row, column: 1, ink: .dim)
    }

    private mutating func drawHelp() {
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

    /// `text` cut to so many columns.
    private func fitted(_ text: String, _ columns: Int) -> String {
        var fitted = text
        while displayWidth(of: fitted) > max(0, columns) { fitted.removeLast() }
        return fitted
    }
}
