// Writes down the notes of a melody as they are found.
//
//     swift run NotesOfATake take.wav
import AudioIO
@preconcurrency import Glibc
import WellTempered

func printNotes(of path: String) throws {
    var file = try AudioFileReader(path: path)
    // The same segmenter works in an audio callback: it never allocates, locks or waits.
    var segmenter = try NoteSegmenter(sampleRate: file.sampleRate)
    let rate = file.sampleRate.value
    var block = [Float](repeating: 0, count: 4_096)
    var isOver = false
    while !isOver {
        var free = block.mutableSpan
        let read = try file.read(into: &free)
        isOver = read.isEnd
        if isOver {
            segmenter.finish()
        } else {
            segmenter.process(block.span.extracting(first: read.count))
        }
        while let event = segmenter.nextEvent() {
            // A display would also show `began`, within 80 ms of the onset, and take over what is `corrected`.
            guard event.kind == .ended else { continue }
            let note = event.note
            let (start, end) = (rounded(note.start / rate), rounded(note.end / rate))
            var line =
                "\(note.note) \(rounded(note.deviation.value)) cents, \(start) to \(end) s, velocity \(note.velocity)"
            if note.vibratoDepth > 0.cents { line += ", vibrato \(rounded(note.vibratoRate.value)) Hz" }
            print(line)
        }
    }
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

guard CommandLine.arguments.count > 1 else {
    fputs("NotesOfATake take.wav\n", stderr)
    exit(2)
}
do {
    try printNotes(of: CommandLine.arguments[1])
} catch let error as any ExplainedError {
    fputs(error.message + "\n", stderr)
    exit(1)
}
