// Prints the pitch of a recording: the median of its readings.
//
//     swift run PitchOfAFile ../guitar-a4.flac
import AudioIO
@preconcurrency import Glibc
import WellTempered

/// The median frequency of the file's readings; `nil` if none has a pitch.
func pitch(of path: String) throws -> Hertz? {
    var file = try AudioFileReader(path: path)
    var engine = try TunerEngine(sampleRate: file.sampleRate)
    var block = [Float](repeating: 0, count: 4_096)
    var found: [Hertz] = []
    while true {
        var free = block.mutableSpan
        let count = try file.read(into: &free).count
        if count == 0 { break }
        engine.process(block.span.extracting(first: count))
        while let reading = engine.nextReading() {
            if reading.state == .voiced { found.append(reading.frequency) }
        }
    }
    return found.isEmpty ? nil : found.sorted()[found.count / 2]
}

if CommandLine.arguments.count < 2 {
    fputs("usage: PitchOfAFile FILE...\n", stderr)
    exit(2)
}
for path in CommandLine.arguments.dropFirst() {
    do {
        if let frequency = try pitch(of: path),
            let (note, deviation) = ReferencePitch.standard.nearestNote(to: frequency)
        {
            print(
                path, note, (deviation.value * 10).rounded() / 10, "cents,", (frequency.value * 100).rounded() / 100,
                "Hz")
        } else {
            print(path, "has no pitch")
        }
    } catch let error as AudioError {
        fputs(error.message + "\n", stderr)
        exit(error.exitStatus)
    }
}
