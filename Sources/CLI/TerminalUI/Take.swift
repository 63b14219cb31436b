internal import FoundationEssentials
public import Music

/// A whole recording summed up: its notes, how far off each was, how that drifted, and the A4 that it hangs from.
public struct Take: Sendable {
    /// The intonation of all moments of one note.
    public struct NoteStatistics: Sendable {
        /// The note.
        public let note: Note
        /// Its name with the octave.
        public let label: String
        /// Seconds that it sounded.
        public let seconds: Double
        /// Cents off, in rising order, one for each reading.
        public let deviations: [Double]
        /// Their mean.
        public var mean: Double { deviations.reduce(0, +) / Double(deviations.count) }
        /// Their standard deviation.
        public var spread: Double {
            let mean = mean
            return (deviations.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(deviations.count)).squareRoot()
        }
        /// The value below which so much of them lies, 0 to 1.
        public func quantile(_ share: Double) -> Double {
            let place = share * Double(deviations.count - 1)
            let low = Int(place)
            let high = min(low + 1, deviations.count - 1)
            return deviations[low] + (deviations[high] - deviations[low]) * (place - Double(low))
        }
    }

    /// What it is called.
    public let name: String
    /// The rules by which its notes were found.
    public let finder: NoteFinder
    /// Every reading with a pitch.
    public private(set) var readings: [TunedNote] = []
    /// Its notes one after another.
    public var entries: [NoteSummary.Entry] { summary.entries }
    /// Seconds to its last reading.
    public private(set) var seconds = 0.0

    private var summary: NoteSummary

    /// An empty take.
    public init(name: String, finder: NoteFinder) {
        self.name = name
        self.finder = finder
        summary = NoteSummary(finder: finder)
    }

    /// Takes the next reading.
    public mutating func add(_ reading: TunedNote) {
        seconds = reading.seconds
        summary.add(reading)
        if reading.pitch != nil { readings.append(reading) }
    }

    /// Ends the take.
    public mutating func finish() { summary.finish() }

    /// The same take with its notes found by other rules.
    public func renamed(by finder: NoteFinder) -> Take {
        var take = Take(name: name, finder: finder)
        var plain = finder
        plain.clockError = 0
        for reading in readings { take.add(TunedNote(reading, renamedBy: plain)) }
        take.seconds = seconds
        take.finish()
        return take
    }

    /// The readings that belong to notes, not to the slides between them.
    private var steady: [TunedNote] {
        var steady: [TunedNote] = []
        var rest = entries[...]
        for reading in readings {
            while let first = rest.first, first.end < reading.seconds { rest.removeFirst() }
            if let first = rest.first, first.start <= reading.seconds { steady.append(reading) }
        }
        return steady
    }

    /// Intonation by note, from the lowest up.
    public var notes: [NoteStatistics] {
        let hop = readings.count > 1 ? medianStep : 0
        return Dictionary(grouping: steady.compactMap(\.pitch), by: \.note).map { note, pitches in
            NoteStatistics(
                note: note, label: pitches[0].label, seconds: Double(pitches.count) * hop,
                deviations: pitches.map(\.deviation.value).sorted())
        }.filter { $0.seconds >= NoteSummary.shortestNote }.sorted { $0.note < $1.note }
    }

    /// How the deviation changed over the take: notes against time, or the seconds of a take that has one or two.
    public var drift: Drift? {
        guard seconds >= 5 else { return nil }
        if entries.count > 2 {
            return Drift(
                entries.map { (($0.start + $0.end) / 2, $0.deviation.value, $0.end - $0.start) })
        }
        let bySecond = Dictionary(grouping: steady) { Int($0.seconds) }
        return Drift(
            bySecond.map { second, readings in
                let cents = readings.reduce(0) { $0 + ($1.pitch?.deviation.value ?? 0) } / Double(readings.count)
                return (Double(second), cents, Double(readings.count))
            })
    }

    /// The A4 that fits best; `nil` where the notes do not agree on one.
    public var bestA4: Hertz? {
        // Offsets of the temperament are taken off first: what counts is how far each note is from where it belongs.
        var learner = ReferenceLearner()
        for reading in steady {
            guard let pitch = reading.pitch else { continue }
            learner.hear(440.0.hertz.raised(by: Cents(reference(of: pitch))))
        }
        return learner.a4
    }

    /// Cents that the note's own place adds to 440 Hz, and its deviation.
    private func reference(of pitch: TunedNote.Pitch) -> Double {
        let a4 = finder.tuning.target(for: Note(midi: 69))?.frequency ?? 440.0.hertz
        return Cents(from: 440.0.hertz, to: a4).value + pitch.deviation.value
    }

    private var medianStep: Double {
        let steps = zip(readings, readings.dropFirst()).map { $1.seconds - $0.seconds }.sorted()
        return steps[steps.count / 2]
    }

    // MARK: In words

    /// The summary as a text of some lines.
    public var text: String {
        var text = "\(withoutControls(name))  \(fixedPoint(seconds, decimals: 1)) s\n"
        guard !entries.isEmpty else { return text + "  no steady note\n" }
        text += "\n     start  note     cents   steady        Hz   length\n"
        for entry in entries { text += "  " + NoteSummary.line(entry) + "\n" }
        text += "\n  note   seconds    mean  spread   from      to\n"
        for note in notes {
            let name = note.label + String(repeating: " ", count: max(0, 6 - displayWidth(of: note.label)))
            text += "  \(name)" + padded(fixedPoint(note.seconds, decimals: 2), to: 8)
            text += padded(fixedPoint(note.mean, decimals: 1, signed: true), to: 8)
            text += padded(fixedPoint(note.spread, decimals: 1), to: 8)
            text += padded(fixedPoint(note.quantile(0.05), decimals: 1, signed: true), to: 8)
            text += padded(fixedPoint(note.quantile(0.95), decimals: 1, signed: true), to: 8) + "\n"
        }
        if let drift { text += "\n  " + drift.text }
        if let bestA4 { text += "\n  A4 that fits best " + fixedPoint(bestA4.value, decimals: 2) + " Hz" }
        return text + "\n"
    }

    /// The summary as one JSON object (RFC 8259).
    public var json: String {
        func quoted(_ text: String) -> String { ReadingFormat.quoted(text) }
        let notes = notes.map { note in
            "{\"note\":\(quoted(note.label)),\"midi\":\(note.note.midi),\"seconds\":\(fixedPoint(note.seconds, decimals: 3)),"
                + "\"mean_cents\":\(fixedPoint(note.mean, decimals: 3)),\"sd_cents\":\(fixedPoint(note.spread, decimals: 3))}"
        }
        let played = entries.map { entry in
            "{\"note\":\(quoted(entry.label)),\"start_s\":\(fixedPoint(entry.start, decimals: 3)),"
                + "\"end_s\":\(fixedPoint(entry.end, decimals: 3)),\"cents\":\(fixedPoint(entry.deviation.value, decimals: 3)),"
                + "\"hz\":\(fixedPoint(entry.frequency.value, decimals: 4))}"
        }
        let drift = drift
        let slope = drift.map { fixedPoint($0.centsPerMinute, decimals: 3) } ?? "null"
        let error = drift.map { fixedPoint($0.standardError, decimals: 3) } ?? "null"
        let a4 = bestA4.map { fixedPoint($0.value, decimals: 3) } ?? "null"
        return "{\"file\":\(quoted(name)),\"seconds\":\(fixedPoint(seconds, decimals: 3)),"
            + "\"notes\":[\(notes.joined(separator: ","))],\"played\":[\(played.joined(separator: ","))],"
            + "\"drift_cents_per_minute\":\(slope),\"drift_standard_error\":\(error),\"best_a4_hz\":\(a4)}"
    }
}
