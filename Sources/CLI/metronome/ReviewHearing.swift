internal import Music
internal import Rhythm
internal import Timebase

/// The listening engine on a recording: it is given the strokes of the plan in time, and what it tells is collected.
struct ReviewHearing: ~Copyable {
    private(set) var report = PlayingReport()
    private var engine: ListeningEngine
    private let strokes: [BeatEvent]
    private var next = 0
    /// Frames of the plan in a sample of the recording, and the place of the plan's first frame in samples.
    private let pace: Double, start: Double

    init(engine: consuming ListeningEngine, strokes: [BeatEvent], pace: Double, start: Double) {
        self.engine = engine
        (self.strokes, self.pace, self.start) = (strokes, pace, start)
    }

    /// Processes the samples from a place of the recording on.
    mutating func hear(_ samples: borrowing Span<Float>, at place: Int) {
        func frame(_ sample: Int) -> Double { (Double(sample) - start) * pace }
        // Two seconds ahead, so that each note has a beat on both sides.
        let end = frame(place + samples.count) + 2 * engine.sampleRate.value
        while next < strokes.count, Double(strokes[next].frame) < end {
            engine.expect(strokes[next])
            next += 1
        }
        engine.process(samples, at: frame(place), framesPerSample: pace)
        while let note = engine.nextNote() { report.add(note) }
        while let point = engine.nextPoint() { report.add(point) }
    }
}
