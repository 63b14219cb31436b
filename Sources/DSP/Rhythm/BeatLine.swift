internal import CRealtime
internal import Realtime

/// The straight line through the last beats: its slope is the period.
///
/// It goes through as many beats as agree with one tempo: of the last 64, 32, 16, 8 and 4 the most in which the later half is no
/// faster or slower than the earlier one by more than chance allows.
internal struct BeatLine: ~Copyable, Sendable {
    /// A beat: its number, its time in seconds, and the weight of that, 1 / s².
    internal struct Point: BitwiseCopyable, Sendable {
        var place = 0.0, seconds = 0.0, weight = 0.0
        @_noLocks init() {}
    }

    /// The period in seconds and its standard error; 0 when fewer than three beats are known.
    private(set) var period = 0.0, standardError = 0.0
    /// How many beats the line goes through.
    private(set) var count = 0
    private var points = BoundedQueue<Point>(capacity: Self.most, filler: Point())

    private static var most: Int { @_noLocks get { 64 } }
    /// A player's own scatter, at least: a drum machine's is less, but then it does not matter.
    private static var leastScatter: Double { @_noLocks get { 0.000_3 } }

    /// What a player scatters by until it is known, with the weight of one beat: three beats may lie on a line by chance.
    private static var expectedScatter: Double { @_noLocks get { 0.005 } }

    @_noLocks mutating func reset() {
        points.removeAll()
        (period, standardError, count) = (0, 0, 0)
    }

    /// Adds a beat.
    ///
    /// - Parameters:
    ///   - beats: how many beats it is after the last one.
    ///   - error: the standard error of its time, in seconds.
    @_noLocks mutating func add(_ seconds: Double, after beats: Double, error: Double) {
        var point = Point()
        let scatter = max(error, Self.leastScatter)
        (point.seconds, point.weight) = (seconds, 1 / (scatter * scatter))
        point.place = points.count == 0 ? 0 : points[points.count - 1].place + beats
        points.push(point)
        update()
    }

    /// The time on the line of a beat so many beats after the newest.
    @_noLocks func seconds(after beats: Double) -> Double? {
        guard count >= 3, points.count > 0 else { return nil }
        return fit(points.count - count, points.count).value(at: points[points.count - 1].place + beats)
    }

    @_noLocks private mutating func update() {
        count = 0
        guard points.count >= 3 else { return }
        // Doubled as long as the beats agree.
        var length = min(4, points.count)
        while length < points.count {
            let longer = min(points.count, 2 * length)
            guard agrees(points.count - longer) else { break }
            length = longer
        }
        let line = fit(points.count - length, points.count)
        (count, period) = (length, line.slope)
        let expected = Self.expectedScatter * Self.expectedScatter * points[points.count - 1].weight
        let variance = (line.residual + expected) / Double(length - 1)
        standardError = line.spread > 0 ? rt_sqrt(max(variance, 1) / line.spread) : 0
    }

    /// Whether both halves from a point on have one slope.
    @_noLocks private func agrees(_ first: Int) -> Bool {
        let middle = (first + points.count) / 2
        let (early, late) = (fit(first, middle), fit(middle, points.count))
        guard early.spread > 0, late.spread > 0 else { return true }
        let freedom = Double(max(1, points.count - first - 4))
        let variance = max(1, (early.residual + late.residual) / freedom)
        let change = late.slope - early.slope
        // Three standard errors, and the place where they meet too.
        guard change * change < 9 * variance * (1 / early.spread + 1 / late.spread) else { return false }
        let all = fit(first, points.count)
        return all.residual < early.residual + late.residual + 12 * variance
    }

    @_noLocks private func fit(_ first: Int, _ end: Int) -> Line {
        var line = Line(origin: points[first].seconds, place: points[first].place)
        for n in first..<end { line.add(points[n]) }
        return line
    }
}

/// A weighted line of least squares.
private struct Line: BitwiseCopyable {
    private let origin: Double, place: Double
    private var weight = 0.0, meanX = 0.0, meanY = 0.0, xy = 0.0, yy = 0.0
    private(set) var spread = 0.0

    @_noLocks init(origin: Double, place: Double) { (self.origin, self.place) = (origin, place) }

    @_noLocks mutating func add(_ point: BeatLine.Point) {
        let (dx, dy) = (point.place - place - meanX, point.seconds - origin - meanY)
        let new = weight + point.weight
        let share = weight * point.weight / new
        spread += share * dx * dx
        xy += share * dx * dy
        yy += share * dy * dy
        meanX += dx * point.weight / new
        meanY += dy * point.weight / new
        weight = new
    }

    var slope: Double { @_noLocks get { spread > 0 ? xy / spread : 0 } }
    var residual: Double { @_noLocks get { max(0, yy - slope * xy) } }
    @_noLocks func value(at x: Double) -> Double { origin + meanY + slope * (x - place - meanX) }
}
