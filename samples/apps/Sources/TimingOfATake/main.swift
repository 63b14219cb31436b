// Tells how a recorded player kept time to a metronome that is not in the recording.
//
//     swift run TimingOfATake take.wav 112 [seconds to the first beat]
import AudioIO
@preconcurrency import Glibc
import WellTempered

func review(_ path: String, tempo: Tempo, firstBeat: Double) throws -> PlayingReport {
    var file = try AudioFileReader(path: path)
    var strokes = try PlanStrokes(PracticePlan(tempo: tempo), sampleRate: file.sampleRate)
    var engine = try ListeningEngine(sampleRate: file.sampleRate)
    var report = PlayingReport()
    var block = [Float](repeating: 0, count: 4_096)
    let start = firstBeat * file.sampleRate.value
    var expected: Int64 = -1
    while true {
        // The metronome's frame 0 is the first beat: the recording begins that much before it.
        let position = Double(file.readFrames) - start
        // Two seconds ahead, so that each note has a beat on both sides.
        while expected < Int64(position + 2 * file.sampleRate.value), let stroke = strokes.next() {
            engine.expect(stroke)
            expected = stroke.frame
        }
        var free = block.mutableSpan
        let read = try file.read(into: &free)
        if read.isEnd { break }
        engine.process(block.span.extracting(first: read.count), at: position)
        while let note = engine.nextNote() { report.add(note) }
        while let point = engine.nextPoint() { report.add(point) }
    }
    // Half a second of silence, so that the last note is told.
    let silence = [Float](repeating: 0, count: Int(file.sampleRate.value / 2))
    engine.process(silence.span, at: Double(file.readFrames) - start)
    while let note = engine.nextNote() { report.add(note) }
    return report
}

func milliseconds(_ time: Duration) -> Double { (time / .milliseconds(0.1)).rounded() / 10 }

do {
    let words = CommandLine.arguments
    guard words.count > 2 else {
        fputs("TimingOfATake take.wav 112 [seconds to the first beat]\n", stderr)
        exit(2)
    }
    let report = try review(
        words[1], tempo: Tempo(parsing: words[2]), firstBeat: words.count > 3 ? Double(words[3]) ?? 0 : 0)
    guard let timing = report.timing else {
        fputs("\(words[1]): no note is near a beat\n", stderr)
        exit(1)
    }
    print(
        "\(timing.count) notes, mean \(milliseconds(timing.mean)) ms, spread \(milliseconds(timing.spread ?? .zero)) ms"
    )
    for position in report.positions {
        print("beat \(position.position.beat): \(milliseconds(position.timing?.mean ?? .zero)) ms")
    }
} catch let error as any ExplainedError {
    fputs(error.message + "\n", stderr)
    exit(1)
}
