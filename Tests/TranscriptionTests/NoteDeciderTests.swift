import Music
import Pitch
import Testing

@testable import Rhythm
@_spi(Measurement) @testable import Transcription

@Suite struct NoteDeciderTests {
    private let rate = 48_000.0, hop = 256, level = -20.0

    /// Under a note that rings an onset is told up to 0.12 s after it.
    @Test(arguments: [0.02, 0.06, 0.1, 0.12])
    func `A note whose onset is told late is as loud as what is heard`(delay: Double) throws {
        var decider = NoteDecider(
            sampleRate: rate.hertz, hop: hop, reference: .standard, constants: SegmenterConstants())
        let start = 0.5
        var isTold = false
        for count in 1...Int(rate / Double(hop)) {
            let frame = Int64(count * hop)
            let time = Double(frame) / rate
            if !isTold, time >= start + delay {
                var onset = Onset()
                (onset.frame, onset.strength, onset.toldAt) = (start * rate, 1, frame)
                decider.hear(onset)
                isTold = true
            }
            var reading = PitchReading(frame: frame, state: .voiced, level: Decibels(level))
            reading.frequency = Hertz(KeyScale.frequency(isTold ? 64 : 60))
            (reading.standardError, reading.window) = (Cents(2), 1_024)
            decider.hear(reading)
        }
        decider.finish()
        var notes: [TranscribedNote] = []
        while let event = decider.nextEvent() { if event.kind == .ended { notes.append(event.note) } }
        #expect(notes.map(\.note.midi) == [60, 64])
        // The mean of equal powers.
        for note in notes { #expect(abs(note.level.value - level) < 0.01, "\(note)") }
    }
}
