import Foundation

/// A picture of RESULTS.md: lines or bars, labelled where they are, legible on light and on dark ground.
struct Chart: Codable {
    struct Tick: Codable {
        let value: Double
        let label: String
    }
    struct Axis: Codable {
        let label: String
        var isLogarithmic = false
        let ticks: [Tick]
        let from: Double
        let to: Double

        /// Ticks that are their own labels.
        init(_ label: String, _ ticks: [Double], from: Double? = nil, to: Double? = nil, isLogarithmic: Bool = false) {
            self.init(
                label, ticks.map { Tick(value: $0, label: Axis.plain($0)) }, from: from, to: to,
                isLogarithmic: isLogarithmic)
        }

        init(_ label: String, _ ticks: [Tick], from: Double? = nil, to: Double? = nil, isLogarithmic: Bool = false) {
            (self.label, self.ticks, self.isLogarithmic) = (label, ticks, isLogarithmic)
            (self.from, self.to) = (from ?? ticks.first?.value ?? 0, to ?? ticks.last?.value ?? 1)
        }

        private static func plain(_ value: Double) -> String {
            value == value.rounded() ? grouped(value).replacing("-", with: "−") : "\(value)".replacing("-", with: "−")
        }

        /// Where a value lies, 0 to 1.
        func place(_ value: Double) -> Double {
            isLogarithmic ? log(value / from) / log(to / from) : (value - from) / (to - from)
        }
    }
    /// A line of points, or a bar (one point).
    struct Series: Codable {
        let name: String
        /// 0 is ours; the others have colours of their own; below zero is a limit, grey and dashed.
        let color: Int
        let points: [[Double]]
        /// Points without a line between them.
        var isScattered = false
    }
    let file: String
    let title: String
    let x: Axis
    let y: Axis
    let series: [Series]
    /// Bars that lie one below the other; `y` is not used then.
    var isBars = false

    private var width: Double { 700 }
    private var height: Double { isBars ? 96 + 34 * Double(series.count) : 408 }
    private var left: Double { isBars ? 190 : 64 }
    private var right: Double { isBars ? 70 : 148 }
    private var top: Double { isBars ? 44 : 52 }
    private var bottom: Double { 48 }

    /// The picture.
    var svg: String {
        var body = ""
        func add(_ line: String) { body += line + "\n" }
        add(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(width)) \(n(height))" width="\(n(width))" \
            height="\(n(height))" role="img" aria-label="\(escape(title))">
            """)
        add(Self.style)
        add(text(title, x: 16, y: 24, "title"))
        let (plotWidth, plotHeight) = (width - left - right, height - top - bottom)
        for tick in x.ticks {
            let at = left + plotWidth * x.place(tick.value)
            add(line(at, top, at, top + plotHeight, "grid"))
            add(text(tick.label, x: at, y: top + plotHeight + 18, "tick middle"))
        }
        add(text(x.label, x: left + plotWidth / 2, y: height - 10, "label middle"))
        if isBars {
            for (index, bar) in series.enumerated() {
                let middle = top + 17 + 34 * Double(index)
                let length = plotWidth * x.place(bar.points[0][0])
                add(
                    "<rect x=\"\(n(left))\" y=\"\(n(middle - 10))\" width=\"\(n(max(1, length)))\" height=\"20\" "
                        + "class=\"fill\(bar.color)\"/>")
                add(text(bar.name, x: left - 8, y: middle + 4, bar.color == 0 ? "name end" : "label end"))
                add(text(short(bar.points[0][0]), x: left + length + 6, y: middle + 4, "label"))
            }
        } else {
            for tick in y.ticks {
                let at = top + plotHeight * (1 - y.place(tick.value))
                add(line(left, at, left + plotWidth, at, "grid"))
                add(text(tick.label, x: left - 8, y: at + 4, "tick end"))
            }
            add(text(y.label, x: left, y: top - 8, "label"))
            // What lies beyond the axis leaves by the edge; half a line's width is let over it.
            add(
                "<clipPath id=\"plot\"><rect x=\"\(n(left - 2))\" y=\"\(n(top - 2))\" width=\"\(n(plotWidth + 4))\" "
                    + "height=\"\(n(plotHeight + 4))\"/></clipPath>")
            body += lines(plotWidth, plotHeight)
        }
        add("</svg>")
        return body
    }

    private func lines(_ plotWidth: Double, _ plotHeight: Double) -> String {
        var body = ""
        var ends: [(y: Double, wanted: Double, series: Series)] = []
        // Ours last, on top of the others.
        for series in series.sorted(by: { ($0.color == 0 ? 1 : 0) < ($1.color == 0 ? 1 : 0) }) {
            var path = ""
            var (isDown, last) = (false, top + plotHeight)
            for point in series.points {
                guard point.count == 2, point[1].isFinite, !y.isLogarithmic || point[1] > 0 else {
                    isDown = false
                    continue
                }
                let px = left + plotWidth * x.place(point[0])
                let py = top + plotHeight * (1 - max(-9, min(9, y.place(point[1]))))
                if series.isScattered {
                    body += "<circle cx=\"\(n(px))\" cy=\"\(n(py))\" r=\"2.2\" class=\"fill\(series.color)\"/>\n"
                } else {
                    path += "\(isDown ? "L" : "M")\(n(px)) \(n(py))"
                }
                (isDown, last) = (true, max(top, min(top + plotHeight, py)))
            }
            let look = series.color < 0 ? "limit" : "line\(series.color)"
            if !path.isEmpty { body += "<path d=\"\(path)\" class=\"\(look)\" clip-path=\"url(#plot)\"/>\n" }
            ends.append((last, last, series))
        }
        // Labels at the ends of the lines, 16 apart.
        ends.sort { $0.y < $1.y }
        for index in ends.indices.dropFirst() { ends[index].y = max(ends[index].y, ends[index - 1].y + 16) }
        var floor = top + plotHeight + 4
        for index in ends.indices.reversed() {
            ends[index].y = min(ends[index].y, floor)
            floor = ends[index].y - 16
        }
        for end in ends {
            let look = end.series.color < 0 ? "textLimit" : "text\(end.series.color)"
            let start = left + plotWidth
            body += line(start + 2, end.wanted, start + 10, end.y, "lead") + "\n"
            body += text(end.series.name, x: start + 13, y: end.y + 4, look) + "\n"
        }
        return body
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ look: String) -> String {
        "<line x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\" class=\"\(look)\"/>"
    }
    private func text(_ words: String, x: Double, y: Double, _ look: String) -> String {
        "<text x=\"\(n(x))\" y=\"\(n(y))\" class=\"\(look)\">\(escape(words))</text>"
    }
    private func n(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    private func escape(_ words: String) -> String {
        words.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    /// Ours, then the rivals, whatever their settings.
    static func color(of name: String) -> Int {
        ["ours", "aubio yinfft", "aubio yinfast", "aubio mcomb", "Praat", "lingot"]
            .firstIndex { name.hasPrefix($0) } ?? -1
    }
    /// Colours that differ for the colour-blind too (Wong, Nature Methods 8, 2011), on both
    /// grounds.
    private static let light = ["#0b5cad", "#b85c00", "#00795c", "#a23b79", "#7a6a00", "#6a3fb5"]
    private static let dark = ["#62b0ff", "#f0a04b", "#35c9a0", "#e58cc0", "#d6c545", "#b79cff"]

    private static var style: String {
        func colors(_ names: [String]) -> String {
            names.enumerated().map { index, color in
                ".line\(index){stroke:\(color)}.fill\(index),.text\(index){fill:\(color)}"
            }.joined(separator: "\n")
        }
        let shapes = light.indices.map { ".line\($0)" }.joined(separator: ",")
        return """
            <style>
            text{font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#3d444d}
            .title{font-size:15px;font-weight:600;fill:#1f2328}.name,.text0{font-weight:600}
            .middle{text-anchor:middle}.end{text-anchor:end}
            .grid{stroke:#d8dee4}.lead{stroke:#9aa4ae}.tick{fill:#59636e}.textLimit{fill:#59636e}
            \(shapes){fill:none;stroke-width:1.8;stroke-linejoin:round}.line0{stroke-width:2.8}
            .limit{fill:none;stroke:#59636e;stroke-width:1.4;stroke-dasharray:5 4}
            \(colors(light))
            @media (prefers-color-scheme:dark){
            text{fill:#c9d1d9}.title{fill:#f0f6fc}.grid{stroke:#30363d}.lead{stroke:#6e7681}
            .tick,.textLimit{fill:#9198a1}.limit{stroke:#9198a1}
            \(colors(dark))
            }
            </style>
            """
    }
}
