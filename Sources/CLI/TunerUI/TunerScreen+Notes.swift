internal import Intonation
internal import Music
internal import TerminalUI

/// The trail on an axis of notes, as on a staff: a row for each semitone around what was sung.
extension TunerScreen {
    mutating func drawNoteTrail(top: Int, rows: Int) {
        let keys = model.trail.map(\.key.midi)
        let newest = model.trail.last?.key.midi ?? 69
        // All notes of the last ten seconds if they fit, otherwise those around the newest.
        let (low, high) = (keys.min() ?? newest, keys.max() ?? newest)
        let centre = high - low < rows ? (low + high) / 2 : newest
        let highest = centre + (rows - 1) / 2
        let axis = 2 + (model.trail.map { displayWidth(of: name($0.key)) }.max() ?? 2)
        for row in 0..<rows {
            let key = Note(midi: highest - row)
            // A line for each natural; the others stay empty, as black keys.
            if isNatural(key) {
                let line: Unicode.Scalar = canvas.unicode ? "─" : "-"
                canvas.fill(line, row: top + row, columns: axis..<max(axis, canvas.columns), ink: .dim)
            }
            let isCurrent = model.isSounding && key == model.pitch?.note
            if isNatural(key) || isCurrent {
                canvas.write(
                    fitted(name(key), axis), row: top + row, column: 0, ink: isCurrent ? .bold : .dim)
            }
        }
        drawPoints(top: top, rows: rows, highest: highest, axis: axis)
    }

    private mutating func drawPoints(top: Int, rows: Int, highest: Int, axis: Int) {
        let width = canvas.columns - axis
        guard width > 0 else { return }
        let start = model.trailEnd - TunerModel.trailSeconds
        // Each column shows the mean of its points on the key of the last of them.
        var columns = [(total: Double, count: Int, key: Int)](repeating: (0, 0, 0), count: width)
        for point in model.trail {
            let place = Int((point.seconds - start) / TunerModel.trailSeconds * Double(width))
            guard place >= 0, place <= width else { continue }
            let column = min(place, width - 1)
            if columns[column].key != point.key.midi { columns[column] = (0, 0, point.key.midi) }
            columns[column].total += point.cents
            columns[column].count += 1
        }
        for (column, heard) in columns.enumerated() where heard.count > 0 {
            let row = highest - heard.key
            guard (0..<rows).contains(row) else { continue }
            let cents = heard.total / Double(heard.count)
            let verdict = TuningVerdict(cents.cents, tolerance: model.tolerance)
            canvas.put(
                mark(verdict), row: top + row, column: axis + column, ink: model.shade(cents, verdict))
        }
    }

    /// The upper or lower half of a row for sharp and flat, both for in tune.
    private func mark(_ verdict: TuningVerdict) -> Unicode.Scalar {
        switch verdict {
        case .inTune: canvas.unicode ? "█" : "="
        case .sharp: canvas.unicode ? "▀" : "^"
        case .flat: canvas.unicode ? "▄" : "_"
        }
    }

    private func isNatural(_ key: Note) -> Bool { [0, 2, 4, 5, 7, 9, 11].contains(key.pitchClass) }

    private func name(_ key: Note) -> String {
        model.finder.hasKeys
            ? model.finder.naming.name(of: model.finder.transposition.written(concert: key))
            : model.finder.tuning.target(for: key).map { model.finder.label(of: $0) } ?? ""
    }
}
