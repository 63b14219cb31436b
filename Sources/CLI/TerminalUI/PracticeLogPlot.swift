internal import Music
package import PracticeLog

/// A picture of the practice log: for each session the tempo reached and the spread of the notes, over weeks; and how long was
/// practised each week. SVG 1.1.
package struct PracticeLogPlot {
    private let sessions: [LoggedSession]
    private let title: String

    private static let width = 960.0, left = 70.0, right = 930.0
    /// Each panel: its top and bottom.
    private static let tempo = (top: 70.0, bottom: 250.0)
    private static let spread = (top: 300.0, bottom: 420.0)
    private static let minutes = (top: 470.0, bottom: 560.0)
    private static let height = 600.0
    private static let day = 86_400.0

    /// - Parameter sessions: the oldest first.
    package init(_ sessions: [LoggedSession], title: String) { (self.sessions, self.title) = (sessions, title) }

    package var svg: String {
        var svg = SVG()
        svg.label(title, Self.left, 30, size: 18, color: SVG.ink)
        let tempi = sessions.compactMap { entry in
            entry.session.tempo.map { (x(entry), $0.reached) }
        }
        draw(tempi, "tempo reached, BPM", Self.tempo, on: &svg)
        let spreads = sessions.compactMap { entry in
            entry.session.timing.map { (x(entry), $0.spread.inSeconds * 1_000) }
        }
        draw(spreads, "spread of the notes, ms", Self.spread, fromZero: true, on: &svg)
        drawWeeks(on: &svg)
        return svg.text(width: Self.width, height: Self.height)
    }

    /// The first and the last moment, at least a week apart.
    private var times: (first: Double, last: Double) {
        let first = Double(sessions.first?.session.began ?? 0)
        return (first, max(first + 7 * Self.day, Double(sessions.last?.session.began ?? 0)))
    }

    private func x(_ entry: LoggedSession) -> Double { x(Double(entry.session.began)) }

    private func x(_ time: Double) -> Double {
        let (first, last) = times
        return Self.left + (time - first) / (last - first) * (Self.right - Self.left)
    }

    /// A point for each session, joined in their order, with an axis.
    private func draw(
        _ points: [(x: Double, value: Double)], _ name: String, _ panel: (top: Double, bottom: Double),
        fromZero: Bool = false, on svg: inout SVG
    ) {
        svg.label(name, Self.left, panel.top - 12, color: SVG.quiet)
        svg.rule(Self.left, panel.bottom, Self.right, panel.bottom, SVG.quiet)
        let values = points.map(\.value).filter(\.isFinite)
        guard let lowest = values.min(), let highest = values.max() else {
            svg.label("none", Self.left + 8, panel.bottom - 8, color: SVG.quiet)
            return
        }
        let bottom = fromZero ? 0 : lowest
        let step = Self.step(max(highest - bottom, 1) / 4)
        let (from, to) = ((bottom / step).rounded(.down) * step, ((highest / step).rounded(.down) + 1) * step)
        func y(_ value: Double) -> Double { panel.bottom - (value - from) / (to - from) * (panel.bottom - panel.top) }
        for tick in 0...Int(((to - from) / step).rounded()) {
            let value = from + Double(tick) * step
            if tick > 0 { svg.rule(Self.left, y(value), Self.right, y(value), SVG.line) }
            svg.label(SVG.number(value), Self.left - 8, y(value) + 4, anchor: "end", color: SVG.quiet)
        }
        let places = points.filter(\.value.isFinite).map { "\(SVG.number($0.x)) \(SVG.number(y($0.value)))" }
        svg.append(
            "<path d=\"M\(places.joined(separator: "L"))\" fill=\"none\" stroke=\"\(SVG.good)\" stroke-width=\"1.5\"/>")
        for point in points where point.value.isFinite {
            let (x, y) = (SVG.number(point.x), SVG.number(y(point.value)))
            svg.append("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"3\" fill=\"\(SVG.good)\"/>")
        }
    }

    /// A bar for each week, with its Monday below.
    private func drawWeeks(on svg: inout SVG) {
        let (top, bottom) = Self.minutes
        svg.label("minutes a week", Self.left, top - 12, color: SVG.quiet)
        svg.rule(Self.left, bottom, Self.right, bottom, SVG.quiet)
        let weeks = PracticeTotal.of(sessions) { $0.week }
        guard let longest = weeks.map(\.length.inSeconds).max(), longest > 0 else { return }
        let firsts = Dictionary(sessions.map { ($0.week, x($0)) }) { first, _ in first }
        let (first, last) = times
        let width = max(2, min(40, 5 * Self.day / (last - first) * (Self.right - Self.left)))
        var labelled = -Double.infinity
        for week in weeks {
            guard let x = firsts[week.name] else { continue }
            let place = min(x, Self.right - width)
            let height = week.length.inSeconds / longest * (bottom - top)
            svg.append(
                "<rect x=\"\(SVG.number(place))\" y=\"\(SVG.number(bottom - height))\" width=\"\(SVG.number(width))\" "
                    + "height=\"\(SVG.number(height))\" fill=\"\(SVG.fair)\"/>")
            guard place > labelled + 75 else { continue }
            labelled = place
            svg.label(week.name, place, bottom + 18, color: SVG.quiet)
        }
        svg.label(SVG.number(longest / 60), Self.left - 8, top + 4, anchor: "end", color: SVG.quiet)
    }

    /// The round number at or above a step: 1, 2 or 5 times a power of ten.
    private static func step(_ least: Double) -> Double {
        var unit = 1.0
        while unit * 10 <= least { unit *= 10 }
        while unit > least && unit > 0.1 { unit /= 10 }
        return [1.0, 2, 5].map { $0 * unit }.first { $0 >= least } ?? 10 * unit
    }
}
