import CAllocationProbe
import Foundation
@_spi(Measurement) import Transcription
import WellTempered

/// What the segmenter heard in a melody.
struct Transcript {
    let melody: Melody
    /// The notes as they were told in the end.
    private(set) var notes: [Melody.Note] = []
    /// For each of them, when it was shown and when its key became the one it ended with, in seconds.
    private(set) var shown: [(first: Double, right: Double)] = []
    /// How many of them were shown as another key at first, and how many others were shown that turned out to be none.
    private(set) var revised = 0, withdrawn = 0
    /// How long after the beginning of a note its key or its beginning was told anew, or that it is none, in milliseconds.
    private(set) var corrections: [Double] = []
    /// The key that each was shown as at first.
    private var firstKeys: [Int] = []
    /// Seconds of a core, and those of a tempo tracker that hears the same.
    private(set) var cost = 0.0, tempoCost = 0.0
    private(set) var heapCalls = 0

    init(of melody: Melody, _ constants: SegmenterConstants) throws {
        self.melody = melody
        var segmenter = try NoteSegmenter(sampleRate: melody.rate.hertz, constants: constants)
        var tracker = try TempoTracker(sampleRate: melody.rate.hertz)
        var events: [NoteEvent] = []
        events.reserveCapacity(4_096)
        let begin = processorSeconds()
        allocation_probe_reset()
        melody.samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: 512) {
                segmenter.process(samples.extracting(start..<min(start + 512, samples.count)).span)
                while let event = segmenter.nextEvent() { events.append(event) }
            }
            segmenter.finish()
            while let event = segmenter.nextEvent() { events.append(event) }
        }
        cost = processorSeconds() - begin
        melody.samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: 512) {
                tracker.process(samples.extracting(start..<min(start + 512, samples.count)).span)
                while tracker.nextBeat() != nil {}
            }
        }
        tempoCost = processorSeconds() - begin - cost
        heapCalls = Int(allocation_probe_count())
        take(events)
    }

    private mutating func take(_ events: [NoteEvent]) {
        let rate = melody.rate
        var reports: [Int: [NoteEvent]] = [:]
        for event in events { reports[event.note.number, default: []].append(event) }
        for (_, all) in reports.sorted(by: { $0.key < $1.key }) {
            guard let last = all.last, let first = all.first else { continue }
            for (before, event) in zip(all, all.dropFirst()) {
                let isOther = event.note.note != before.note.note || event.note.start != before.note.start
                guard isOther || event.kind == .withdrawn else { continue }
                corrections.append(1_000 * (Double(event.toldAt) - last.note.start) / rate)
            }
            guard last.kind == .ended else {
                withdrawn += 1
                continue
            }
            if first.note.note != last.note.note { revised += 1 }
            firstKeys.append(first.note.note.midi)
            let right =
                all.lastIndex { $0.note.note != last.note.note }.map { all[min($0 + 1, all.count - 1)] } ?? first
            notes.append(
                Melody.Note(
                    onset: last.note.start / rate, end: last.note.end / rate,
                    key: Double(last.note.note.midi) + last.note.deviation.value / 100))
            shown.append((Double(first.toldAt) / rate, Double(right.toldAt) / rate))
        }
    }

    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lines = zip(zip(notes, shown), firstKeys).map { pair, key in
            let (note, shown) = pair
            return String(
                format: "%.6f,%.6f,%.4f,%.6f,%.6f,%d\n", note.onset, note.end, note.key, shown.first, shown.right, key)
        }
        try lines.joined().write(toFile: "\(folder)/\(melody.name).csv", atomically: false, encoding: .utf8)
    }
}

/// Of this thread.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}
