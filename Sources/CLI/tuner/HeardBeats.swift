import Intonation
import Music
import Rhythm
import Timebase

/// The beats of a melody whose tempo is not given.
struct HeardBeats: ~Copyable {
    private var tracker: TempoTracker
    private let clock: SampleClock
    /// Samples before the tracker was reset last.
    private var origin: Int64 = 0
    private(set) var report: TempoReport

    /// The most beats that are kept: 14 hours at 600 a minute.
    private static let most = 1 << 19

    init(clock: SampleClock, around: Tempo?) throws(OnsetError) {
        tracker = try TempoTracker(sampleRate: clock.nominalRate, around: around)
        self.clock = clock
        report = TempoReport(sampleRate: clock.trueRate)
    }

    mutating func hear(_ samples: borrowing Span<Float>) {
        tracker.process(samples)
        while var beat = tracker.nextBeat() {
            beat.frame += Double(origin)
            // After a gap in the sound the times still rise.
            guard report.beats.count < Self.most, report.beats.last.map({ $0.frame < beat.frame }) ?? true
            else { continue }
            report.add(beat)
        }
    }

    /// The tracker starts again, so many samples after the start of the stream.
    mutating func begin(at frame: Int64) {
        tracker.reset()
        origin = frame
    }
}
