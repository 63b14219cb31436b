import Intonation
import Music
import Rhythm
import Timebase

/// The beats of a melody, for a score whose tempo is not given.
struct HeardBeats: ~Copyable {
    private var tracker: TempoTracker
    private let clock: SampleClock
    /// Samples before the tracker was reset last.
    private var origin: Int64 = 0
    private(set) var times: [Duration] = []

    /// The most beats that are kept: 14 hours at 600 a minute.
    private static let most = 1 << 19

    init(clock: SampleClock, around: Tempo?) throws(OnsetError) {
        tracker = try TempoTracker(sampleRate: clock.nominalRate, around: around)
        self.clock = clock
    }

    mutating func hear(_ samples: borrowing Span<Float>) {
        tracker.process(samples)
        while let beat = tracker.nextBeat() {
            let time = Duration.seconds((beat.frame + Double(origin)) / clock.trueRate.value)
            // After a gap in the sound the times still rise.
            if times.count < Self.most, times.last.map({ $0 < time }) ?? true { times.append(time) }
        }
    }

    /// The tracker starts again, so many samples after the start of the stream.
    mutating func begin(at frame: Int64) {
        tracker.reset()
        origin = frame
    }
}
