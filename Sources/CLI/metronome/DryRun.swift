internal import Notation
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// The first bars as text, one line each: start time, meter, tempo, and the level of each beat.
    func firstBars(of grid: PlanGrid) throws -> [String] {
        let sampleRate = output.fileRate
        let schedule = try self.schedule(grid, sampleRate: sampleRate)
        let end = schedule.endFrame
        let labels = grid.labels
        var strokes = PlanStrokes(schedule)
        let nameWidth = labels.map(\.label.count).max() ?? 0
        var rows: [BarText] = []
        var isWhole = true
        while let stroke = strokes.next() {
            if rows.last?.bar != stroke.bar || stroke.isBeat && stroke.beat == 1 {
                isWhole = rows.count < Self.shownBars
                if !isWhole { break }
                let label = labels.first { $0.bar == stroke.bar }?.label ?? ""
                let tempo = grid.place(of: stroke).countedNote + MetronomeModel.text(ofTempo: stroke.tempo, fewest: 1)
                rows.append(BarText(stroke, tempo, label: label, seconds: Double(stroke.frame) / Double(sampleRate)))
            }
            rows[rows.count - 1].add(stroke)
        }
        let ending = end.map { "end  " + fixedPoint(Double($0) / Double(sampleRate), decimals: 3) + " s" }
        return rows.map { $0.line(nameWidth: nameWidth) } + (isWhole ? [ending ?? "end"] : ["..."])
    }

    /// As many bars as fit on a screen.
    private static var shownBars: Int { 20 }
}

/// One bar in letters: X accent, o medium, x normal, . silent; parentheses mark muted beats. ' is an audible part of a
/// beat, + a stroke of another voice.
private struct BarText {
    let bar: Int64
    private let head: String, label: String
    private var beats = ""

    init(_ first: BeatEvent, _ tempo: String, label: String, seconds: Double) {
        bar = first.bar
        self.label = label
        head =
            padded("\(bar)", to: 5) + padded(fixedPoint(seconds, decimals: 3), to: 12) + " s"
            + padded("\(first.beatsInBar)/\(first.beatValue.number)", to: 7)
            + padded(" " + tempo, to: 8) + " BPM  "
    }

    mutating func add(_ stroke: BeatEvent) {
        guard stroke.isBeat else {
            if stroke.sounds { beats += stroke.layer > 0 ? "+" : "'" }
            return
        }
        let letter = stroke.level.letter
        beats += (beats.isEmpty ? "" : " ") + (stroke.isMuted ? "(\(letter))" : "\(letter)")
    }

    func line(nameWidth: Int) -> String {
        let name = label + String(repeating: " ", count: nameWidth - label.count) + (nameWidth > 0 ? "  " : "")
        return head + name + beats
    }
}
