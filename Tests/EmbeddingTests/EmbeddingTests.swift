import CAllocationProbe
import CWellTempered
import EmbeddingC
import TestSignals
import Testing

// What a C program sees is tried from C, under memory checkers (Tests/Rigs/c-library.sh); here is what only a test in
// the process can see.
@Suite struct EmbeddingTests {
    @Test func `A thousand blocks through the C functions make no heap call`() throws {
        let tuner = try #require(wt_tuner_create(48_000, nil))
        let metronome = try #require(wt_metronome_create(48_000, "133.7", "3+2+2", nil))
        defer {
            wt_tuner_destroy(tuner)
            wt_metronome_destroy(metronome)
        }
        let tone = sine(frequency: 196, sampleRate: 48_000, count: 256)
        var frames = [Float](repeating: 0, count: 256)
        var (reading, beat) = (wt_reading(), wt_beat())
        var (readings, beats) = (0, 0)
        allocation_probe_reset()
        for _ in 0..<1_000 {
            wt_tuner_process(tuner, tone, UInt(tone.count))
            while wt_tuner_next(tuner, &reading) { readings += 1 }
            wt_metronome_render(metronome, &frames, UInt(frames.count))
            while wt_metronome_next_beat(metronome, &beat) { beats += 1 }
        }
        // An optimised build would free them as soon as they are used for the last time.
        let calls = withExtendedLifetime((tone, frames)) { allocation_probe_count() }
        allocation_probe_reset()
        let control = [Float](repeating: 0, count: Int.random(in: 9...10))
        let seen = allocation_probe_count()
        #expect(readings == 1_000 && beats == 12, "133.7 beats a minute for 5.33 s")
        #expect(calls <= 0 && (seen > 0 || seen == -1) && !control.isEmpty)
    }

    @Test func `A message longer than its place is cut after a whole character`() throws {
        var error = wt_error()
        #expect(wt_metronome_create(48_000, String(repeating: "é", count: 500), "4", &error) == nil)
        let message = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        #expect(error.status == Int32(WT_INVALID_ARGUMENT.rawValue))
        #expect(message.hasPrefix("'éé") && !message.contains("\u{fffd}"))
        #expect(message.utf8.count < 256)
    }
}
