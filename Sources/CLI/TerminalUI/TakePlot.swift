package import Intonation
internal import Music

/// A picture of a take to print: pitch over time with a line for each note, the intonation of each note beside it, the
/// spectrogram below. SVG 1.1, without scripts or embedded fonts.
package struct TakePlot: Sendable {
    let take: Take
    let spectrogram: SpectrogramPicture?
    /// The range of the pitch panel, in semitones as MIDI counts them.
    let pitches: ClosedRange<Double>

    package init(take: Take, spectrogram: SpectrogramPicture?) {
        (self.take, self.spectrogram) = (take, spectrogram)
        pitches = Self.pitches(of: take)
    }

    // A sheet of A4 paper, landscape, at 96 dots per inch.
    static let width = 1_122.0, height = 793.0
    static let left = 64.0, right = 812.0, top = 56.0, middle = 480.0
    static let boxLeft = 862.0, boxRight = 1_082.0
    static let below = 530.0, bottom = 730.0

    package var svg: String {
        var svg = SVG()
        svg.label(title, Self.left, 30, size: 18, color: SVG.ink)
        svg.label(subtitle, Self.boxRight, 30, anchor: "end", color: SVG.quiet)
        drawPitch(on: &svg)
        drawNotes(on: &svg)
        drawSpectrogram(on: &svg)
        return svg.text(width: Self.width, height: Self.height)
    }

    private var title: String { take.name.split(separator: "/").last.map(String.init) ?? take.name }

    private var subtitle: String {
        var parts: [String] = []
        if let a4 = take.bestA4 { parts.append("A4 that fits best " + fixedPoint(a4.value, decimals: 1) + " Hz") }
        if let drift = take.drift { parts.append(drift.text) }
        parts.append(fixedPoint(take.duration.inSeconds, decimals: 1) + " s")
        return parts.joined(separator: " · ")
    }

    // MARK: The time axis, which pitch and spectrogram share

    func x(_ seconds: Double) -> Double {
        Self.left + (Self.right - Self.left) * seconds / max(0.001, take.duration.inSeconds)
    }

    func drawTimeAxis(_ place: Double, on svg: inout SVG) {
        let length = take.duration.inSeconds
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600]
        let step = steps.first { length / $0 <= 12 } ?? 7_200
        svg.rule(Self.left, place, Self.right, place, SVG.quiet)
        var tick = 0.0
        while tick <= length {
            svg.rule(x(tick), place, x(tick), place + 4, SVG.quiet)
            let text = step >= 60 ? "\(Int(tick / 60)) min" : fixedPoint(tick, decimals: step < 1 ? 1 : 0) + " s"
            svg.label(text, x(tick), place + 18, anchor: "middle", color: SVG.quiet)
            tick += step
        }
    }
}
