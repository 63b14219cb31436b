// Finds the beats of a recording, and tells how steady its tempo is.
//
//     swift run BeatOfATake take.wav [about how fast, in beats per minute]
import AudioIO
@preconcurrency import Glibc
import WellTempered

func follow(_ path: String, around hint: Tempo?) throws -> TempoReport {
    var file = try AudioFileReader(path: path)
    var tracker = try TempoTracker(sampleRate: file.sampleRate, around: hint)
    var report = TempoReport(sampleRate: file.sampleRate)
    var block = [Float](repeating: 0, count: 4_096)
    while true {
        var free = block.mutableSpan
        let read = try file.read(into: &free)
        if read.isEnd { return report }
        tracker.process(block.span.extracting(first: read.count))
        while let beat = tracker.nextBeat() { report.add(beat) }
    }
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

do {
    let words = CommandLine.arguments
    guard words.count > 1 else {
        fputs("BeatOfATake take.wav [about how fast]\n", stderr)
        exit(2)
    }
    let report = try follow(words[1], around: words.count > 2 ? Tempo(parsing: words[2]) : nil)
    guard let tempo = report.beatsPerMinute, let last = report.beats.last else {
        fputs("\(words[1]): no beat\n", stderr)
        exit(1)
    }
    for beat in report.beats { print(rounded(report.seconds(beat)), beat.isHeard ? "" : "(no note)") }
    print(
        "\(report.beats.count) beats, \(rounded(tempo)) BPM, at the end \(rounded(last.tempo.beatsPerMinute)) ± "
            + "\(rounded(last.tempo.standardError))")
    if let drift = report.drift { print("drift \(rounded(drift.perMinute)) BPM in a minute") }
    if let scatter = report.scatter { print("scatter \(rounded(scatter / .milliseconds(1))) ms") }
} catch let error as any ExplainedError {
    fputs(error.message + "\n", stderr)
    exit(1)
}
