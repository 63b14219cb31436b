package import Intonation
internal import Music
internal import TerminalUI
internal import Transcription
internal import TunerUI

/// A picture of a melody for the music stand, on A4 paper in black and white: a piano roll with the cents of each note, bars
/// and beats, how late each note is, and how loud, under one time axis. SVG 1.1, without scripts or embedded fonts.
package struct MelodyPlot: Sendable {
    let take: Take
    let summary: MelodySummary
    let layout: MelodyLayout
    /// The range of the roll in semitones, as MIDI counts them.
    let pitches: ClosedRange<Double>

    var melody: PlayedMelody { summary.melody }
    var tolerance: Cents { summary.tolerance }

    /// - Parameter take: the readings, whose curve is drawn on the notes.
    package init(_ take: Take, _ summary: MelodySummary) {
        (self.take, self.summary) = (take, summary)
        layout = MelodyLayout(summary.melody, start: take.start.inSeconds, end: take.duration.inSeconds)
        let heard = summary.melody.tones.map { TakePlot.semitones($0.frequency) }
        let (low, high) = (heard.min() ?? 60, heard.max() ?? 72)
        // A fifth at least, and half a note's bar beyond the outermost notes.
        let room = max(1.5, (7 - (high - low)) / 2)
        pitches = (low - room)...(high + room)
    }

    package var svg: String {
        var svg = SVG()
        for page in 0..<layout.pageCount { drawHeading(page, on: &svg) }
        for index in layout.systems.indices {
            drawGrid(index, on: &svg)
            drawNoteLines(index, on: &svg)
            drawTimes(index, on: &svg)
        }
        drawLoudness(on: &svg)
        drawNotes(on: &svg)
        drawCurves(on: &svg)
        if melody.grid != nil { drawTiming(on: &svg) }
        drawSummary(on: &svg)
        return svg.text(width: MelodyLayout.width, height: layout.height)
    }

    private var title: String { take.name.split(separator: "/").last.map(String.init) ?? take.name }

    private func drawHeading(_ page: Int, on svg: inout SVG) {
        let top = layout.top(ofPage: page)
        svg.label(title, MelodyLayout.left, top + 28, size: page == 0 ? 18 : 12, color: SVG.ink)
        if layout.pageCount > 1 {
            svg.label(
                "\(page + 1) / \(layout.pageCount)", MelodyLayout.right, top + MelodyLayout.pageHeight - 14,
                anchor: "end",
                size: 11, color: Self.text)
        }
        guard page == 0 else { return }
        svg.label(subtitle, MelodyLayout.left, top + 46, color: Self.text)
        svg.label(
            "each note is a box, its middle line in tune, its height 100 cents; the number: cents, where more than "
                + SVG.number(tolerance.value), MelodyLayout.right, top + 28, anchor: "end", size: 10, color: Self.text)
    }

    private var subtitle: String {
        var parts: [String] = []
        if let key = melody.key { parts.append(MelodySummary.name(of: key, melody.tones)) }
        parts.append("\(melody.tones.count) notes")
        if let grid = melody.grid {
            parts.append("\(grid.meter.beats)/\(grid.meter.value)")
            let tempi = [grid.tempo] + grid.changes.map(\.tempo)
            let text = tempi.map { fixedPoint($0, decimals: 1) }.joined(separator: ", then ")
            parts.append(text + " BPM" + (grid.isGiven ? " as given" : ""))
        } else {
            parts.append("no beat was found with confidence: notes by time")
        }
        if let a4 = take.bestA4 { parts.append("A4 that fits best " + fixedPoint(a4.value, decimals: 1) + " Hz") }
        return parts.joined(separator: " · ")
    }

    /// Words that a printer in black and white still shows.
    static let text = "#4a5560"

    // MARK: Grid

    /// Bars with their numbers, and beats.
    private func drawGrid(_ index: Int, on svg: inout SVG) {
        guard let grid = melody.grid else { return }
        let times = layout.systems[index]
        let (top, bottom) = (layout.roll(index).top, layout.loudness(index).bottom)
        let first = Int(grid.position(of: times.lowerBound).rounded())
        let last = Int(grid.position(of: times.upperBound).rounded())
        guard first <= last else { return }
        let perBeat = (layout.right(ofSystem: index) - MelodyLayout.left) / Double(max(1, last - first))
        // Numbers stand 28 dots apart at least.
        let barWidth = perBeat * Double(grid.meter.beats)
        let step = [1, 2, 5, 10, 20, 50, 100].first { Double($0) * barWidth >= 28 } ?? 200
        for beat in first...last {
            let bar = grid.bar(ofBeat: beat)
            let isFirst = beat == grid.firstBeat(ofBar: bar)
            guard isFirst || perBeat >= 6 else { continue }
            let x = layout.x(grid.time(of: Double(beat)), index)
            svg.rule(x, isFirst ? top - 4 : top, x, bottom, isFirst ? SVG.quiet : SVG.line)
            // The system's last line is the first of the next.
            guard isFirst, beat < last, (bar - 1) % step == 0 || beat == first else { continue }
            svg.label("\(bar)", x, top - 8, anchor: "middle", size: 11, color: SVG.ink)
        }
    }

    private func drawTimes(_ index: Int, on svg: inout SVG) {
        let (times, bottom) = (layout.systems[index], layout.loudness(index).bottom)
        svg.rule(MelodyLayout.left, bottom, layout.right(ofSystem: index), bottom, SVG.quiet)
        let shown = times.upperBound - times.lowerBound
        let step = [0.5, 1, 2, 5, 10, 20, 30, 60, 120].first { shown / $0 <= 16 } ?? 300
        for time in stride(from: (times.lowerBound / step).rounded(.up) * step, through: times.upperBound, by: step) {
            let x = layout.x(time, index)
            svg.rule(x, bottom, x, bottom + 4, SVG.quiet)
            let text = TakePlot.timeText(time, step: step, of: take.duration.inSeconds)
            svg.label(text, x, bottom + 16, anchor: "middle", size: 11, color: Self.text)
        }
    }
}
