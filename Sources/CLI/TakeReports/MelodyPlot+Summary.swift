internal import Music
internal import TerminalUI
internal import Transcription

/// The half page that sums up: intonation by degree of the key, lateness by place in the bar.
extension MelodyPlot {
    /// A value with its scatter, by a name.
    private struct Bar {
        let name: String, count: Int
        let mean: Double, scatter: Double
    }

    /// The width of a chart, and the most of a bar and of the space round it.
    private static let width = 460.0, widest = 64.0

    func drawSummary(on svg: inout SVG) {
        let top = layout.top(ofSystem: layout.systems.count) + 56
        let degrees = melody.degrees.map { degree in
            Bar(
                name: degree.name + " " + degree.tone.name, count: degree.figures.count,
                mean: degree.figures.deviation.value, scatter: degree.figures.spread.value)
        }
        if !degrees.isEmpty {
            draw(
                degrees, "intonation by degree of the key, cents: mean and standard deviation", steps: [10, 20, 50],
                isUp: true, MelodyLayout.left, top, on: &svg)
        }
        let places = melody.places.map { place in
            Bar(
                name: place.name, count: place.figures.count,
                mean: (place.figures.lateness?.inSeconds ?? 0) * 1_000,
                scatter: (place.figures.scatter?.inSeconds ?? 0) * 1_000)
        }
        guard !places.isEmpty else { return }
        draw(
            places, "lateness by beat, ms: mean and standard deviation, early above", steps: [20, 50, 100],
            isUp: false, MelodyLayout.right - Self.width, top, on: &svg)
    }

    /// A chart of means with their scatter, and the number of notes below.
    private func draw(
        _ bars: [Bar], _ title: String, steps: [Double], isUp: Bool, _ left: Double, _ top: Double, on svg: inout SVG
    ) {
        let bottom = top + 200, middle = top + 100
        let farthest = bars.map { abs($0.mean) + $0.scatter }.max() ?? 0
        let reach = steps.first { farthest <= $0 } ?? 2 * (steps.last ?? 50)
        func y(_ value: Double) -> Double {
            middle + (isUp ? -1 : 1) * min(max(value, -reach), reach) / reach * (bottom - top) / 2
        }
        svg.label(title, left, top - 14, color: SVG.ink)
        for value in [-reach, -reach / 2, 0, reach / 2, reach] {
            svg.rule(left, y(value), left + Self.width, y(value), value == 0 ? SVG.ink : SVG.line)
            svg.label(
                fixedPoint(value, decimals: 0, signed: value != 0), left - 8, y(value) + 4, anchor: "end", size: 11,
                color: Self.text)
        }
        let step = min(Self.widest, Self.width / Double(max(1, bars.count)))
        for (index, bar) in bars.enumerated() {
            let x = left + step * (Double(index) + 0.5)
            svg.rule(x, y(bar.mean - bar.scatter), x, y(bar.mean + bar.scatter), SVG.ink)
            for end in [bar.mean - bar.scatter, bar.mean + bar.scatter] {
                svg.rule(x - 4, y(end), x + 4, y(end), SVG.ink)
            }
            svg.append(
                "<circle cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(y(bar.mean)))\" r=\"4\" fill=\"\(SVG.ink)\"/>")
            svg.label(bar.name, x, bottom + 18, anchor: "middle", size: 11, color: SVG.ink)
            svg.label("\(bar.count)", x, bottom + 33, anchor: "middle", size: 10, color: Self.text)
        }
        svg.label("notes", left - 8, bottom + 33, anchor: "end", size: 10, color: Self.text)
    }
}
