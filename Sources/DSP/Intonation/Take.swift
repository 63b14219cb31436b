internal import Pitch
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
/// It keeps its readings, up to 42 MB for 90 minutes or more: keep it off the audio thread.
public struct Take: Sendable {
    package let name: String
    package private(set) var finder: NoteFinder
    /// The readings with a pitch; of a take that has more than `mostReadings` every second, fourth ... one.
    package private(set) var readings: [Reading] = []
    /// The notes in the order they were played.
    package var entries: [NoteSummary.Entry] { summary.entries }
    /// The strums in the order they were played. What is heard of a pitch while they sound belongs to no note.
    package private(set) var strums: [PlayedStrum]
    /// The time of the last reading.
    public private(set) var duration = Duration.zero
    /// Where the part of the recording begins that was taken.
    package let start: Duration
    /// Notes with a vibrato, in the order they were played: all that is heard within their swing is theirs, and not a note of its own.
    package var swayingNotes: [SwayingNote] = []

    private var summary: NoteSummary
    /// How many readings had a pitch, and one of how many is kept.
    private var voicedCount = 0, step = 1

    /// 42 MB: 90 minutes with a reading every 5 ms. Statistics of every second reading are the same to a part of their
    /// standard error, because neighbours use nearly the same samples.
    package static let mostReadings = 1 << 20

    /// What the statistics and the picture need of a reading.
    package struct Reading: Sendable {
        package let time: Duration
        package let frequency: Hertz
        package let note: Note
        package let deviation: Cents
    }

    /// A stretch of a take in which the pitch sways about that of one note.
    package struct SwayingNote: Sendable {
        let start: Duration, end: Duration
        let frequency: Hertz
        /// To either side.
        let depth: Cents

        package init(start: Duration, end: Duration, frequency: Hertz, depth: Cents) {
            (self.start, self.end, self.frequency, self.depth) = (start, end, frequency, depth)
        }

        /// A vibrato that sets in late, or fades, swings twice as far as it does in the mean, and a reading scatters by some cents.
        func holds(_ frequency: Hertz) -> Bool {
            abs(Cents(from: self.frequency, to: frequency).value) <= 2 * depth.value + 10
        }
    }

    /// A take without readings, whose notes are named by these rules.
    public init(finder: NoteFinder) { self.init(name: "", finder: finder) }

    /// - Parameter strums: those of the whole recording, with no end yet.
    package init(name: String, finder: NoteFinder, start: Duration = .zero, strums: [PlayedStrum] = []) {
        (self.name, self.finder, self.start) = (name, finder, start)
        self.strums = strums.filter { $0.limit > start }
        summary = NoteSummary(finder: finder)
    }

    /// Adds the next reading.
    public mutating func add(_ note: TunedNote) {
        guard note.time >= start else { return }
        duration = note.time
        guard !isStrummed(note) else { return summary.finish() }
        summary.add(note)
        guard let pitch = note.pitch else { return }
        defer { voicedCount += 1 }
        guard voicedCount % step == 0 else { return }
        if readings.count == Self.mostReadings {
            readings = stride(from: 0, to: readings.count, by: 2).map { readings[$0] }
            step *= 2
        }
        readings.append(
            Reading(time: note.time, frequency: pitch.frequency, note: pitch.note, deviation: pitch.deviation))
    }

    /// Ends the note that sounds. Call it after the last reading.
    public mutating func finish() {
        summary.finish()
        // Only those that begin in the part of the recording that was read.
        strums.removeAll { $0.time < start || $0.time >= duration }
    }

    /// Whether a strum sounds at the time of a reading, which then lasts until there at least.
    private mutating func isStrummed(_ note: TunedNote) -> Bool {
        guard let index = strums.lastIndex(where: { $0.time <= note.time }), note.time < strums[index].limit else {
            return false
        }
        if note.reading.state != .silence { strums[index].end = note.time }
        return true
    }

    /// The same take with its notes named by other rules.
    package func renamed(by finder: NoteFinder) -> Take {
        var take = self
        take.finder = finder
        take.summary = summary.renamed(by: finder)
        take.strums = strums.map { $0.renamed(by: finder) }
        take.readings = readings.compactMap { reading in
            finder.pitch(of: reading.frequency).map {
                Reading(time: reading.time, frequency: reading.frequency, note: $0.note, deviation: $0.deviation)
            }
        }
        return take
    }

    /// The intonation of each note that lasted 0.1 s or more, from the lowest up.
    public var notes: [NoteStatistics] {
        let hop = medianHop
        var found: [Note: (frequency: Hertz, deviations: [Cents])] = [:]
        forEachSteadyReading { found[$0.note, default: ($0.frequency, [])].deviations.append($0.deviation) }
        return found.map { note, all in
            NoteStatistics(
                note: note, label: finder.pitch(of: all.frequency)?.label ?? "", duration: hop * all.deviations.count,
                deviations: all.deviations.sorted())
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
        var bySecond: [Int64: (sum: Double, count: Double)] = [:]
        forEachSteadyReading {
            let (sum, count) = bySecond[$0.time.components.seconds, default: (0, 0)]
            bySecond[$0.time.components.seconds] = (sum + $0.deviation.value, count + 1)
        }
        return Drift(
            bySecond.sorted { $0.key < $1.key }.map { second, all in
                (.seconds(second), Cents(all.sum / all.count), all.count)
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
        forEachSteadyReading { learner.hear(a4.raised(by: $0.deviation)) }
        return learner.a4
    }

    /// Calls `body` with the readings that belong to notes, without the slides between them. Those of a vibrato are of the note that
    /// they sway about.
    private func forEachSteadyReading(_ body: (Reading) -> Void) {
        var rest = entries[...]
        var swaying = swayingNotes.compactMap { note in finder.pitch(of: note.frequency).map { (note, $0) } }[...]
        for reading in readings {
            while let first = rest.first, first.end < reading.time { rest.removeFirst() }
            while let (first, _) = swaying.first, first.end < reading.time { swaying.removeFirst() }
            if let (first, center) = swaying.first, first.start <= reading.time, first.holds(reading.frequency) {
                let deviation = center.deviation + Cents(from: first.frequency, to: reading.frequency)
                // The frequency names the note.
                body(Reading(time: reading.time, frequency: first.frequency, note: center.note, deviation: deviation))
            } else if let first = rest.first, first.start <= reading.time {
                body(reading)
            }
        }
    }

    /// The median time from one reading to the next; zero for fewer than two.
    private var medianHop: Duration {
        let steps = zip(readings, readings.dropFirst()).map { $1.time - $0.time }.sorted()
        return steps.isEmpty ? .zero : steps[steps.count / 2]
    }
}
