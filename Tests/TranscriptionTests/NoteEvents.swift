import Music
import Transcription

/// What a segmenter tells of samples at 48 kHz that come in blocks of this size.
func noteEvents(_ samples: [Float], block: Int, reference: ReferencePitch = .standard) throws -> [NoteEvent] {
    var segmenter = try NoteSegmenter(sampleRate: 48.kilohertz, reference: reference)
    var events: [NoteEvent] = []
    for start in stride(from: 0, to: samples.count, by: block) {
        segmenter.process(Array(samples[start..<min(start + block, samples.count)]).span)
        while let event = segmenter.nextEvent() { events.append(event) }
    }
    segmenter.finish()
    while let event = segmenter.nextEvent() { events.append(event) }
    return events
}

/// The notes that have ended.
func endedNotes(_ samples: [Float], reference: ReferencePitch = .standard) throws -> [TranscribedNote] {
    try noteEvents(samples, block: 1_024, reference: reference).filter { $0.kind == .ended }.map(\.note)
}
