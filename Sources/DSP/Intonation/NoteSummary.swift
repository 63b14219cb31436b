package import Music

/// Groups readings into notes: one entry for each note instead of one for each reading.
///
/// A note ends at a step of more than 60 cents from one reading to the next, or at a gap of more than 0.15 s. Notes shorter
/// than 0.1 s are dropped.
package struct NoteSummary: Sendable {
    /// A note that was played.
    package struct Entry: Sendable {
        /// The time from the start of the stream to its first reading.
        package let start: Duration
        /// The time from the start of the stream to its last reading.
        package let end: Duration
        /// The note nearest to the median frequency.
        package let note: Note
        /// Its name with the octave, as written for the player's instrument.
        package let label: String
        /// The deviation of the median; positive is sharp.
        package let deviation: Cents
        /// Half the interquartile range of the frequency.
        package let spread: Cents
        package let frequency: Hertz

        package var duration: Duration { end - start }

        fileprivate func named(_ pitch: TunedNote.Pitch) -> Entry {
            Entry(
                start: start, end: end, note: pitch.note, label: pitch.label, deviation: pitch.deviation,
                spread: spread, frequency: frequency)
        }
    }

    package var finder: NoteFinder
    private var current: [(time: Duration, frequency: Hertz)] = []
    package private(set) var entries: [Entry] = []

    private static let longestGap = Duration.milliseconds(150)
    static let shortestNote = Duration.milliseconds(100)
    private static let widestStep = 60.cents

    package init(finder: NoteFinder) { self.finder = finder }

    package mutating func add(_ note: TunedNote) {
        guard let pitch = note.pitch else {
            if let last = current.last, note.time - last.time > Self.longestGap { finish() }
            return
        }
        if let last = current.last {
            let step = Cents(from: last.frequency, to: pitch.frequency)
            if note.time - last.time > Self.longestGap || abs(step.value) > Self.widestStep.value { finish() }
        }
        current.append((note.time, pitch.frequency))
    }

    /// The same notes, named by other rules; without those that these have no name for.
    func renamed(by finder: NoteFinder) -> NoteSummary {
        var summary = NoteSummary(finder: finder)
        summary.entries = entries.compactMap { entry in
            finder.pitch(of: entry.frequency).map { entry.named($0) }
        }
        return summary
    }

    /// Ends the note that sounds.
    package mutating func finish() {
        defer { current.removeAll(keepingCapacity: true) }
        guard let first = current.first, let last = current.last, last.time - first.time >= Self.shortestNote
        else { return }
        let sorted = current.map(\.frequency).sorted()
        let median = sorted[sorted.count / 2]
        guard let pitch = finder.pitch(of: median) else { return }
        let range = Cents(from: sorted[sorted.count / 4], to: sorted[sorted.count * 3 / 4])
        entries.append(
            Entry(
                start: first.time, end: last.time, note: pitch.note, label: pitch.label,
                deviation: pitch.deviation, spread: Cents(range.value / 2), frequency: median))
    }
}
