internal import Intonation
internal import Music
internal import TerminalUI

extension TunerScreen {
    private func column(ofCents cents: Double) -> Int {
        let half = max(0, min(100, (canvas.columns - 4) / 2))
        return middle + Int((CentsScale.place(of: cents) * Double(half)).rounded())
    }

    mutating func drawNeedle(top: Int, rows: Int) {
        let scaleRow = top + (rows == 3 ? 1 : 0)
        let (first, last) = (column(ofCents: -50), column(ofCents: 50))
        canvas.fill(canvas.unicode ? "─" : "-", row: scaleRow, columns: first..<last + 1, ink: .dim)
        var free = -1
        for mark in CentsScale.marks {
            let place = column(ofCents: mark)
            canvas.put(mark == 0 ? "+" : "|", row: scaleRow, column: place, ink: .dim)
            if canvas.unicode { canvas.put(mark == 0 ? "┼" : "┴", row: scaleRow, column: place, ink: .dim) }
            let text = mark > 0 ? "+\(Int(mark))" : "\(Int(mark))"
            let start = min(place - text.count / 2, canvas.columns - text.count)
            // Skip a number that would overlap the one before.
            guard start > free else { continue }
            canvas.write(text, row: scaleRow + 1, column: start, ink: .dim)
            free = start + text.count
        }
        guard let cents = model.needleCents else { return }
        let place = column(ofCents: cents)
        let ink = model.ink
        let hand = model.fading.block(unicode: canvas.unicode)
        for row in top...scaleRow { canvas.fill(hand, row: row, columns: place - 1..<place + 2, ink: ink) }
        if abs(cents) > 50 {
            let arrow = canvas.unicode ? (cents < 0 ? "◀" : "▶") : (cents < 0 ? "<" : ">")
            canvas.write(arrow, row: scaleRow, column: cents < 0 ? place - 2 : place + 2, ink: ink)
        }
    }

    mutating func drawStrobe(top: Int, rows: Int) {
        let shades: [Unicode.Scalar] = canvas.unicode ? [" ", "░", "▒", "▓", "█"] : [" ", ".", "+", "#", "@"]
        let ink = model.ink
        // Stripes get lighter as the note fades.
        let darkest = 4.999 - Double(model.fading.rawValue)
        // Three bands: the note and its two octaves. Each has stripes half as wide that drift twice as fast.
        for (index, band) in [1.0, 2, 4].enumerated() {
            // Row r belongs to band 3 r / rows, so this band begins at the first r not below rows * index / 3.
            let (first, next) = ((rows * index + 2) / 3, (rows * (index + 1) + 2) / 3)
            guard first < next else { continue }
            let period = Double(canvas.columns) / 4 / band
            for column in 0..<canvas.columns {
                // Sharp drifts to the right.
                let light = triangle(Double(column) / period - model.strobeTurns * band)
                let shade = shades[model.pitch == nil ? 1 : Int(light * darkest)]
                canvas.put(shade, row: top + first, column: column, ink: ink)
            }
            canvas.repeat(row: top + first, below: next - first - 1)
        }
    }

    /// A triangle wave from 0 to 1 with period 1.
    private func triangle(_ phase: Double) -> Double {
        let part = phase - phase.rounded(.down)
        return 1 - abs(2 * part - 1)
    }

    mutating func drawTrail(top: Int, rows: Int) {
        let lines = canvas.unicode ? 2 * rows : rows
        func line(_ cents: Double) -> Int {
            let place = (1 - CentsScale.place(of: cents)) / 2 * Double(lines - 1)
            return max(0, min(lines - 1, Int(place.rounded())))
        }
        let centre = line(0) / (canvas.unicode ? 2 : 1)
        let zero: Unicode.Scalar = canvas.unicode ? "─" : "-"
        canvas.fill(zero, row: top + centre, columns: 0..<canvas.columns, ink: .dim)
        // Each column shows the mean of its points.
        var sums = [(total: Double, count: Int)](repeating: (0, 0), count: canvas.columns)
        let start = model.trailEnd - TunerModel.trailSeconds
        for point in model.trail {
            let place = Int((point.seconds - start) / TunerModel.trailSeconds * Double(canvas.columns))
            guard place >= 0, place <= canvas.columns else { continue }
            let column = min(place, canvas.columns - 1)
            sums[column] = (sums[column].total + point.cents, sums[column].count + 1)
        }
        for (column, sum) in sums.enumerated() where sum.count > 0 {
            let cents = sum.total / Double(sum.count)
            let place = line(cents)
            let ink = model.shade(cents, TuningVerdict(cents.cents, tolerance: model.tolerance))
            if canvas.unicode {
                canvas.put(place % 2 == 0 ? "▀" : "▄", row: top + place / 2, column: column, ink: ink)
            } else {
                canvas.put("*", row: top + place, column: column, ink: ink)
            }
        }
        if rows >= 4 {
            canvas.write("sharp", row: top, column: 0, ink: .dim)
            canvas.write("flat", row: top + rows - 1, column: 0, ink: .dim)
        }
    }
}
