internal import Music
internal import Rhythm

/// A picture of how a player kept time: lateness over time with the muted bars shaded, a histogram for each place in the bar,
/// and the strength of the notes. SVG 1.1.
package struct PlayingPlot {
    private let summary: PlayingSummary
    private let title: String
    private let notes: [PlayedNote]
    /// The first and the last second, at least one apart.
    private let times: (first: Double, last: Double)

    static let width = 960.0, left = 70.0, right = 930.0
    private static let lateness = (top: 96.0, bottom: 306.0)
    private static let strength = (top: 350.0, bottom: 450.0)
    private static let histograms = 510.0
    /// A histogram and the space round it; four in a row.
    private static let cell = (width: 215.0, height: 130.0), perRow = 4
    /// Milliseconds of a bar of a histogram.
    private static let bin = 5.0

    package init(_ summary: PlayingSummary, title: String) {
        (self.summary, self.title) = (summary, title)
        notes = summary.report.notes
        let seconds = notes.map(summary.time)
        let first = seconds.min() ?? 0
        times = (first, max(first + 1, seconds.max() ?? 0))
    }

    package var svg: String {
        var svg = SVG()
        svg.label(title, Self.left, 30, size: 18, color: SVG.ink)
        svg.label(subtitle, Self.left, 52, color: SVG.quiet)
        drawLateness(on: &svg)
        drawStrength(on: &svg)
        let positions = summary.report.positions
        for (index, position) in positions.enumerated() { draw(position, index, on: &svg) }
        let rows = (positions.count + Self.perRow - 1) / Self.perRow
        return svg.text(width: Self.width, height: Self.histograms + Double(max(1, rows)) * Self.cell.height)
    }

    private var subtitle: String {
        var parts = ["\(summary.report.hitCount) notes"]
        if let timing = summary.report.timing {
            if summary.isAbsolute { parts.append("mean " + PlayingSummary.direction(timing.mean)) }
            if let spread = timing.spread { parts.append("spread " + PlayingSummary.milliseconds(spread)) }
        }
        if let tendency = summary.report.tendency { parts.append(PlayingSummary.text(of: tendency)) }
        return parts.joined(separator: " · ")
    }

    private func x(_ time: Double) -> Double {
        let (first, last) = times
        return Self.left + min(max((time - first) / (last - first), 0), 1) * (Self.right - Self.left)
    }

    /// Half of what the vertical axis shows, in milliseconds.
    private var reach: Double { max(50, (notes.map { abs(summary.late($0)) }.max() ?? 0) / 10 * 10 + 5) }

    private func drawLateness(on svg: inout SVG) {
        let (top, bottom) = Self.lateness
        let reach = min(reach, 150)
        func y(_ late: Double) -> Double {
            (top + bottom) / 2 + min(max(late, -reach), reach) / reach * (bottom - top) / 2
        }
        drawMutedBars(on: &svg)
        for late in stride(from: (-reach / 25).rounded(.up) * 25, through: reach, by: 25) {
            svg.rule(Self.left, y(late), Self.right, y(late), late == 0 ? SVG.ink : SVG.line)
            svg.label(fixedPoint(late, decimals: 0), Self.left - 8, y(late) + 4, anchor: "end", color: SVG.quiet)
        }
        let reference = summary.isAbsolute ? "" : ", relative to the mean"
        svg.label("lateness, ms\(reference): early above, late below", Self.left, top - 10, color: SVG.quiet)
        for note in notes {
            let late = summary.late(note)
            let place = "cx=\"\(SVG.number(x(summary.time(note))))\" cy=\"\(SVG.number(y(late)))\""
            guard !note.isExtra else {
                svg.append("<circle \(place) r=\"3\" fill=\"none\" stroke=\"\(SVG.quiet)\"/>")
                continue
            }
            svg.append("<circle \(place) r=\"3\" fill=\"\(Self.shade(late))\"/>")
        }
        drawTimes(bottom, on: &svg)
    }

    private func drawMutedBars(on svg: inout SVG) {
        let points = Dictionary(grouping: summary.report.points, by: \.playedBar)
        for bar in summary.report.bars where bar.isMuted {
            let times = (points[bar.playedBar] ?? []).map { summary.start + $0.instant / summary.sampleRate }
            guard let first = times.min(), let last = times.max() else { continue }
            let (from, to) = (x(first) - 4, x(last) + 4)
            svg.append(
                "<rect x=\"\(SVG.number(from))\" y=\"\(SVG.number(Self.lateness.top))\" "
                    + "width=\"\(SVG.number(to - from))\" "
                    + "height=\"\(SVG.number(Self.lateness.bottom - Self.lateness.top))\" fill=\"#eef1f4\"/>")
        }
    }

    private func drawTimes(_ place: Double, on svg: inout SVG) {
        let (first, last) = times
        let steps = [1.0, 2, 5, 10, 20, 30, 60, 120, 300, 600]
        let step = steps.first { (last - first) / $0 <= 12 } ?? 1_200
        for time in stride(from: (first / step).rounded(.up) * step, through: last, by: step) {
            svg.label(fixedPoint(time, decimals: 0) + " s", x(time), place + 16, anchor: "middle", color: SVG.quiet)
        }
    }

    private func drawStrength(on svg: inout SVG) {
        let (top, bottom) = Self.strength
        svg.label("strength of the notes", Self.left, top - 10, color: SVG.quiet)
        svg.rule(Self.left, bottom, Self.right, bottom, SVG.quiet)
        let highest = max(0.1, notes.map(\.strength).max() ?? 0)
        for note in notes {
            let (x, y) = (x(summary.time(note)), bottom - note.strength / highest * (bottom - top))
            svg.rule(x, bottom, x, y, note.isExtra ? SVG.line : SVG.ink)
        }
    }

    /// The histogram of one place in the bar.
    private func draw(_ position: PlayingReport.PositionReport, _ index: Int, on svg: inout SVG) {
        let left = Self.left + Double(index % Self.perRow) * Self.cell.width
        let bottom = Self.histograms + Double(index / Self.perRow) * Self.cell.height + 70
        let (width, height) = (Self.cell.width - 30, 60.0)
        let own = summary.report.hits.filter { PlayingReport.Position($0.point.stroke) == position.position }
        let bins = 2 * Int(50 / Self.bin)
        var counts = [Int](repeating: 0, count: bins)
        for note in own {
            let place = Int(((summary.late(note) + 50) / Self.bin).rounded(.down))
            counts[min(max(place, 0), bins - 1)] += 1
        }
        svg.label("beat " + PlayingSummary.name(position.position), left, bottom - height - 8, color: SVG.ink)
        svg.rule(left, bottom, left + width, bottom, SVG.quiet)
        svg.rule(left + width / 2, bottom, left + width / 2, bottom - height, SVG.line)
        let (highest, step) = (Double(max(1, counts.max() ?? 1)), width / Double(bins))
        for (place, count) in counts.enumerated() where count > 0 {
            let tall = Double(count) / highest * height
            let late = (Double(place) + 0.5) * Self.bin - 50
            svg.append(
                "<rect x=\"\(SVG.number(left + Double(place) * step))\" y=\"\(SVG.number(bottom - tall))\" "
                    + "width=\"\(SVG.number(step - 1))\" height=\"\(SVG.number(tall))\" fill=\"\(Self.shade(late))\"/>")
        }
        for (late, anchor) in [(-50.0, "start"), (0, "middle"), (50, "end")] {
            let text = fixedPoint(late, decimals: 0, signed: late != 0)
            svg.label(text, left + (late + 50) / 100 * width, bottom + 14, anchor: anchor, size: 10, color: SVG.quiet)
        }
    }

    /// Green up to 10 ms, which few hear; amber up to 30 ms, where a flam begins; red beyond.
    private static func shade(_ late: Double) -> String {
        abs(late) <= 10 ? SVG.good : abs(late) <= 30 ? SVG.fair : SVG.bad
    }
}
