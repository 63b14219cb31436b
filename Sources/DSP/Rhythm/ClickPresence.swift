internal import CRealtime
package import Music
internal import Realtime
internal import Spectral
package import Synthesis
package import Timebase

/// Whether a recording contains the clicks of this metronome, and when they arrive.
///
/// At each stroke the recording is compared with the stroke's own waveform, at all lags about the expected one. Clicks come at
/// the same lag at every stroke; notes of a player scatter, and `isRegular` tells them apart when all was heard.
package struct ClickPresence: Sendable {
    /// The place of the plan's first instant in the recording by the clicks, in seconds.
    package var offset: Double { places.lines(from: line).best.value(at: 0) }
    /// How much faster the recorder's clock runs than the plan's.
    package var drift: PartsPerMillion { PartsPerMillion(ratio: 1 + places.lines(from: line).best.slope) }
    /// Whether the clicks lie at their exact instants, and not on whole frames: whichever leaves less scatter.
    package var isExact: Bool { places.lines(from: line).isExact }
    /// From the first click to the last that may be heard, in seconds of the plan: the recorder may run on without a metronome.
    package var heard: ClosedRange<Double> {
        let last = planned[min(places.last.map { $0 - 1 } ?? planned.count - 1, planned.count - 1)]
        // A frame more, for times that were rounded.
        return (planned[0].time - 1e-3)...(max(planned[0].time, last.time) + 1e-3)
    }
    /// Whether the first clicks are heard before any note is played over them.
    package var beginsAlone: Bool { places.beginAlone }
    /// How alike click and recording are, 0 to 1: the mean over the clicks that were compared.
    package let likeness: Double

    /// A player leans back by 40 ms, and the grid was found by notes.
    private static let reach = 0.04
    /// A click in a room has 0.5 and more alone, and 0.2 to 0.4 under a note that is as loud; noise about 0.2. Notes may have as
    /// much as a click: its times tell it from them.
    internal static let present = 0.25
    /// Strokes that are compared at every lag.
    private static let most = 16
    /// By how many samples a click may be off: two clocks that differ, and a fraction of a sample.
    internal static func slack(_ rate: Double) -> Int { max(1, Int(0.000_2 * rate)) }

    /// Likeness of a click whose place is followed: of 153 under plucks as loud as they are, with 0.16 and more, all that had
    /// this much lay within 0.05 ms of their places.
    private static let followed = 0.3

    /// The lag of the clicks behind their frames over time, as far as they were followed.
    private var line: LineFit
    private var places = ClickPlaces()
    private var regularity = ClickRegularity()
    /// Whether what was followed came as a metronome's clicks do, and not as notes that sound like them.
    package var isRegular: Bool { regularity.isOfMachine }

    /// As many samples as `init` needs at most: a minute and a half at 192 kHz.
    package static let longestSearch = 16 << 20

    /// A click, in seconds of the plan: its frame, and how far after that its exact instant lies.
    internal typealias Planned = (time: Double, fraction: Double, sound: Int, filter: MatchedFilter)
    private let planned: [Planned]
    private let rate: Double
    /// The stroke that `follow` looks for next.
    private var next = 0

    /// Looks for clicks; `nil` if there are none. Where they lie later on is found by `follow`.
    ///
    /// - Parameters:
    ///   - samples: the part of the recording in which the plan begins.
    ///   - first: the place of its first sample in the recording.
    ///   - strokes: those of the plan, by frames at the rate of the recording.
    ///   - offsets: where the plan may begin, in seconds. Which of them, is told by the sounds of the levels.
    ///   - sounds: those of the voices.
    package init?(
        in samples: [Float], from first: Int, sampleRate: Hertz, strokes: [BeatEvent], offsets: [Double],
        sounds: [ClickSound]
    ) {
        let rate = sampleRate.value
        let clicks = PlayedClicks(sounds, sampleRate: sampleRate, isExact: true)
        // The attack: 12 ms, before the room adds more than it keeps.
        let filters = clicks.waves.map { MatchedFilter(Array($0.prefix(clicks.lead + Int(0.012 * rate)))) }
        let planned: [Planned] = strokes.compactMap { stroke in
            guard let click = PlannedClick(stroke, of: clicks.shape),
                let filter = filters[click.sound]
            else { return nil }
            return (Double(click.frame) / rate, click.fraction / rate, click.sound, filter)
        }
        guard planned.count >= 3 else { return nil }
        let origin = Double(first) / rate
        let begin = samples.withUnsafeBufferPointer { samples in
            Self.anchor(samples, rate, planned, offsets: offsets.map { $0 - origin }).flatMap {
                ClickBeginnings(samples, rate, planned, anchor: $0).latest
            }
        }
        guard let best = begin, best.likeness >= Self.present else { return nil }
        (likeness, self.planned, self.rate) = (best.likeness, planned, rate)
        // Clocks are within 100 ppm, and a click is found to a tenth of a millisecond.
        line = LineFit(priorSlopeWeight: 1)
        line.add(x: planned[0].time, y: best.offset + origin, weight: 0.01)
    }

    /// By how many samples the parts that `follow` gets have to overlap, so that each click lies in one of them.
    package var overlap: Int { 2 * Int(0.001 * rate) + (planned.map(\.filter.count).max() ?? 0) + 64 }

    /// Follows the clicks through a part of the recording; parts come in order.
    ///
    /// - Parameters:
    ///   - samples: the part.
    ///   - first: the place of its first sample in the recording.
    package mutating func follow(_ samples: [Float], from first: Int) {
        let reach = Int(0.001 * rate)
        samples.withUnsafeBufferPointer { samples in
            while next < planned.count {
                let stroke = planned[next]
                let middle = ((stroke.time + line.value(at: stroke.time)) * rate).rounded()
                let place = abs(middle) < 1e15 ? Int(middle) - first : -1
                if place >= reach, place + reach + stroke.filter.count >= samples.count { return }
                next += 1
                guard place >= reach else {
                    places.powers.append(0)
                    continue
                }
                follow(stroke, in: samples, at: place, from: first)
            }
        }
    }

    private mutating func follow(
        _ stroke: Planned, in samples: UnsafeBufferPointer<Float>, at place: Int, from first: Int
    ) {
        let reach = Int(0.001 * rate)
        let alike = stroke.filter.likenesses(samples, around: place, reach: reach)
        let power = samples[place..<(place + stroke.filter.count)].reduce(0) { $0 + Double($1 * $1) }
        places.powers.append(power / Double(stroke.filter.count))
        guard let peak = alike.indices.max(by: { alike[$0] < alike[$1] }), alike[peak] > Self.followed, peak > 0,
            peak < alike.count - 1
        else { return }
        let at = alike[peak]
        let part = parabolicPeak(Float(alike[peak - 1]), Float(at), Float(alike[peak + 1])).offset
        let lag = (Double(first + place + peak - reach) + part) / rate - stroke.time
        let found = ClickPlaces.Place(
            stroke: next, time: stroke.time, lag: lag, fraction: stroke.fraction, likeness: at)
        // One click under a note must not lead the others astray.
        line.add(x: stroke.time, y: lag, weight: min(1, found.weight))
        places.all.append(found)
        regularity.add(time: stroke.time, lag: lag)
    }

    /// A place at which clicks of the plan lie, whichever of them: at the likeliest offset or at the other grid, or else at any.
    private static func anchor(
        _ samples: UnsafeBufferPointer<Float>, _ rate: Double, _ planned: [Planned], offsets: [Double]
    ) -> (offset: Double, likeness: Double)? {
        guard let likeliest = offsets.first, let other = offsets.last else { return nil }
        func best(of offsets: [Double], reach: Double) -> (offset: Double, likeness: Double)? {
            offsets.compactMap { search(samples, rate, planned, from: $0, reach: reach) }
                .max { $0.likeness < $1.likeness }
        }
        let found = best(of: likeliest == other ? [likeliest] : [likeliest, other], reach: reach)
        if let found, found.likeness >= present { return found }
        // Where the plan has silent bars, one of its beginnings has clicks where another has none.
        let further = best(of: offsets, reach: reach / 4)
        return [found, further].compactMap { $0 }.max { $0.likeness < $1.likeness }
    }

    /// The lag at which the strokes are most alike.
    private static func search(
        _ samples: UnsafeBufferPointer<Float>, _ rate: Double, _ planned: [Planned],
        from offset: Double, reach: Double
    ) -> (offset: Double, likeness: Double)? {
        let lags = Int(reach * rate)
        var sums = [Double](repeating: 0, count: 2 * lags + 1)
        var exact = sums
        var count = 0
        let slack = slack(rate)
        for stroke in planned {
            let place = Int(((stroke.time + offset) * rate).rounded())
            guard place - lags >= 0, place + lags + stroke.filter.count < samples.count, count < most else { continue }
            let alike = stroke.filter.likenesses(samples, around: place, reach: lags)
            for n in alike.indices {
                sums[n] += alike[max(0, n - slack)...min(alike.count - 1, n + slack)].max() ?? 0
                exact[n] += alike[n]
            }
            count += 1
        }
        guard count >= 3, let peak = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return nil }
        // About it all lags have the same sum.
        let near = max(0, peak - 2 * slack)...min(sums.count - 1, peak + 2 * slack)
        let place = near.filter { sums[$0] > 0.95 * sums[peak] }.max { exact[$0] < exact[$1] } ?? peak
        return (offset + Double(place - lags) / rate, sums[peak] / Double(count))
    }
}
