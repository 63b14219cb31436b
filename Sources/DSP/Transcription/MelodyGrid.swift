internal import CRealtime
internal import Music

/// The beats of a melody, by which the timing of its notes is told.
///
/// Beats that were heard follow the player: each lies on the parabola through the notes of the 24 beats round it, or on the line
/// through those of the whole take where the player kept one tempo. Beats of a given tempo do not. Both lie where the notes are
/// on average, so that lateness is relative to the mean of the notes.
package struct MelodyGrid: Sendable {
    /// What a bar is: 6 and 8 for 6/8.
    package struct Meter: Sendable, Hashable {
        package let beats: Int, value: Int

        package init(beats: Int, value: Int) { (self.beats, self.value) = (beats, value) }

        /// Beats of the meter in a quarter note.
        package var perQuarter: Double { Double(value) / 4 }
        /// Beats of the meter in a beat that is heard: three in 6/8, 9/8 and 12/8, otherwise a quarter.
        package var perHeardBeat: Double { isCompound ? 3 : perQuarter }
        /// Whether a beat that is heard has three parts.
        var isCompound: Bool { value >= 8 && beats > 3 && beats % 3 == 0 }
    }

    /// Seconds of each beat from the first of bar 1, rising, at least two; beats before and after go on in the tempo of the
    /// first and of the last.
    package internal(set) var beats: [Double]
    package let meter: Meter
    /// Beats per minute: quarters if the tempo was given, otherwise the beats that are heard; up to the first sudden change.
    package let tempo: Double
    /// The beats at which another tempo begins suddenly, and that, as `tempo`.
    package internal(set) var changes: [(beat: Int, tempo: Double)] = []
    /// Whether the tempo was given and not heard.
    package let isGiven: Bool
    /// Which parts of a beat the notes are played in.
    var parts = BeatParts([])
    /// Of beats that the notes tell.
    var doubts: GridDoubts?

    /// A grid of one tempo, in quarters per minute, that lies where the notes are closest to it. `nil` without notes.
    package init?(_ tones: [MelodyTone], tempo: Double, meter: Meter) {
        guard let first = tones.first, let last = tones.last, tempo > 0 else { return nil }
        let period = 60 / tempo / meter.perQuarter
        (self.tempo, self.meter, isGiven) = (tempo, meter, true)
        let count = Int((last.start - first.start).inSeconds / period) + 2
        beats = (0..<count).map { first.start.inSeconds + period * Double($0) }
        // The first note may be late itself, and the last one early by more than half a part of a beat.
        let offset = period * Self.meanPhase(tones.map { position(of: $0.start.inSeconds) })
        for index in beats.indices { beats[index] += offset }
        // Three times, as a shift may change the places of notes.
        for _ in 0..<3 {
            findParts(tones.map(\.start.inSeconds))
            let late = tones.map { $0.start.inSeconds - time(of: place(of: $0).position) }
            let shift = late.reduce(0, +) / Double(late.count)
            for index in beats.indices { beats[index] += shift }
        }
    }

    init(beats: [Double], meter: Meter, tempo: Double) {
        (self.beats, self.meter, self.tempo, isGiven) = (beats, meter, tempo, false)
    }

    /// Beats from the first of bar 1 to a time in seconds.
    package func position(of seconds: Double) -> Double {
        let last = beats.count - 1
        if seconds < beats[0] { return (seconds - beats[0]) / (beats[1] - beats[0]) }
        if seconds >= beats[last] { return Double(last) + (seconds - beats[last]) / (beats[last] - beats[last - 1]) }
        var (low, high) = (0, last)
        while high - low > 1 {
            let middle = (low + high) / 2
            if beats[middle] <= seconds { low = middle } else { high = middle }
        }
        return Double(low) + (seconds - beats[low]) / (beats[high] - beats[low])
    }

    /// Seconds of a position.
    package func time(of position: Double) -> Double {
        let low = max(0, min(beats.count - 2, Int(rt_floor(position))))
        return beats[low] + (position - Double(low)) * (beats[low + 1] - beats[low])
    }

    /// Where a note belongs.
    package func place(of tone: MelodyTone) -> MelodyPlace { parts.place(of: position(of: tone.start.inSeconds)) }

    /// Counts the beats so that the first note begins so many quarters before bar 1.
    ///
    /// - Parameter starts: the beginnings of the notes, in seconds.
    mutating func begin(withUpbeat quarters: Double, _ starts: [Double]) {
        guard let first = starts.min() else { return }
        let shift = parts.place(of: position(of: first)).position + quarters * meter.perQuarter
        let count = max(2, Int(rt_floor(Double(beats.count - 1) - shift)) + 1)
        beats = (0..<count).map { time(of: shift + Double($0)) }
        changes = changes.map { (beat: max(0, Int(rt_round(Double($0.beat) - shift))), tempo: $0.tempo) }
        findParts(starts)
    }

    /// The bar of a beat, from 1.
    package func bar(ofBeat beat: Int) -> Int { (beat - Self.remainder(beat, meter.beats)) / meter.beats + 1 }

    /// The first beat of a bar.
    package func firstBeat(ofBar bar: Int) -> Int { (bar - 1) * meter.beats }

    /// `a` modulo `b`, never negative.
    static func remainder(_ a: Int, _ b: Int) -> Int { (a % b + b) % b }

    /// The circular mean of positions within a beat, in beats; of the widest of its parts that most notes agree on.
    private static func meanPhase(_ positions: [Double]) -> Double {
        for parts in [1.0, 2, 3, 4] {
            var (x, y) = (0.0, 0.0)
            for position in positions {
                x += rt_cos(2 * .pi * parts * position)
                y += rt_sin(2 * .pi * parts * position)
            }
            // Notes that lie within a third of a part have 0.83 or more, random ones of a melody of 20 notes 0.2.
            if (x * x + y * y).squareRoot() > 0.7 * Double(positions.count) {
                return rt_atan2(y, x) / (2 * .pi * parts)
            }
        }
        return 0
    }

    mutating func findParts(_ starts: [Double]) { parts = BeatParts(starts.map(position)) }
}
