public import Music

/// A whole recording: its notes, the intonation of each, the drift, and the A4 that fits best.
///
/// ```swift
/// let finder = NoteFinder(tuning: try Tuning())
/// var engine = try TunerEngine(sampleRate: 48.kilohertz)
/// engine.process([Float](repeating: 0, count: 480).span)
/// var take = Take(finder: finder)
/// while let reading = engine.nextReading() { take.add(TunedNote(reading, sampleRate: 48.kilohertz, finder: finder)) }
/// take.finish()
/// for note in take.notes { print(note.label, note.mean.value, "±", note.spread.value, "cents") }
/// ```
///
/// It keeps every reading with a pitch, some 40 kB per second of sound: keep it off the audio thread.
public struct Take: Sendable {
    package let name: String
    package let finder: NoteFinder
    /// Every reading with a pitch.
    package private(set) var readings: [TunedNote] = []
    /// The notes in the order they were played.
    package var entries: [NoteSummary.Entry] { summary.entries }
    /// The time of the last reading.
    public private(set) var duration = Duration.zero
    /// Where the part of the recording begins that was taken.
    package let start: Duration

    private var summary: NoteSummary

    /// A take without readings, whose notes are named by these rules.
    public init(finder: NoteFinder) { self.init(name: "", finder: finder) }

    package init(name: String, finder: NoteFinder, start: Duration = .zero) {
        (self.name, self.finder, self.start) = (name, finder, start)
        summary = NoteSummary(finder: finder)
    }

    /// Adds the next reading.
    public mutating func add(_ note: TunedNote) {
        guard note.time >= start else { return }
        duration = note.time
        summary.add(note)
        if note.pitch != nil { readings.append(note) }
    }

    /// Ends the note that sounds. Call it after the last reading.
    public mutating func finish() { summary.finish() }

    /// The same take with its notes named by other rules.
    package func renamed(by finder: NoteFinder) -> Take {
        var take = Take(name: name, finder: finder, start: start)
        for reading in readings { take.add(reading.renamed(by: finder)) }
        take.duration = duration
        take.finish()
        return take
    }

    /// The intonation of each note that lasted 0.1 s or more, from the lowest up.
    public var notes: [NoteStatistics] {
        let hop = medianHop
        return Dictionary(grouping: steady.compactMap(\.pitch), by: \.note).map { note, pitches in
            NoteStatistics(
                note: note, label: pitches[0].label, duration: hop * pitches.count,
                deviations: pitches.map(\.deviation).sorted())
        }.filter { $0.duration >= NoteSummary.shortestNote }.sorted { $0.note < $1.note }
    }

    /// The drift of the deviations over the take, fitted to its notes, or to its seconds if it has one or two notes.
    /// `nil` where they span less than 30 s, in which the choice of notes makes more of a slope than any drift.
    package var drift: Drift? {
        // From the first note to the last: silence beside them tells nothing.
        guard let first = entries.first, let last = entries.last, last.end - first.start >= .seconds(30) else {
            return nil
        }
        if entries.count > 2 {
            return Drift(entries.map { (($0.start + $0.end) / 2, $0.deviation, $0.duration.inSeconds) })
        }
        let bySecond = Dictionary(grouping: steady) { $0.time.components.seconds }.sorted { $0.key < $1.key }
        return Drift(
            bySecond.map { second, notes in
                let cents = notes.reduce(0) { $0 + ($1.pitch?.deviation.value ?? 0) } / Double(notes.count)
                return (.seconds(second), Cents(cents), Double(notes.count))
            })
    }

    /// The deviations of the notes that were played: their mean, each note by its length, and the standard deviation, within
    /// notes and between them. `nil` without a note.
    package var intonation: (mean: Cents, spread: Cents)? {
        let weight = entries.reduce(0) { $0 + $1.duration.inSeconds }
        guard weight > 0 else { return nil }
        let mean = entries.reduce(0) { $0 + $1.deviation.value * $1.duration.inSeconds } / weight
        let square = entries.reduce(0) { sum, entry in
            let distance = entry.deviation.value - mean
            let variance = distance * distance + entry.spread.value * entry.spread.value
            return sum + variance * entry.duration.inSeconds
        }
        return (Cents(mean), Cents((square / weight).squareRoot()))
    }

    /// The drift in a minute and its standard error; `nil` for less than 30 s.
    public var driftPerMinute: (cents: Cents, standardError: Cents)? {
        drift.map { ($0.perMinute, $0.standardError) }
    }

    /// The A4 that fits best; `nil` if the notes do not agree on one.
    public var bestA4: Hertz? {
        // Only the deviations are learnt from: how far the temperament places a note from equal temperament must not count.
        let a4 = finder.tuning.target(for: Note(midi: 69))?.frequency ?? 440.hertz
        var learner = ReferenceLearner()
        for pitch in steady.lazy.compactMap(\.pitch) { learner.hear(a4.raised(by: pitch.deviation)) }
        return learner.a4
    }

    /// The readings that belong to notes, without the slides between them.
    private var steady: [TunedNote] {
        var steady: [TunedNote] = []
        var rest = entries[...]
        for reading in readings {
            while let first = rest.first, first.end < reading.time { rest.removeFirst() }
            if let first = rest.first, first.start <= reading.time { steady.append(reading) }
        }
        return steady
    }

    /// The median time from one reading to the next; zero for fewer than two.
    private var medianHop: Duration {
        let steps = zip(readings, readings.dropFirst()).map { $1.time - $0.time }.sorted()
        return steps.isEmpty ? .zero : steps[steps.count / 2]
    }
}
