internal import Intonation
internal import Music
internal import TerminalUI

/// The intonation of each note as a box plot.
extension TakePlot {
    func drawNotes(on svg: inout SVG) {
        let notes = notes.reversed()
        let (left, right) = (TakeLayout.boxLeft, TakeLayout.boxRight)
        let (top, bottom) = (TakeLayout.top, layout.boxBottom)
        svg.label("intonation by note, cents", left, top - 8, color: SVG.quiet)
        let half = notes.reduce(10.0) { max($0, abs($1.quantile(0.05).value), abs($1.quantile(0.95).value)) }
        let reach = min(50, (half / 10).rounded(.up) * 10)
        func x(_ cents: Double) -> Double {
            let share = (max(-reach, min(reach, cents)) + reach) / (2 * reach)
            return left + 34 + (right - left - 34) * share
        }
        for cents in [-reach, -reach / 2, 0, reach / 2, reach] {
            svg.rule(x(cents), top, x(cents), bottom, cents == 0 ? SVG.quiet : SVG.line)
            let text = fixedPoint(cents, decimals: 0, signed: cents != 0)
            svg.label(text, x(cents), bottom + 18, anchor: "middle", color: SVG.quiet)
        }
        let step = layout.noteStep
        for (index, note) in notes.enumerated() {
            let centre = top + step * (Double(index) + 0.5)
            let thick = min(16, step * 0.6)
            let quantile = { (share: Double) in x(note.quantile(share).value) }
            let (low, median, high) = (quantile(0.25), quantile(0.5), quantile(0.75))
            let shade = shade(note.quantile(0.5))
            svg.label(note.label, left + 26, centre + 4, anchor: "end", color: SVG.ink)
            svg.rule(quantile(0.05), centre, quantile(0.95), centre, shade)
            let box = [low, centre - thick / 2, max(1, high - low), thick].map(SVG.number)
            svg.append(
                "<rect x=\"\(box[0])\" y=\"\(box[1])\" width=\"\(box[2])\" height=\"\(box[3])\" fill=\"#ffffff\" "
                    + "stroke=\"\(shade)\" stroke-width=\"1.5\"/>")
            svg.append(
                "<path d=\"M\(SVG.number(median)) \(box[1])v\(box[3])\" stroke=\"\(shade)\" stroke-width=\"3\"/>")
        }
    }
}
