import Intonation
import Music
import Pitch
import TestSignals
import TunerEngine

/// The tuner's engine for weeks: each minute has a note, a fault and silence, and every sample goes through the engine.
final class TunerSoak: SoakPart {
    private static let rate = 48_000
    /// 50 ms, the longest there is: the silence of a month is analysed in minutes.
    private static let hop = 2_400
    private static let hertz = [55, 110, 146.83, 196, 246.94, 329.63, 440, 987.77]
    /// 26 hours, until the engine has counted more than 2^32 samples: it is not reset before.
    private static let untouched = 26 * 60

    private var engine: TunerEngine
    private var random = SeededGenerator(seed: 20)
    private let notes: [[Float]]
    private let silence = [Float](repeating: 0, count: 4_800)
    private var garbage: [Float]
    /// Samples given to the engine, in all and before its last reset; readings since then.
    private var (samples, origin, taken) = (Int64(0), Int64(0), Int64(0))
    private var (readings, expectedBefore, voiced, missingNotes, resets) = (0, 0, 0, 0, 0)
    private var (worstFrame, worstCents, notFinite) = (Int64(0), 0.0, 0)

    init() throws {
        engine = try TunerEngine(sampleRate: Self.rate.hertz, hop: Self.hop)
        var random = SeededGenerator(seed: 21)
        notes = Self.hertz.map {
            harmonicTone(
                frequency: $0, sampleRate: Double(Self.rate), count: Self.rate, partials: 12, attack: 0.005,
                using: &random)
        }
        garbage = (0..<12_000).map { _ in
            Float(bitPattern: UInt32(truncatingIfNeeded: UInt64.random(in: 0...UInt64.max, using: &random)))
        }
    }

    var title: String {
        "tuner: the engine at 48 kHz with a reading every 50 ms; every sample is analysed, one second of each minute is a note"
    }

    func runMinute(_ number: Int) {
        let end = samples + Int64(60 * Self.rate)
        var clock = SampleClock(nominalRate: Self.rate.hertz)
        switch number % 6 {
        case 0: break
        case 1: feed(silence, atMost: 7)  // Short reads.
        case 2: feed(garbage, atMost: 500)  // Any bits: not numbers, infinities, 10^38.
        case 3: loseDevice(after: number)
        case 4: feed([Float](repeating: 1, count: 2_400) + [Float](repeating: -1, count: 2_400), atMost: 4_096)
        default: clock = SampleClock(nominalRate: Self.rate.hertz, error: 500.ppm)
        }
        for _ in 0..<10 { feed(silence, atMost: 4_800) }
        play(number, clock)
        while samples < end { feed(silence, atMost: Int(min(4_800, end - samples))) }
    }

    var counters: [(name: String, value: String)] {
        [
            ("samples", "\(samples), of which \(samples - origin) since the last reset"),
            ("readings expected", "\(expected)"), ("readings told", "\(readings)"),
            ("readings dropped", "\(engine.droppedReadings)"), ("worst frame error", "\(worstFrame) frames"),
            ("with a pitch", "\(voiced)"), ("notes not heard", "\(missingNotes)"),
            ("worst deviation", "\((worstCents * 10_000).rounded() / 10_000) cents at the end of a note"),
            ("resets", "\(resets), where the device came back; none in the first 26 hours"),
            ("not finite", "\(notFinite)"),
        ]
    }

    /// One for each whole hop, before and after a reset.
    private var expected: Int { expectedBefore + Int((samples - origin) / Int64(Self.hop)) }

    var complaints: [String] {
        var all: [String] = []
        if readings != expected || worstFrame != 0 || engine.droppedReadings != 0 { all.append("readings are missing") }
        if missingNotes != 0 { all.append("a note was not heard") }
        // A tone of a second without noise is told to better than a hundredth of a cent.
        if worstCents > 0.01 { all.append("a note is off") }
        if notFinite != 0 { all.append("a reading is not finite") }
        return all
    }
}

extension TunerSoak {
    /// Gives samples to the engine in blocks of random sizes.
    private func feed(_ block: [Float], atMost size: Int, _ hear: (PitchReading) -> Void = { _ in }) {
        var index = 0
        // A whole block of silence is one call.
        while index < block.count {
            let count = min(block.count - index, size < 4_800 ? Int.random(in: 1...size, using: &random) : size)
            engine.process(block.span.extracting(index..<(index + count)))
            index += count
            samples += Int64(count)
            while let reading = engine.nextReading() { take(reading, hear) }
        }
    }

    private func take(_ reading: PitchReading, _ hear: (PitchReading) -> Void) {
        readings += 1
        taken += 1
        worstFrame = max(worstFrame, abs(reading.frame - taken * Int64(Self.hop)))
        voiced += reading.state == .voiced ? 1 : 0
        let isFinite =
            reading.frequency.value.isFinite && reading.clarity.isFinite && reading.standardError.value.isFinite
        notFinite += isFinite ? 0 : 1
        hear(reading)
    }

    /// One second of a note; its last reading tells the pitch.
    private func play(_ number: Int, _ clock: SampleClock) {
        let which = number % Self.hertz.count
        var last: PitchReading?
        feed(notes[which], atMost: 4_096) { if $0.state == .voiced { last = $0 } }
        guard let last else {
            missingNotes += 1
            return
        }
        // A card that is fast by 500 ppm hears a tone that is as much sharper as one that is true to its label.
        let truth = Self.hertz[which] * clock.error.ratio
        worstCents = max(worstCents, abs(Cents(from: truth.hertz, to: clock.corrected(last).frequency).value))
    }

    /// What the command does when samples are missing.
    private func loseDevice(after minute: Int) {
        guard minute > Self.untouched else { return }
        engine.reset()
        expectedBefore = expected
        (origin, taken) = (samples, 0)
        resets += 1
    }
}
