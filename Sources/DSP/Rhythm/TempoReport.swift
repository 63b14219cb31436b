public import Music

/// How a player kept the tempo, by the beats that a `TempoTracker` told: tempo over time, drift, scatter.
///
/// ```swift
/// var report = TempoReport(sampleRate: 48.kilohertz)
/// var tracker = try TempoTracker(sampleRate: 48.kilohertz)
/// while let beat = tracker.nextBeat() { report.add(beat) }
/// if let drift = report.drift { print(drift.perMinute, drift.standardError) }
/// ```
///
/// A beat counts in the figures if a note is on it. It keeps all beats: 80 bytes each, 1.2 MB an hour at 240 beats per minute.
public struct TempoReport: Sendable {
    /// The tempo of a part of the music.
    public struct Span: Sendable, Hashable {
        /// Where it begins and ends, in seconds from the start of the stream.
        public let start: Double, end: Double
        /// How many beats lie between.
        public let beats: Int
        /// Beats per minute.
        public var beatsPerMinute: Double { 60 * Double(beats) / (end - start) }
    }

    /// A change of tempo.
    public struct Drift: Sendable, Hashable {
        /// By how many beats per minute the tempo changes in a minute, above zero when it rises.
        public let perMinute: Double
        /// The standard error of that.
        public let standardError: Double
        /// The line's tempo at the first and at the last beat, in beats per minute.
        public let first: Double, last: Double
        /// Whether the change is more than chance, by two standard errors, and more than 0.5 % in all.
        public var isCertain: Bool { abs(perMinute) > 2 * standardError && abs(last / first - 1) > 0.005 }
    }

    /// The beats, oldest first.
    public private(set) var beats: [TrackedBeat] = []
    let sampleRate: Double

    /// A report without beats.
    public init(sampleRate: Hertz) { self.sampleRate = sampleRate.value }

    /// Adds the next beat.
    public mutating func add(_ beat: TrackedBeat) { beats.append(beat) }

    mutating func replace(with beats: [TrackedBeat]) { self.beats = beats }

    /// When a beat is, in seconds from the start of the stream.
    public func seconds(_ beat: TrackedBeat) -> Double { beat.frame / sampleRate }

    /// Beats per minute over all of it, pauses left out; `nil` with fewer than two beats.
    public var beatsPerMinute: Double? {
        let intervals = intervals
        let time = intervals.reduce(0) { $0 + $1.end - $1.start }
        return time > 0 ? 60 * Double(intervals.reduce(0) { $0 + $1.beats }) / time : nil
    }

    /// The tempo of each part of so many beats, 1 or more; pauses lie between parts.
    public func spans(of count: Int) -> [Span] {
        var spans: [Span] = []
        var open: Span?
        for interval in intervals {
            if let begun = open, begun.end == interval.start {
                open = Span(start: begun.start, end: interval.end, beats: begun.beats + interval.beats)
            } else {
                open = interval
            }
            if let full = open, full.beats >= count {
                spans.append(full)
                open = nil
            }
        }
        return spans
    }

    /// The straight line through the tempi of all parts of four beats; `nil` with fewer than four parts, and where the tempo steps
    /// from one to another: a line is not what happened then.
    public var drift: Drift? {
        let spans = spans(of: 4)
        guard spans.count >= 4, let start = spans.first?.start, let end = spans.last?.end, changes.isEmpty
        else { return nil }
        let points = spans.map { (x: ($0.start + $0.end) / 2, y: $0.beatsPerMinute) }
        let count = Double(points.count)
        let (meanX, meanY) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        let slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
        let residual = points.reduce(0.0) { sum, point in
            let distance = point.y - meanY - slope * (point.x - meanX)
            return sum + distance * distance
        }
        return Drift(
            perMinute: 60 * slope, standardError: 60 * (residual / (count - 2) / spread).squareRoot(),
            first: meanY + slope * (start - meanX), last: meanY + slope * (end - meanX))
    }

    /// From each heard beat to the next one, if no more than four beats were without a note.
    var intervals: [Span] {
        let heard = beats.filter(\.isHeard)
        return zip(heard, heard.dropFirst()).compactMap { beat, next in
            guard next.tempo.beatsPerMinute > 0 else { return nil }
            let count = (seconds(next) - seconds(beat)) * next.tempo.beatsPerMinute / 60
            let whole = count.rounded()
            guard whole >= 1, whole <= 4, abs(count - whole) < 0.25 else { return nil }
            return Span(start: seconds(beat), end: seconds(next), beats: Int(whole))
        }
    }
}
