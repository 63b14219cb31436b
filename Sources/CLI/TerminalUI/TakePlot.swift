internal import Glibc
internal import Music

/// A take as a picture for the music stand: pitch over time with a line for each note, intonation by note beside it, the
/// spectrogram beneath. SVG 1.1, without scripts or foreign fonts.
public struct TakePlot: Sendable {
    private let take: Take
    private let spectrogram: SpectrogramPicture?
    /// What the pitch panel shows, in semitones as MIDI counts them.
    private let pitches: ClosedRange<Double>

    /// The picture of a take.
    public init(take: Take, spectrogram: SpectrogramPicture?) {
        (self.take, self.spectrogram) = (take, spectrogram)
        pitches = Self.pitches(of: take)
    }

    // A sheet of A4 paper, landscape, at 96 dots to the inch.
    private static let width = 1_122.0, height = 793.0
    private static let left = 64.0, right = 812.0, top = 56.0, middle = 480.0
    private static let boxLeft = 862.0, boxRight = 1_082.0
    private static let below = 530.0, bottom = 730.0
    private static let ink = "#1d2733", quiet = "#8a94a0", line = "#d9dee4", good = "#1b7f4d", fair = "#c07a00",
        bad = "#b3261e"

    /// The picture as the text of an SVG file.
    public var svg: String {
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(n(Self.width))" height="\(n(Self.height))" \
            viewBox="0 0 \(n(Self.width)) \(n(Self.height))" font-family="DejaVu Sans, Arial, sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="#ffffff"/>

            """
        svg += label(title, Self.left, 30, size: 18, color: Self.ink)
        svg += label(subtitle, Self.boxRight, 30, anchor: "end", color: Self.quiet)
        svg += pitchPanel + boxPanel + spectrogramPanel
        return svg + "</svg>\n"
    }

    private var title: String { take.name.split(separator: "/").last.map(String.init) ?? take.name }

    private var subtitle: String {
        var parts: [String] = []
        if let a4 = take.bestA4 { parts.append("A4 that fits best " + fixedPoint(a4.value, decimals: 1) + " Hz") }
        if let drift = take.drift { parts.append(drift.text) }
        parts.append(fixedPoint(take.seconds, decimals: 1) + " s")
        return parts.joined(separator: " · ")
    }

    // MARK: Pitch over time

    private static func pitches(of take: Take) -> ClosedRange<Double> {
        let heard = take.entries.map { semitones($0.frequency) }
        guard let low = heard.min(), let high = heard.max() else { return 57...81 }
        // At least a fifth, so that a single note is not a wall of lines.
        let room = max(1.2, (7 - (high - low)) / 2)
        return (low - room)...(high + room)
    }

    /// From one reading to the next a voice slides less than this; more is another note.
    private static let widestStep = 0.6

    private static func semitones(_ frequency: Hertz) -> Double { 69 + 12 * log2(frequency.value / 440) }

    private func x(_ seconds: Double) -> Double {
        Self.left + (Self.right - Self.left) * seconds / max(0.001, take.seconds)
    }

    private func y(_ semitones: Double) -> Double {
        Self.middle
            - (Self.middle - Self.top) * (semitones - pitches.lowerBound) / (pitches.upperBound - pitches.lowerBound)
    }

    private var pitchPanel: String {
        var svg = ""
        let range = pitches
        // A line where each note of the tuning belongs; names as far as there is room for them.
        var lastLabel = Double.infinity
        let low = Hertz(440 * exp2((range.lowerBound - 69) / 12)),
            high = Hertz(440 * exp2((range.upperBound - 69) / 12))
        let tuning = take.finder.tuning
        for index in 0..<tuning.count {
            let target = tuning[index]
            guard target.frequency >= low, target.frequency <= high else { continue }
            let place = y(Self.semitones(target.frequency))
            svg += rule(Self.left, place, Self.right, place, Self.line)
            guard lastLabel - place >= 13 else { continue }
            svg += label(take.finder.label(of: target), Self.left - 8, place + 4, anchor: "end", color: Self.quiet)
            lastLabel = place
        }
        svg += timeAxis(Self.middle)
        // The curve, broken where there is no pitch or another note begins, and coloured by how far off it is; the readings
        // are thinned to what the paper shows.
        var previous: (seconds: Double, semitones: Double, x: Double)?
        var path = ""
        var color = ""
        var note = (svg: "", count: 0)
        func endPath() {
            guard !path.isEmpty else { return }
            // What is shorter than the paper can show is a dot.
            let dot = path.contains("L") ? "" : "h1"
            note.svg +=
                "<path d=\"\(path)\(dot)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
            path = ""
        }
        func endNote() {
            endPath()
            // A few readings on their way from note to note are none.
            if note.count > 4 { svg += note.svg }
            note = ("", 0)
        }
        for reading in take.readings {
            guard let pitch = reading.pitch else { continue }
            let semitones = Self.semitones(pitch.frequency)
            let place = y(semitones)
            guard place >= Self.top, place <= Self.middle else { continue }
            let far = abs(pitch.deviation.value)
            let shade = far <= 5 ? Self.good : far <= 15 ? Self.fair : Self.bad
            let across = x(reading.seconds)
            if let previous,
                reading.seconds - previous.seconds > 0.1 || abs(semitones - previous.semitones) > Self.widestStep
            {
                endNote()
            }
            let isThin = !path.isEmpty && shade == color && across - (previous?.x ?? 0) < 0.5
            previous = (reading.seconds, semitones, isThin ? previous?.x ?? across : across)
            note.count += 1
            guard !isThin else { continue }
            if shade != color {
                let end = path.isEmpty ? "" : "L\(n(across)) \(n(place))"
                path += end
                endPath()
                color = shade
            }
            path += "\(path.isEmpty ? "M" : "L")\(n(across)) \(n(place))"
        }
        endNote()
        svg += label(
            "pitch: green within 5 cents, amber within 15, red beyond", Self.left, Self.top - 8, color: Self.quiet)
        return svg
    }

    private func timeAxis(_ place: Double) -> String {
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600]
        let step = steps.first { take.seconds / $0 <= 12 } ?? 7_200
        var svg = rule(Self.left, place, Self.right, place, Self.quiet)
        var tick = 0.0
        while tick <= take.seconds {
            svg += rule(x(tick), place, x(tick), place + 4, Self.quiet)
            let text = step >= 60 ? "\(Int(tick / 60)) min" : fixedPoint(tick, decimals: step < 1 ? 1 : 0) + " s"
            svg += label(text, x(tick), place + 18, anchor: "middle", color: Self.quiet)
            tick += step
        }
        return svg
    }

    // MARK: Intonation by note

    private var boxPanel: String {
        // The notes that sounded longest, as many as there is room for.
        let notes = take.notes.sorted { $0.seconds > $1.seconds }.prefix(18).sorted { $0.note > $1.note }
        var svg = label("intonation by note, cents", Self.boxLeft, Self.top - 8, color: Self.quiet)
        let half = notes.reduce(10.0) { max($0, abs($1.quantile(0.05)), abs($1.quantile(0.95))) }
        let reach = min(50, (half / 10).rounded(.up) * 10)
        func across(_ cents: Double) -> Double {
            let share = (max(-reach, min(reach, cents)) + reach) / (2 * reach)
            return Self.boxLeft + 34 + (Self.boxRight - Self.boxLeft - 34) * share
        }
        for cents in [-reach, -reach / 2, 0, reach / 2, reach] {
            svg += rule(across(cents), Self.top, across(cents), Self.middle, cents == 0 ? Self.quiet : Self.line)
            svg += label(
                fixedPoint(cents, decimals: 0, signed: cents != 0), across(cents), Self.middle + 18, anchor: "middle",
                color: Self.quiet)
        }
        let step = min(36, (Self.middle - Self.top) / Double(max(1, notes.count)))
        for (index, note) in notes.enumerated() {
            let centre = Self.top + step * (Double(index) + 0.5)
            let thick = min(16, step * 0.6)
            let (low, high) = (across(note.quantile(0.25)), across(note.quantile(0.75)))
            let median = note.quantile(0.5)
            let shade = abs(median) <= 5 ? Self.good : abs(median) <= 15 ? Self.fair : Self.bad
            svg += label(note.label, Self.boxLeft + 26, centre + 4, anchor: "end", color: Self.ink)
            svg += rule(across(note.quantile(0.05)), centre, across(note.quantile(0.95)), centre, shade)
            svg += "<rect x=\"\(n(low))\" y=\"\(n(centre - thick / 2))\" width=\"\(n(max(1, high - low)))\" "
            svg += "height=\"\(n(thick))\" fill=\"#ffffff\" stroke=\"\(shade)\" stroke-width=\"1.5\"/>\n"
            svg +=
                "<path d=\"M\(n(across(median))) \(n(centre - thick / 2))v\(n(thick))\" stroke=\"\(shade)\" stroke-width=\"3\"/>\n"
        }
        return svg
    }

    // MARK: The spectrogram

    private var spectrogramPanel: String {
        guard let picture = spectrogram, picture.columns > 0, picture.rows > 0 else { return "" }
        let (width, height) = (Self.right - Self.left, Self.bottom - Self.below)
        // Counted in cells, so that neighbours meet exactly.
        let scale = [width / Double(picture.columns), height / Double(picture.rows)].map { fixedPoint($0, decimals: 6) }
        var svg =
            "<g transform=\"translate(\(n(Self.left)) \(n(Self.below))) scale(\(scale[0]) \(scale[1]))\" "
            + "shape-rendering=\"crispEdges\">\n"
        // Twelve shades of 6 dB; each is one path of runs of cells.
        for shade in 1...12 {
            var path = ""
            for row in 0..<picture.rows {
                var column = 0
                while column < picture.columns {
                    func isThis(_ column: Int) -> Bool {
                        let level = Double(picture.levels[row * picture.columns + column])
                        return max(0, min(12, Int((level + 72) / 6 + 1))) == shade
                    }
                    guard isThis(column) else {
                        column += 1
                        continue
                    }
                    let start = column
                    while column < picture.columns, isThis(column) { column += 1 }
                    path += "M\(start) \(picture.rows - 1 - row)h\(column - start)v1h\(start - column)z"
                }
            }
            guard !path.isEmpty else { continue }
            let grey = 245 - shade * 19
            svg += "<path d=\"\(path)\" fill=\"rgb(\(grey),\(min(255, grey + 6)),\(min(255, grey + 14)))\"/>\n"
        }
        svg += "</g>\n"
        for octave in 0...9 {
            let midi = Double(12 * (octave + 1))
            guard picture.pitches.contains(midi) else { continue }
            let share = (midi - picture.pitches.lowerBound) / (picture.pitches.upperBound - picture.pitches.lowerBound)
            let place = Self.bottom - height * share
            svg += rule(Self.left - 4, place, Self.left, place, Self.quiet)
            svg += label(
                take.finder.naming.name(of: Note(midi: Int(midi))), Self.left - 8, place + 4, anchor: "end",
                color: Self.quiet)
        }
        svg += label("spectrogram: each shade 6 dB", Self.left, Self.below - 6, color: Self.quiet)
        return svg + timeAxis(Self.bottom)
    }

    // MARK: Pieces

    private func n(_ value: Double) -> String {
        let text = fixedPoint(value, decimals: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String) -> String {
        "<path d=\"M\(n(x1)) \(n(y1))L\(n(x2)) \(n(y2))\" stroke=\"\(color)\" stroke-width=\"1\"/>\n"
    }

    private func label(
        _ text: String, _ x: Double, _ y: Double, anchor: String = "start", size: Double = 12, color: String
    ) -> String {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        // Control characters are not XML, whatever a file is called.
        let clean = String(escaped.unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init))
        return
            "<text x=\"\(n(x))\" y=\"\(n(y))\" text-anchor=\"\(anchor)\" font-size=\"\(n(size))\" fill=\"\(color)\">\(clean)</text>\n"
    }
}
