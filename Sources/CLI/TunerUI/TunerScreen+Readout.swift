internal import Music
internal import TerminalUI

/// The numbers: cents with their error, hertz.
extension TunerScreen {
    private var centsText: String {
        let far = abs(model.shownCents) >= 100
        return fixedPoint(model.shownCents, decimals: far ? 0 : 1, signed: true)
    }

    private var errorText: String? {
        guard model.shownError > 0 else { return nil }
        let decimals = model.shownError < 0.095 ? 2 : 1
        let sign = canvas.unicode ? "±" : "+-"
        return sign + (decimals == 2 ? "" : " ")
            + fixedPoint(max(0.01, min(99.9, model.shownError)), decimals: decimals)
    }

    mutating func drawReadout(row: Int) {
        guard model.pitch != nil else {
            return canvas.write(model.invitation, row: row, centredAt: middle, ink: .dim)
        }
        // No word yet: the pitch swings, and less than one swing was heard.
        let word = model.phrase ?? (canvas.unicode ? "…" : "...")
        let cents = centsText + " c" + (errorText.map { " " + $0 } ?? "")
        let frequency = fixedPoint(model.shownFrequency.value, decimals: 2) + " Hz"
        let text = canvas.columns >= 60 ? "\(word)     \(cents)     \(frequency)" : "\(word)  \(cents)  \(frequency)"
        canvas.write(text, row: row, centredAt: middle, ink: model.ink)
    }

    mutating func drawBigReadout(top: Int) {
        guard model.pitch != nil, let word = model.word else { return drawReadout(row: top + 2) }
        guard canvas.unicode else { return drawReadout(row: top + 2) }
        let (ink, fading) = (model.ink, model.fading)
        let left = middle - 39
        BigText.draw(word, on: &canvas, row: top, column: left, scale: 1, ink: ink, fading: fading)
        let cents = centsText
        // "in tune" ends two columns before the cents.
        let column = middle + 27 - BigText.columns(cents.count, scale: 1)
        BigText.draw(cents, on: &canvas, row: top, column: column, scale: 1, ink: ink, fading: fading)
        let side = middle + 29
        if !model.isSounding { canvas.write("last heard", row: top, column: side, ink: ink) }
        let frequency = fixedPoint(model.shownFrequency.value, decimals: 2) + " Hz"
        for (row, text) in ["cents", errorText ?? "", frequency].enumerated() {
            canvas.write(text, row: top + 1 + row, column: side, ink: ink == .dim ? .dim : .plain)
        }
    }
}
