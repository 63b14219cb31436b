internal import Timebase

extension MetronomeScreen {
    /// The columns of each beat of the bar; `nil` if there are too many.
    func cells(_ beat: BeatEvent) -> (left: Int, width: Int, step: Int)? {
        let count = Int(beat.beatsInBar)
        let room = canvas.columns - 2
        guard count >= 1, count <= BarLevels.capacity, count <= room else { return nil }
        let gap = room / count >= 6 ? 2 : room / count >= 3 ? 1 : 0
        let width = min(16, (room + gap) / count - gap)
        let left = middle - (count * (width + gap) - gap) / 2
        return (left, width, width + gap)
    }

    mutating func drawColumns(top: Int, rows: Int) {
        guard let beat = model.beat else {
            return canvas.write(
                model.waiting.first { $0.count < canvas.columns } ?? model.waiting.last ?? "", row: top + rows / 2,
                centredAt: middle,
                ink: .dim)
        }
        guard rows > 1, let (left, width, step) = cells(beat) else { return drawMarks(row: top + max(0, rows - 1)) }
        // Two rows remain for the columns, before parts and voices get theirs.
        let extra = min(strokeRows + noteRows, max(0, rows - 3))
        let height = rows - 1 - extra
        let forNotes = min(noteRows, extra)
        drawNotes(top: top + rows - forNotes, rows: forNotes)
        drawStrokes(
            top: top + rows - extra, rows: extra - forNotes, columns: left..<(left + Int(beat.beatsInBar) * step))
        for index in 0..<Int(beat.beatsInBar) {
            let level = beat.level(ofBeat: index + 1) ?? .normal
            let (isCurrent, isMuted) = state(beat, index)
            let filled = level == .silent ? 0 : max(1, height * level.number / AccentLevel.numbers.upperBound)
            let mark: Unicode.Scalar =
                switch (isMuted, isCurrent) {
                case (false, true): canvas.unicode ? "█" : "#"
                case (false, false): canvas.unicode ? "░" : ":"
                case (true, true): canvas.unicode ? "▒" : "+"
                case (true, false): canvas.unicode ? "·" : "."
                }
            let ink: Ink = isCurrent ? (isMuted ? .near : .inTune) : .dim
            let place = left + index * step..<left + index * step + width
            for row in 0..<filled {
                canvas.fill(mark, row: top + height - 1 - row, columns: place, ink: ink)
            }
            if filled == 0 { canvas.fill("_", row: top + height - 1, columns: place, ink: ink) }
            let name = name(index, isCurrent, isMuted, room: step)
            let centre = left + index * step + width / 2
            canvas.write(name, row: top + height, centredAt: centre, ink: isCurrent ? .bold : .dim)
        }
    }

    /// Whether a beat of the bar is the current one, and whether it is muted.
    func state(_ beat: BeatEvent, _ index: Int) -> (isCurrent: Bool, isMuted: Bool) {
        let isCurrent = model.isRunning && index + 1 == Int(beat.beat)
        return (isCurrent, model.isMuted || model.isMuted(beat: Int32(index + 1)) || isCurrent && beat.isMuted)
    }

    /// The number of a beat, in brackets if current, in parentheses if muted; shorter in narrow columns.
    func name(_ index: Int, _ isCurrent: Bool, _ isMuted: Bool, room: Int) -> String {
        let number = "\(index + 1)"
        if room >= number.count + 2 { return isCurrent ? "[\(number)]" : isMuted ? "(\(number))" : number }
        if isCurrent { return canvas.unicode ? "▲" : "^" }
        return room > number.count ? number : ""
    }

    /// The bar in one row: `[O] .  .  (.)`, or a line with a mark if the bar is too long.
    mutating func drawMarks(row: Int) {
        guard let beat = model.beat else { return }
        let count = Int(beat.beatsInBar)
        let marks = BeatRow(unicode: canvas.unicode)
        if count <= BarLevels.capacity, count * 3 <= canvas.columns - 2 {
            var column = middle - count * 3 / 2
            for index in 0..<count {
                let (isCurrent, isMuted) = state(beat, index)
                let mark = marks.mark(beat.level(ofBeat: index + 1) ?? .normal)
                let text = isCurrent ? "[\(mark)]" : isMuted ? "(\(mark))" : " \(mark) "
                column = canvas.write(text, row: row, column: column, ink: isCurrent ? .inTune : .dim)
            }
            return
        }
        let width = canvas.columns - 4
        let place = 2 + (Int(beat.beat) - 1) * max(1, width - 1) / max(1, count - 1)
        canvas.fill(canvas.unicode ? "─" : "-", row: row, columns: 2..<max(3, 2 + width), ink: .dim)
        canvas.put(canvas.unicode ? "█" : "#", row: row, column: place, ink: .inTune)
    }

    mutating func drawNumber(top: Int, rows: Int) {
        guard let beat = model.beat, rows > 0 else { return drawColumns(top: top, rows: rows) }
        let text = model.isRunning ? "\(beat.beat)" : "-"
        // Fit the largest number of the bar, so that the size is constant.
        let room = max(text.count, "\(beat.beatsInBar)".count)
        let scale = BigText.scale(
            of: room, rows: rows, columns: canvas.columns - 2, unicode: canvas.unicode, most: 20)
        guard scale > 0 else { return canvas.write(text, row: top + rows / 2, centredAt: middle, ink: .bold) }
        let height = BigText.rows(scale: scale, unicode: canvas.unicode)
        BigText.draw(
            text, on: &canvas, row: top + (rows - height) / 2,
            column: middle - BigText.columns(text.count, scale: scale) / 2, scale: scale,
            ink: beat.isMuted ? .dim : beat.level == .accent ? .inTune : .plain)
    }
}
