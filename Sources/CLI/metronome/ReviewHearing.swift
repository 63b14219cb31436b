internal import Music
internal import Rhythm
internal import Timebase

/// The listening engine on a recording: it is given the strokes of the plan in time, and what it tells is collected.
struct ReviewHearing: ~Copyable {
    private(set) var report = PlayingReport()
    /// How many notes were heard in the count-in.
    private(set) var countInNotes = 0
    /// How many notes were heard before the plan or after its end.
    var notesOutside: Int { engine.notesOutside }
    private var engine: ListeningEngine
    private let strokes: [BeatEvent]
    private var next = 0
    /// Frames of the plan in a sample of the recording, and the place of the plan's first frame in samples.
    private let pace: Double, start: Double

    init(engine: consuming ListeningEngine, strokes: [BeatEvent], pace: Double, start: Double) {
        self.engine = engine
        (self.strokes, self.pace, self.start) = (strokes, pace, start)
    }

    /// Learns the clicks in the samples from a place of the recording on, before any are processed.
    mutating func learn(_ samples: borrowing Span<Float>, at place: Int) {
        while let stroke = nextStroke(before: place + samples.count) { engine.expectToLearn(stroke) }
        engine.learn(samples, at: frame(place), framesPerSample: pace)
    }

    /// Begins to process after all was learnt.
    mutating func beginAgain() {
        engine.beginAgain()
        next = 0
    }

    private func frame(_ sample: Int) -> Double { (Double(sample) - start) * pace }

    /// The next stroke that is to be given to the engine: two seconds ahead, so that each note has a beat on both sides.
    private mutating func nextStroke(before sample: Int) -> BeatEvent? {
        guard next < strokes.count, Double(strokes[next].frame) < frame(sample) + 2 * engine.sampleRate.value else {
            return nil
        }
        next += 1
        return strokes[next - 1]
    }

    /// Processes the samples from a place of the recording on.
    mutating func hear(_ samples: borrowing Span<Float>, at place: Int) {
        while let stroke = nextStroke(before: place + samples.count) { engine.expect(stroke) }
        engine.process(samples, at: frame(place), framesPerSample: pace)
        while let note = engine.nextNote() {
            if note.point.isCountIn { countInNotes += 1 }
            report.add(note)
        }
        while let point = engine.nextPoint() { report.add(point) }
    }
}
