/// The metronome on one line: the beats of the bar, the numbers, the response to a key.
package struct MetronomeLine: Sendable {
    private let row: BeatRow

    package init(unicode: Bool) { row = BeatRow(unicode: unicode) }

    /// The line of a model, at most `columns` wide.
    package func text(_ model: MetronomeModel, columns: Int) -> String {
        if let entry = model.entry { return "tempo: \(entry)_" }
        if model.currentMessage == nil, let prompt = model.prompt {
            return prompt.first { $0.count < columns } ?? prompt.last ?? ""
        }
        guard let beat = model.beat else {
            return model.currentMessage ?? model.waiting.first { $0.count < columns } ?? model.waiting.last ?? ""
        }
        var text = row.text(beat, tempo: model.tempo, columns: columns)
        if !model.isRunning { text = "\(model.tempo) BPM" }
        guard let message = model.currentMessage else { return text }
        // If both do not fit, the response to a key goes first.
        let both = text + "   " + message
        return both.count < columns ? both : message
    }
}
