internal import Music
package import Rhythm

/// A picture of how a player kept the tempo: the tempo over time, and how far each beat is from the middle of its neighbours.
/// SVG 1.1.
package struct TempoPlot {
    private let report: TempoReport
    private let title: String
    /// The first and the last second, at least one apart.
    private let times: (first: Double, last: Double)

    private static let width = 960.0, height = 480.0, left = 70.0, right = 930.0
    private static let tempo = (top: 90.0, bottom: 270.0)
    private static let scatter = (top: 330.0, bottom: 440.0)

    package init(_ report: TempoReport, title: String) {
        (self.report, self.title) = (report, title)
        let seconds = report.beats.map(report.seconds)
        let first = seconds.first ?? 0
        times = (first, max(first + 1, seconds.last ?? 0))
    }

    package var svg: String {
        var svg = SVG()
        svg.label(title, Self.left, 30, size: 18, color: SVG.ink)
        var parts = ["\(report.beats.count) beats"]
        if let tempo = report.beatsPerMinute { parts.append(fixedPoint(tempo, decimals: 2) + " BPM") }
        if let scatter = report.scatter { parts.append("scatter " + PlayingSummary.milliseconds(scatter)) }
        svg.label(parts.joined(separator: " · "), Self.left, 52, color: SVG.quiet)
        drawTempo(on: &svg)
        drawScatter(on: &svg)
        return svg.text(width: Self.width, height: Self.height)
    }

    private func x(_ time: Double) -> Double {
        let (first, last) = times
        return Self.left + min(max((time - first) / (last - first), 0), 1) * (Self.right - Self.left)
    }

    /// A point for each interval, and a line through the parts of four beats.
    private func drawTempo(on svg: inout SVG) {
        let (top, bottom) = Self.tempo
        svg.label("tempo, BPM: each beat, and four together", Self.left, top - 12, color: SVG.quiet)
        let (single, four) = (report.spans(of: 1), report.spans(of: 4))
        let tempi = (four.isEmpty ? single : four).map(\.beatsPerMinute)
        guard let lowest = tempi.min(), let highest = tempi.max() else { return }
        // A twentieth of the tempo at least, so that a machine's line is straight.
        let middle = (lowest + highest) / 2
        let reach = max(0.6 * (highest - lowest), middle / 20)
        let steps = [1.0, 2, 5, 10, 20, 50]
        let step = steps.first { reach / $0 <= 3 } ?? 100
        func y(_ tempo: Double) -> Double {
            let share = min(max((tempo - middle + reach) / (2 * reach), 0), 1)
            return bottom - share * (bottom - top)
        }
        for value in stride(from: ((middle - reach) / step).rounded(.up) * step, through: middle + reach, by: step) {
            svg.rule(Self.left, y(value), Self.right, y(value), SVG.line)
            svg.label(SVG.number(value), Self.left - 8, y(value) + 4, anchor: "end", color: SVG.quiet)
        }
        for span in single {
            let place =
                "cx=\"\(SVG.number(x((span.start + span.end) / 2)))\" cy=\"\(SVG.number(y(span.beatsPerMinute)))\""
            svg.append("<circle \(place) r=\"2\" fill=\"\(SVG.quiet)\"/>")
        }
        let places = four.map { "\(SVG.number(x(($0.start + $0.end) / 2))) \(SVG.number(y($0.beatsPerMinute)))" }
        if places.count > 1 {
            svg.append(
                "<path d=\"M\(places.joined(separator: "L"))\" fill=\"none\" stroke=\"\(SVG.good)\" "
                    + "stroke-width=\"1.5\"/>")
        }
        drawTimes(bottom, on: &svg)
    }

    private func drawScatter(on svg: inout SVG) {
        let (top, bottom) = Self.scatter
        let reach = 50.0
        func y(_ late: Double) -> Double {
            (top + bottom) / 2 + min(max(late, -reach), reach) / reach * (bottom - top) / 2
        }
        svg.label(
            "ms from the middle of the beats before and after: early above, late below", Self.left, top - 12,
            color: SVG.quiet)
        for late in [-50.0, -25, 0, 25, 50] {
            svg.rule(Self.left, y(late), Self.right, y(late), late == 0 ? SVG.ink : SVG.line)
            svg.label(fixedPoint(late, decimals: 0), Self.left - 8, y(late) + 4, anchor: "end", color: SVG.quiet)
        }
        let spans = report.spans(of: 1)
        for (before, after) in zip(spans, spans.dropFirst())
        where before.end == after.start && before.beats == after.beats {
            // A beat that is late by d lies d from the middle of two that are not.
            let late = 1_000 * (before.end - (before.start + after.end) / 2)
            let place = "cx=\"\(SVG.number(x(before.end)))\" cy=\"\(SVG.number(y(late)))\""
            let color = abs(late) <= 10 ? SVG.good : abs(late) <= 30 ? SVG.fair : SVG.bad
            svg.append("<circle \(place) r=\"3\" fill=\"\(color)\"/>")
        }
        drawTimes(bottom, on: &svg)
    }

    private func drawTimes(_ place: Double, on svg: inout SVG) {
        let (first, last) = times
        let steps = [1.0, 2, 5, 10, 20, 30, 60, 120, 300, 600]
        let step = steps.first { (last - first) / $0 <= 12 } ?? ((last - first) / 12 / 600).rounded(.up) * 600
        for time in stride(from: (first / step).rounded(.up) * step, through: last, by: step) {
            svg.label(fixedPoint(time, decimals: 0) + " s", x(time), place + 16, anchor: "middle", color: SVG.quiet)
        }
    }
}
