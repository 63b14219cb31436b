// Measures intonation live: one line per note with the mean and the spread of its deviation.
//
//     swift run IntonationMeter [device]
import ALSABackend
import AudioIO
@preconcurrency import Glibc
import WellTempered

/// Prints the notes of a take that lasted at least a quarter of a second; shorter ones are transitions.
func finish(_ take: inout Take) {
    take.finish()
    for note in take.notes where note.duration >= .milliseconds(250) {
        let (mean, spread) = (note.mean.value, note.spread.value)
        print(note.label, (mean * 10).rounded() / 10, "±", (spread * 10).rounded() / 10, "cents")
        fflush(nil)  // also into a pipe
    }
}

func listen(to device: String) throws {
    var stream = try CaptureStream(.capture(device: device))
    guard var samples = stream.takeSamples() else { return }
    var engine = try TunerEngine(sampleRate: stream.format.sampleRate)
    var block = [Float](repeating: 0, count: 1_024)
    let finder = NoteFinder(tuning: try Tuning())
    var (take, sounding) = (Take(finder: finder), nil as Note?)
    while true {
        var free = block.mutableSpan
        let count = try samples.read(into: &free).count  // waits for sound
        if count == 0 { break }
        engine.process(block.span.extracting(first: count))
        while let reading = engine.nextReading() {
            let note = TunedNote(reading, sampleRate: stream.format.sampleRate, finder: finder)
            if let new = note.pitch?.note, new != sounding {
                finish(&take)
                (take, sounding) = (Take(finder: finder), new)
            }
            take.add(note)
        }
    }
    finish(&take)
}

do {
    try listen(to: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "default")
} catch let error as any ExplainedError {
    fputs(error.message + "\n", stderr)
    exit(1)
}
