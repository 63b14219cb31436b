internal import Intonation
internal import Music
internal import TerminalUI
internal import Transcription
internal import TunerUI

/// The piano roll. Each note is a bar as long as it sounds, at its pitch in tune; its height stands for 100 cents, and the
/// curve in it is the pitch that was played.
extension MelodyPlot {
    /// The place of a pitch in tune.
    private func y(_ semitones: Double, _ system: Int) -> Double {
        let (top, bottom) = layout.roll(system)
        let half = MelodyLayout.barHeight / 2
        let share = (semitones - pitches.lowerBound) / (pitches.upperBound - pitches.lowerBound)
        return bottom - half - (bottom - top - 2 * half) * share
    }

    /// Where a note in tune lies, in semitones.
    private func inTune(_ tone: MelodyTone) -> Double {
        TakePlot.semitones(tone.frequency) - tone.deviation.value / 100
    }

    /// A line for each note that is played, with its name where there is room.
    func drawNoteLines(_ index: Int, on svg: inout SVG) {
        var lines: [Int: (place: Double, label: String)] = [:]
        for tone in melody.tones { lines[tone.note.midi] = (inTune(tone), tone.label) }
        var lastLabel = Double.infinity
        for (_, line) in lines.sorted(by: { $0.value.place < $1.value.place }) {
            let place = y(line.place, index)
            svg.rule(MelodyLayout.left, place, layout.right(ofSystem: index), place, SVG.line)
            guard lastLabel - place >= 11 else { continue }
            svg.label(line.label, MelodyLayout.left - 8, place + 4, anchor: "end", size: 11, color: Self.text)
            lastLabel = place
        }
    }

    func drawNotes(on svg: inout SVG) {
        let half = MelodyLayout.barHeight / 2
        var (free, row) = (-Double.infinity, -1)
        // Above all bars.
        var labels = SVG()
        for tone in melody.tones {
            for index in systems(of: tone) {
                let times = layout.systems[index]
                let isFirst = index == layout.system(at: tone.start.inSeconds)
                // One that is early on the first beat of a system begins before it.
                let from = layout.x(isFirst ? tone.start.inSeconds : times.lowerBound, index)
                let to = layout.x(min(times.upperBound, tone.end.inSeconds), index)
                let place = y(inTune(tone), index)
                let box = [from, place - half, max(1.5, to - from), 2 * half].map(SVG.number)
                svg.append(
                    "<rect x=\"\(box[0])\" y=\"\(box[1])\" width=\"\(box[2])\" height=\"\(box[3])\" "
                        + "fill=\"\(fill(tone))\" stroke=\"\(SVG.quiet)\" stroke-width=\"0.8\"/>")
                svg.append(
                    "<path d=\"M\(box[0]) \(SVG.number(place))h\(box[2])\" stroke=\"\(SVG.quiet)\" stroke-width=\"0.7\"/>"
                )
                if index != row { (free, row) = (-.infinity, index) }
                guard abs(tone.deviation.value) > tolerance.value, from >= free, isFirst
                else { continue }
                let text = fixedPoint(tone.deviation.value, decimals: 0, signed: true)
                let isSharp = tone.deviation.value > 0
                labels.label(text, from, isSharp ? place - half - 3 : place + half + 10, size: 9, color: SVG.ink)
                free = from + 6 * Double(text.count) + 2
            }
        }
        svg.append(labels)
    }

    /// Darker where it is farther off: three shades that paper keeps apart.
    private func fill(_ tone: MelodyTone) -> String {
        let size = abs(tone.deviation.value) / tolerance.value
        return size <= 1 ? "#e8ecf0" : size <= 3 ? "#ccd4dc" : "#a9b4bf"
    }

    /// The systems that a note sounds in.
    private func systems(of tone: MelodyTone) -> ClosedRange<Int> {
        let first = layout.system(at: tone.start.inSeconds) ?? 0
        let last = layout.systems.lastIndex { $0.lowerBound < tone.end.inSeconds } ?? first
        return first...max(first, last)
    }

    /// The readings of each note as a curve.
    func drawCurves(on svg: inout SVG) {
        var rest = melody.tones[...]
        var curve = RollCurve()
        for reading in take.readings {
            let seconds = reading.time.inSeconds
            while let first = rest.first, first.end.inSeconds < seconds {
                rest.removeFirst()
                curve.end(on: &svg)
            }
            guard let tone = rest.first, tone.start.inSeconds <= seconds, let index = layout.system(at: seconds) else {
                continue
            }
            let cents = 100 * (TakePlot.semitones(reading.frequency) - inTune(tone))
            // Farther off it is the slide to the note, or the note before that rings on.
            guard abs(cents) <= 60 else {
                curve.end(on: &svg)
                continue
            }
            let place = y(inTune(tone), index) - cents / 100 * MelodyLayout.barHeight
            curve.add(layout.x(seconds, index), place, seconds, index, on: &svg)
        }
        curve.end(on: &svg)
    }
}

/// The curve of one note, thinned to what the paper shows.
private struct RollCurve {
    private var path = ""
    private var last = (x: 0.0, seconds: 0.0, system: -1)
    private var count = 0

    mutating func add(_ x: Double, _ y: Double, _ seconds: Double, _ system: Int, on svg: inout SVG) {
        if system != last.system || seconds - last.seconds > 0.1 { end(on: &svg) }
        count += 1
        // Half a dot is finer than the paper shows.
        if !path.isEmpty, x - last.x < 0.5 {
            last.seconds = seconds
            return
        }
        path += "\(path.isEmpty ? "M" : "L")\(SVG.number(x)) \(SVG.number(y))"
        last = (x, seconds, system)
    }

    mutating func end(on svg: inout SVG) {
        defer { (path, count) = ("", 0) }
        // Up to four readings are a slide.
        guard count > 4, path.contains("L") else { return }
        svg.append(
            "<path d=\"\(path)\" fill=\"none\" stroke=\"\(SVG.ink)\" stroke-width=\"1.3\" stroke-linejoin=\"round\"/>")
    }
}
