internal import Realtime
internal import Timebase

/// The points of the grid around the present, and which of them a note belongs to.
internal struct BeatGrid: ~Copyable, Sendable {
    /// Strokes at most so far apart are one point: half of the shortest time between two notes that are told apart.
    private static var together: Double { @_noLocks get { 0.001 } }
    /// A note belongs to a point within a fifth of the way to the next one, but at least within 50 ms and at most within
    /// 100 ms. A fifth leaves notes in the middle between two points to neither.
    private static var share: Double { @_noLocks get { 0.2 } }
    private static var nearest: Double { @_noLocks get { 0.05 } }
    private static var farthest: Double { @_noLocks get { 0.1 } }

    /// Farther than any two points are apart, in frames.
    private static var none: Double { @_noLocks get { 1e18 } }

    /// In order of their instants.
    var points: BoundedQueue<GridPoint>
    private let sampleRate: Double
    /// How many of the oldest points were told as over.
    private var told = 0
    private var playedBar: Int64 = -1, bar = Int64.min, beat: Int32 = 0

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        // Four seconds of the densest grid: 12 parts of a beat at 600 beats per minute.
        points = BoundedQueue(capacity: 512, filler: GridPoint.filler)
    }

    /// Adds a stroke, later than all before.
    @_noLocks mutating func add(_ stroke: BeatEvent) {
        if stroke.isEnd { return }
        // A bar may be repeated by itself.
        if stroke.bar != bar || (stroke.isBeat && stroke.beat <= beat) {
            playedBar += 1
            (bar, beat) = (stroke.bar, 0)
        }
        if stroke.isBeat { beat = stroke.beat }
        let point = GridPoint(stroke, playedBar: playedBar)
        if points.count > 0 {
            let last = points[points.count - 1]
            // The point is that of the beat, or else that of the first voice.
            if point.instant - last.instant < Self.together * sampleRate {
                if stroke.layer < last.stroke.layer { points[points.count - 1] = point }
                return
            }
        }
        let dropped = points.dropped
        points.push(point)
        told = max(0, told - (points.dropped - dropped))
    }

    /// The oldest point before `frame` that was not told as over yet.
    @_noLocks mutating func passed(before frame: Double) -> GridPoint? {
        guard told < points.count, points[told].instant < frame else { return nil }
        told += 1
        return points[told - 1]
    }

    /// The instant of the last point; far in the past if there is none.
    var end: Double { @_noLocks get { points.count > 0 ? points[points.count - 1].instant : -1e18 } }

    /// The point nearest to `frame`, and whether a note there belongs to it. `nil`: there is none, or the note lies before the
    /// first or after the last by more than the distance between two.
    @_noLocks func place(of frame: Double) -> (place: Int, belongs: Bool)? {
        if points.count == 0 { return nil }
        var (low, high) = (0, points.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].instant <= frame { low = middle } else { high = middle }
        }
        var place = low
        if low + 1 < points.count, points[low + 1].instant - frame < frame - points[low].instant { place = low + 1 }
        let instant = points[place].instant
        var gap = Self.none
        if place > 0 { gap = min(gap, instant - points[place - 1].instant) }
        if place + 1 < points.count { gap = min(gap, points[place + 1].instant - instant) }
        let distance = abs(frame - instant)
        let isOutside = frame < points[0].instant || frame > points[points.count - 1].instant
        let farthest = Self.farthest * sampleRate
        if isOutside && distance > max(farthest, gap < Self.none ? gap : 0) { return nil }
        let limit = min(gap / 2, min(max(Self.nearest * sampleRate, Self.share * gap), farthest))
        return (place, distance <= limit)
    }
}
