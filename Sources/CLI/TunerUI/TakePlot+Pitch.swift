internal import Glibc
internal import Intonation
package import Music
internal import TerminalUI

extension TakePlot {
    /// A larger step from one reading to the next is another note; a voice that slides stays below it.
    private static let widestStep = 0.6

    package static func semitones(_ frequency: Hertz) -> Double { 69 + 12 * log2(frequency.value / 440) }

    static func pitches(of take: Take) -> ClosedRange<Double> {
        let strummed = take.strums.flatMap(\.strum.strings).filter(\.isHeard).map(\.pitch.frequency)
        let heard = (take.entries.map(\.frequency) + strummed).map { semitones($0) }
        guard let low = heard.min(), let high = heard.max() else { return 57...81 }
        // At least a fifth, so that a single note still has its neighbors.
        let room = max(1.2, (7 - (high - low)) / 2)
        return (low - room)...(high + room)
    }

    private func y(_ semitones: Double, row: Int) -> Double {
        let share = (semitones - pitches.lowerBound) / (pitches.upperBound - pitches.lowerBound)
        return layout.bottom(ofRow: row) - layout.rowHeight * share
    }

    func drawPitch(on svg: inout SVG) {
        let (good, fair) = (SVG.number(tolerance.value), SVG.number(3 * tolerance.value))
        for row in 0..<layout.rowCount {
            drawNoteLines(row: row, on: &svg)
            drawTimeAxis(layout.bottom(ofRow: row), row: row, on: &svg)
        }
        drawCurve(on: &svg)
        for strum in take.strums { draw(strum, on: &svg) }
        svg.label(
            "pitch: green within \(good) cents, amber within \(fair), red beyond", TakeLayout.left,
            TakeLayout.top - 8, color: SVG.quiet)
    }

    /// A line for each note of the tuning, with its name where there is room.
    private func drawNoteLines(row: Int, on svg: inout SVG) {
        var lastLabel = Double.infinity
        let tuning = take.finder.tuning
        let end = layout.x(layout.times(ofRow: row).upperBound, row: row)
        for index in 0..<tuning.count {
            let target = tuning[index]
            let semitones = Self.semitones(target.frequency)
            guard pitches.contains(semitones) else { continue }
            let place = y(semitones, row: row)
            svg.rule(TakeLayout.left, place, end, place, SVG.line)
            guard lastLabel - place >= 13 else { continue }
            let name = take.finder.label(of: target)
            svg.label(name, TakeLayout.left - 8, place + 4, anchor: "end", color: SVG.quiet)
            lastLabel = place
        }
    }

    /// The curve, broken where there is no pitch or another note begins, and colored by the deviation.
    private func drawCurve(on svg: inout SVG) {
        var curve = Curve()
        var previous: (seconds: Double, semitones: Double, row: Int)?
        for reading in take.readings {
            let semitones = Self.semitones(reading.frequency)
            guard pitches.contains(semitones) else { continue }
            let seconds = reading.time.inSeconds
            let row = layout.row(at: seconds)
            if let previous,
                seconds - previous.seconds > 0.1 || abs(semitones - previous.semitones) > Self.widestStep
                    || row != previous.row
            {
                curve.endNote(on: &svg)
            }
            curve.add(layout.x(seconds, row: row), y(semitones, row: row), shade: shade(reading.deviation))
            previous = (seconds, semitones, row)
        }
        curve.endNote(on: &svg)
    }
}

extension TakePlot {
    /// A line for each string of a strum as long as it sounds, and the word at its start.
    private func draw(_ played: PlayedStrum, on svg: inout SVG) {
        let heard = played.strum.strings.filter(\.isHeard)
        for row in layout.row(at: played.time.inSeconds)...layout.row(at: played.end.inSeconds) {
            let times = layout.times(ofRow: row)
            let from = layout.x(max(times.lowerBound, played.time.inSeconds), row: row)
            let to = layout.x(min(times.upperBound, played.end.inSeconds), row: row)
            for string in heard {
                let place = y(Self.semitones(string.pitch.frequency), row: row)
                let color = shade(string.pitch.deviation)
                svg.append(
                    "<path d=\"M\(SVG.number(from)) \(SVG.number(place))H\(SVG.number(to))\" fill=\"none\" "
                        + "stroke=\"\(color)\" stroke-width=\"2\" stroke-dasharray=\"6 2\"/>")
            }
        }
        guard let highest = heard.map({ Self.semitones($0.pitch.frequency) }).max() else { return }
        let row = layout.row(at: played.time.inSeconds)
        svg.label("strum", layout.x(played.time.inSeconds, row: row), y(highest, row: row) - 6, color: SVG.quiet)
    }
}

/// The curve of one note as SVG paths, one for each stretch of one color, thinned to what the paper shows.
private struct Curve {
    private var path = ""
    private var color = ""
    private var lastX = 0.0
    private var note = SVG()
    private var count = 0

    mutating func add(_ x: Double, _ y: Double, shade: String) {
        count += 1
        // Half a dot is finer than the paper shows.
        if !path.isEmpty, shade == color, x - lastX < 0.5 { return }
        lastX = x
        let place = "\(SVG.number(x)) \(SVG.number(y))"
        if shade != color {
            if !path.isEmpty { path += "L\(place)" }
            endPath()
            color = shade
        }
        path += "\(path.isEmpty ? "M" : "L")\(place)"
    }

    mutating func endNote(on svg: inout SVG) {
        endPath()
        // Up to four readings are a slide from note to note.
        if count > 4 { svg.append(note) }
        (note, count) = (SVG(), 0)
    }

    private mutating func endPath() {
        guard !path.isEmpty else { return }
        // A single point is drawn as a dot.
        let dot = path.contains("L") ? "" : "h1"
        note.append(
            "<path d=\"\(path)\(dot)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
        )
        path = ""
    }
}
