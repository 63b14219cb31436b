package import Intonation
package import Music
internal import TerminalUI

/// A picture of a take to print: pitch over time with a line for each note, the intonation of each note beside it, the
/// spectrogram below. SVG 1.1, without scripts or embedded fonts.
package struct TakePlot: Sendable {
    let take: Take
    let spectrogram: SpectrogramPicture?
    /// Up to where a note is green. It is amber up to three times that.
    let tolerance: Cents
    /// The range of the pitch panel, in semitones as MIDI counts them.
    let pitches: ClosedRange<Double>
    let layout: TakeLayout
    let notes: [NoteStatistics]

    /// Five cents, which is what good players and singers reach; two would colour every vibrato red.
    package static let usualTolerance = 5.cents

    package init(take: Take, spectrogram: SpectrogramPicture?, tolerance: Cents = usualTolerance) {
        (self.take, self.spectrogram, self.tolerance) = (take, spectrogram, tolerance)
        pitches = Self.pitches(of: take)
        notes = take.notes
        layout = TakeLayout(
            start: take.start.inSeconds, length: (take.duration - take.start).inSeconds,
            semitones: pitches.upperBound - pitches.lowerBound, notes: notes.count)
    }

    package var svg: String {
        var svg = SVG()
        svg.label(title, TakeLayout.left, 30, size: 18, color: SVG.ink)
        svg.label(subtitle, TakeLayout.boxRight, 30, anchor: "end", color: SVG.quiet)
        drawPitch(on: &svg)
        drawNotes(on: &svg)
        drawSpectrogram(on: &svg)
        return svg.text(width: TakeLayout.width, height: layout.height)
    }

    func shade(_ deviation: Cents) -> String { SVG.shade(deviation, tolerance: tolerance) }

    private var title: String { take.name.split(separator: "/").last.map(String.init) ?? take.name }

    private var subtitle: String {
        var parts: [String] = []
        if let a4 = take.bestA4 { parts.append("A4 that fits best " + fixedPoint(a4.value, decimals: 1) + " Hz") }
        if let drift = take.drift { parts.append(drift.text) }
        parts.append(fixedPoint(layout.length, decimals: 1) + " s")
        return parts.joined(separator: " · ")
    }

    /// The axis of a row, or of the whole take.
    func drawTimeAxis(_ place: Double, row: Int?, on svg: inout SVG) {
        let times = row.map { layout.times(ofRow: $0) } ?? layout.start...(layout.start + layout.length)
        let shown = row == nil ? layout.length : layout.rowSeconds
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600]
        let step = steps.first { shown / $0 <= 12 } ?? 7_200
        svg.rule(TakeLayout.left, place, layout.x(times.upperBound, row: row), place, SVG.quiet)
        var tick = (times.lowerBound / step).rounded(.up) * step
        while tick <= times.upperBound + 1e-9 {
            let x = layout.x(tick, row: row)
            svg.rule(x, place, x, place + 4, SVG.quiet)
            svg.label(timeText(tick, step: step), x, place + 18, anchor: "middle", color: SVG.quiet)
            tick += step
        }
    }

    private func timeText(_ seconds: Double, step: Double) -> String {
        Self.timeText(seconds, step: step, of: layout.start + layout.length)
    }

    /// `4.5 s`, or `2:05` in a take of more than a minute.
    package static func timeText(_ seconds: Double, step: Double, of length: Double) -> String {
        guard length > 60 else { return fixedPoint(seconds, decimals: step < 1 ? 1 : 0) + " s" }
        let whole = Int(seconds.rounded(.down))
        let text = "\(whole / 60):" + (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
        return step < 1 ? text + "." + String(Int(((seconds - Double(whole)) * 10).rounded())) : text
    }
}
