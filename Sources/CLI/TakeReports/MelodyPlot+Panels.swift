internal import Intonation
internal import Music
internal import TerminalUI
internal import Transcription

/// Lateness and loudness under the piano roll.
extension MelodyPlot {
    /// Half of what the axis of lateness shows, in milliseconds.
    private var reach: Double {
        let late = melody.tones.compactMap { $0.lateness.map { abs($0.inSeconds) * 1_000 } }.sorted()
        guard !late.isEmpty else { return 50 }
        // All but a few: one slip does not flatten the rest.
        let most = late[Int(0.98 * Double(late.count - 1))]
        return [20.0, 50, 100].first { most <= $0 } ?? 150
    }

    /// A stem from the beat to the note, early above and late below as in the picture of a metronome's take.
    func drawTiming(on svg: inout SVG) {
        let reach = reach
        for index in layout.systems.indices {
            let (top, bottom) = layout.timing(index)
            let right = layout.right(ofSystem: index)
            svg.label(
                "lateness, ms: early above, late below", MelodyLayout.left, top - 5, size: 10, color: Self.text)
            for late in [-reach, 0, reach] {
                let place = y(late, reach, (top, bottom))
                svg.rule(MelodyLayout.left, place, right, place, late == 0 ? SVG.ink : SVG.line)
                svg.label(
                    fixedPoint(late, decimals: 0, signed: late != 0), MelodyLayout.left - 8, place + 4, anchor: "end",
                    size: 10, color: Self.text)
            }
        }
        for tone in melody.tones {
            guard let late = tone.lateness, let index = layout.system(at: tone.start.inSeconds) else { continue }
            let panel = layout.timing(index)
            let x = layout.x(tone.start.inSeconds, index)
            let (zero, place) = (y(0, reach, panel), y(late.inSeconds * 1_000, reach, panel))
            svg.rule(x, zero, x, place, SVG.ink)
            svg.append("<circle cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(place))\" r=\"2.2\" fill=\"\(SVG.ink)\"/>")
        }
    }

    private func y(_ late: Double, _ reach: Double, _ panel: (top: Double, bottom: Double)) -> Double {
        let share = min(max(late, -reach), reach) / reach
        return (panel.top + panel.bottom) / 2 + share * (panel.bottom - panel.top) / 2
    }

    /// The level as an area, and that of each note as a line at its top.
    func drawLoudness(on svg: inout SVG) {
        guard let figures = melody.figures else { return }
        let high = (figures.loudest.value / 6).rounded(.up) * 6
        // 24 dB at least, so that an even player looks even.
        let low = min(high - 24, (figures.softest.value / 6).rounded(.down) * 6 - 6)
        func y(_ level: Double, _ index: Int) -> Double {
            let (top, bottom) = layout.loudness(index)
            return bottom - min(max(level - low, 0), high - low) / (high - low) * (bottom - top)
        }
        for index in layout.systems.indices {
            let (top, right) = (layout.loudness(index).top, layout.right(ofSystem: index))
            svg.label("loudness, dB", MelodyLayout.left, top - 5, size: 10, color: Self.text)
            drawArea(index, on: &svg) { y($0, index) }
            for level in [low, (low + high) / 2, high] {
                if level > low { svg.rule(MelodyLayout.left, y(level, index), right, y(level, index), SVG.line) }
                svg.label(
                    SVG.number(level), MelodyLayout.left - 8, y(level, index) + 4, anchor: "end", size: 10,
                    color: Self.text)
            }
        }
        for tone in melody.tones {
            guard let index = layout.system(at: tone.start.inSeconds) else { continue }
            let x = layout.x(tone.start.inSeconds, index)
            let place = y(tone.level.value, index)
            let length = max(3, min(8, layout.x(tone.end.inSeconds, index) - x))
            svg.append(
                "<path d=\"M\(SVG.number(x)) \(SVG.number(place))h\(SVG.number(length))\" stroke=\"\(SVG.ink)\" "
                    + "stroke-width=\"2\"/>")
        }
    }

    /// The level of a system's part of the recording; the loudest step of each dot.
    private func drawArea(_ index: Int, on svg: inout SVG, _ y: (Double) -> Double) {
        let (levels, step) = (melody.levels, melody.levels.step.inSeconds)
        let (times, bottom) = (layout.systems[index], layout.loudness(index).bottom)
        guard !levels.powers.isEmpty else { return }
        // The first step begins where the part of the recording does.
        let first = max(0, Int((times.lowerBound - take.start.inSeconds) / step))
        let last = min(levels.powers.count, Int((times.upperBound - take.start.inSeconds) / step) + 1)
        guard first < last else { return }
        var points: [(x: Double, y: Double)] = []
        for place in first..<last {
            let middle = take.start.inSeconds + (Double(place) + 0.5) * step
            let x = max(MelodyLayout.left, min(layout.right(ofSystem: index), layout.x(middle, index)))
            let top = y(levels.level(place).value)
            if let newest = points.last, x - newest.x < 1 {
                points[points.count - 1].y = min(newest.y, top)
            } else {
                points.append((x, top))
            }
        }
        guard let begin = points.first, let end = points.last else { return }
        let path = points.map { "L\(SVG.number($0.x)) \(SVG.number($0.y))" }.joined()
        svg.append(
            "<path d=\"M\(SVG.number(begin.x)) \(SVG.number(bottom))\(path)L\(SVG.number(end.x)) \(SVG.number(bottom))Z\" "
                + "fill=\"\(SVG.line)\"/>")
    }
}
