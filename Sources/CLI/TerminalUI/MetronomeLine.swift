/// The metronome on one line: the beats of the bar, the numbers, and what a key did.
public struct MetronomeLine: Sendable {
    private let row: BeatRow

    /// A line drawn with dots, or with ASCII only.
    public init(unicode: Bool) { row = BeatRow(unicode: unicode) }

    /// The line of a model, `columns` wide at most.
    public func text(_ model: MetronomeModel, columns: Int) -> String {
        if let entry = model.entry { return "tempo: \(entry)_" }
        guard let beat = model.beat else { return model.currentMessage ?? (model.isRunning ? "listen ..." : "stopped") }
        var text = row.text(beat, tempo: model.tempo, columns: columns)
        if !model.isRunning { text = "\(model.tempo) BPM" }
        guard let message = model.currentMessage else { return text }
        // What was just asked for matters more than the numbers, where not both find room.
        let both = text + "   " + message
        return both.count < columns ? both : message
    }
}
