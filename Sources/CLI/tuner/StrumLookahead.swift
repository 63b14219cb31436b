import Configuration
import Intonation
import Music
import Pitch
import Strum

/// The strums of a recording whose readings wait until it is known whether they are those of a strum.
struct StrumLookahead: ~Copyable {
    private let strings: StrummedStrings
    private let finder: NoteFinder
    private let tolerance: Cents
    private var engine: StrumEngine?
    private var clock: SampleClock?
    /// Samples before the engine was reset last.
    private var origin: Int64 = 0
    /// Samples that it has heard.
    private var frames: Int64 = 0
    /// The sounds that have begun and whose readings have not been returned yet.
    private var sounds: [TunedStrum] = []
    private var readings: [PitchReading] = []
    /// How many of `readings` have been returned.
    private var returned = 0
    /// Whether no reading has to wait any more.
    private var isOver = false

    /// How long a reading waits. A strum in a tuning that nobody has named is told 1.1 seconds after it.
    private static let delay = Duration.milliseconds(1_500)

    /// - Returns: `nil` where strums are not looked for.
    init?(_ finder: NoteFinder, others: [StringTuning], tolerance: Cents) {
        guard finder.seeksStrums, let strings = try? StrummedStrings(finder, others: others) else { return nil }
        (self.strings, self.finder, self.tolerance) = (strings, finder, tolerance)
    }

    /// Takes in the next block, after `gap` if samples before it are missing.
    mutating func process(_ samples: Span<Float>, clock: SampleClock, followsGap: Bool) {
        if self.clock == nil {
            self.clock = clock
            do throws(StrumError) {
                engine = try strings.engine(sampleRate: clock.nominalRate)
            } catch {
                // A sample rate at which strums cannot be measured.
                isOver = true
            }
        }
        guard var engine = engine.take() else { return }
        if followsGap {
            engine.reset()
            origin = frames
        }
        engine.process(samples)
        frames += Int64(samples.count)
        while let picture = engine.refine() {
            let heard = HeardStrum(picture, of: engine, origin: origin)
            guard let sound = TunedStrum(heard, of: strings, clock: clock, finder: finder, tolerance: tolerance) else {
                continue
            }
            if sounds.last?.time == sound.time { sounds.removeLast() }
            sounds.append(sound)
        }
        self.engine = consume engine
    }

    /// Adds a reading, which counts its frames from the start of the stream.
    mutating func add(_ reading: PitchReading) { readings.append(reading) }

    /// The next reading that need not wait any longer, and the sound that it is of.
    mutating func next() -> (reading: PitchReading, sound: TunedStrum?)? {
        guard returned < readings.count, let clock else { return nil }
        let time = clock.time(ofFrame: readings[returned].frame)
        guard isOver || time + Self.delay <= clock.time(ofFrame: frames) else { return nil }
        defer { returned += 1 }
        if returned > 1_000 {
            readings.removeFirst(returned)
            returned = 0
        }
        // All but the last sound that has begun by then.
        while sounds.count > 1, sounds[1].time <= time { sounds.removeFirst() }
        return (readings[returned], sounds.first.flatMap { $0.time <= time ? $0 : nil })
    }

    /// Lets all readings go: no more samples come.
    mutating func finish() { isOver = true }

    /// Whether readings still wait.
    var hasReadings: Bool { returned < readings.count }
}
