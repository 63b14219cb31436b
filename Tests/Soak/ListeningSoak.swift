import MetronomeEngine
import Music
import Rhythm
import Synthesis
import TestSignals
import Timebase

/// `metronome --listen` for a week: four seconds of each minute are heard, the microphone is away for the rest.
final class ListeningSoak: SoakPart {
    private static let rate = 48_000
    private static let heard = 4 * rate
    /// Beats at 120 per minute that are played in four seconds, without the first and the last, which a break cuts.
    private static let played = 1...6
    private static let delay = 144

    private var engine: ListeningEngine
    private var strokes: PlanStrokes
    private var next: BeatEvent?
    /// Keeps fewer notes than usual, so that it is full before memory is compared.
    private var report = PlayingReport(keeping: 256)
    private var random = SeededGenerator(seed: 22)
    /// What the microphone hears, in some versions, and how late each note is in it, in seconds.
    private var takes: [(samples: [Float], late: [Double])] = []
    private let start: Int64
    private var (minutes, expected, found, extra, points) = (0, 0, 0, 0, 0)
    /// How far notes are from where they were played, in seconds, and how many there are: of the first minutes and of the newest.
    private var first = [(sum: Double, count: Int)](repeating: (0, 0), count: ListeningSoak.compared)
    private var newest = [(sum: Double, count: Int)](repeating: (0, 0), count: ListeningSoak.compared)
    /// Minutes: each kind of fault and each take several times.
    private static let compared = 60
    private var samples: Int64 = 0

    /// - Parameter bar: where the metronome begins; a bar has 96,000 frames.
    init(fromBar bar: Int64 = 1) throws {
        var plan = try PracticePlan(tempo: Tempo(120), meter: Meter(4, 4))
        if bar > 1 { plan.entryBar = bar }
        let strokes = try PlanStrokes(plan, sampleRate: Self.rate.hertz)
        let engine = try ListeningEngine(
            sampleRate: Self.rate.hertz, clicks: PlayedClicks([.voice(.woodBlock)], sampleRate: Self.rate.hertz))
        var metronome = try Metronome(plan, sampleRate: Self.rate.hertz)
        var clicks = [Float](repeating: 0, count: Self.heard)
        var span = clicks.mutableSpan
        metronome.engine.render(into: &span)
        self.strokes = strokes
        self.engine = engine
        next = self.strokes.next()
        start = next?.frame ?? 0
        for take in 0..<5 {
            var samples = whiteNoise(count: Self.heard, rms: 3e-4, using: &random)
            for n in Self.delay..<Self.heard { samples[n] += 0.2 * clicks[n - Self.delay] }
            // The first has clicks alone: the canceller learns them in the count-in.
            let late = take == 0 ? [] : Self.played.map { _ in 0.01 + 0.004 * random.normal() }
            let instants = zip(Self.played, late).map { Double($0 * Self.rate / 2) + $1 * Double(Self.rate) }
            addPlucks(at: instants, to: &samples, sampleRate: Double(Self.rate), using: &random)
            takes.append((samples, late))
        }
    }
}

extension ListeningSoak {
    var title: String {
        "metronome --listen: the listening engine at 48 kHz from frame \(start) on; 4 s of each minute are heard, with clicks and "
            + "6 notes; for 56 s the microphone is away, and time goes on"
    }

    func runMinute(_ number: Int) {
        let begin = start + Int64(number) * 60 * Int64(Self.rate)
        let take = takes[number == 0 ? 0 : 1 + number % (takes.count - 1)]
        // Minute 1 of 5: a millisecond more on the way to the microphone.
        let shift = number % 5 == 1 ? 0.001 : 0
        let size = number % 5 == 2 ? 16 : 4_096
        var index = 0
        while index < take.samples.count {
            let count = min(take.samples.count - index, Int.random(in: 1...size, using: &random))
            expect(before: begin + Int64(index + count + Self.rate))
            engine.process(
                take.samples.span.extracting(index..<(index + count)),
                at: Double(begin) + Double(index) + shift * Double(Self.rate))
            index += count
            hear(take.late, from: begin, shift: shift)
        }
        samples += Int64(index)
        expected += take.late.count
        // Any bits; or a clock that goes back by a tenth of a second.
        let later = Double(begin + Int64(Self.heard))
        if number % 5 == 3 { feed(garbage(), at: later) }
        if number % 5 == 4 { feed([Float](repeating: 0, count: 9_600), at: later - 4_800) }
        expect(before: begin + 60 * Int64(Self.rate))
        hear([], from: begin, shift: 0)
        minutes += 1
        if minutes <= Self.compared { first = newest }
        newest[minutes % Self.compared] = (0, 0)
    }

    private static func count(_ hour: [(sum: Double, count: Int)]) -> Int { hour.reduce(0) { $0 + $1.count } }

    private static func mean(_ hour: [(sum: Double, count: Int)]) -> Double {
        hour.reduce(0) { $0 + $1.sum } / Double(max(1, count(hour)))
    }

    private static func text(_ hour: [(sum: Double, count: Int)]) -> String {
        "\(count(hour)) notes, \(Int((mean(hour) * 1e6).rounded())) µs off on average"
    }

    private func feed(_ block: [Float], at position: Double) {
        engine.process(block.span, at: position)
        samples += Int64(block.count)
        hear([], from: 0, shift: 0)
    }

    private func garbage() -> [Float] {
        (0..<4_800).map { _ in
            Float(bitPattern: UInt32(truncatingIfNeeded: UInt64.random(in: 0...UInt64.max, using: &random)))
        }
    }

    private func expect(before frame: Int64) {
        while let stroke = next, stroke.frame < frame {
            engine.expect(stroke)
            next = strokes.next()
        }
    }

    /// Takes what is known by now, and compares notes with what was played.
    private func hear(_ late: [Double], from begin: Int64, shift: Double) {
        while let note = engine.nextNote() {
            report.add(note)
            let beat = Int(((note.point.instant - Double(begin)) / Double(Self.rate / 2)).rounded())
            guard !note.isExtra, Self.played.contains(beat), late.count == Self.played.count else {
                extra += 1
                continue
            }
            found += 1
            let exact = late[beat - Self.played.lowerBound]
            let error = abs(note.lateness.inSeconds - exact - shift)
            newest[minutes % Self.compared].sum += error
            newest[minutes % Self.compared].count += 1
        }
        while let point = engine.nextPoint() {
            report.add(point)
            points += 1
        }
    }

    var counters: [(name: String, value: String)] {
        [
            ("samples", "\(samples) heard, \(Int64(minutes) * 60 * Int64(Self.rate)) frames of the metronome"),
            ("notes played", "\(expected)"), ("notes told", "\(found)"),
            ("told beside them", "\(extra), the click among them that sounds as the microphone comes back"),
            ("in the first hour", "\(Self.text(first))"), ("in the last hour", "\(Self.text(newest))"),
            ("points of the grid", "\(points)"),
            ("clicks missed", "\(engine.missedClicks), those that sounded while the microphone was away"),
            ("notes in the report", "\(report.hitCount) at a beat, of which it keeps \(report.notes.count)"),
        ]
    }

    var complaints: [String] {
        var all: [String] = []
        // The detector's recall with clicks in a room: 0.97.
        if Double(found) < 0.97 * Double(expected) { all.append("notes were not heard") }
        // The click at the break, and as many again.
        if extra > 2 * minutes { all.append("notes were heard that nobody played") }
        let (early, late) = (Self.mean(first), Self.mean(newest))
        // The same four takes in both: what differs is the size of blocks, and what the canceller has learnt.
        if abs(early - late) > 0.001 || Self.count(newest) < Self.count(first) * 97 / 100 {
            all.append("hearing has changed in the course of time")
        }
        return all
    }
}
