internal import CRealtime

/// Where in a recording a plan begins, found by its onsets: the place at which most of them lie near points of the grid.
///
/// What remains open is told: notes alone do not say which beat of a steady plan is the first, nor whether a player played on
/// the beats or between them.
package struct GridFit: Sendable {
    /// The place of the plan's first instant in the recording, in seconds; it may lie before the recording.
    package let offset: Double
    /// Further places at which the same points of the grid are hit, only by other beats of the plan: later and earlier ones.
    package let sameGrid: [Double]
    /// Another place that fits nearly as well, with other points of the grid.
    package let alternative: Double?
    /// The share of the onsets that lie within 45 ms of a point, 0 to 1.
    package let share: Double

    /// Onsets so far from a point count little: twice the spread of a fair player.
    private static let width = 0.02
    /// Nearly as well: 85 % of the best.
    private static let rival = 0.85

    /// Fits a grid; `nil` with fewer than three onsets or points.
    ///
    /// - Parameters:
    ///   - onsets: in seconds of the recording, ascending.
    ///   - points: in seconds of the plan, ascending.
    package init?(onsets: [Double], points: [Double]) {
        guard onsets.count >= 3, points.count >= 3 else { return nil }
        // One of the first notes is at one of the first points: two bars of sixteenths.
        var found: [(offset: Double, score: Double)] = []
        for onset in onsets.prefix(24) {
            for point in points.prefix(32) {
                let offset = Self.centred(onset - point, onsets, points)
                if found.contains(where: { abs($0.offset - offset) < 0.003 }) { continue }
                found.append((offset, Self.score(offset, onsets, points)))
            }
        }
        guard let best = found.map(\.score).max(), best > 0 else { return nil }
        // Half of a note is no reason to begin earlier or later: of equals, the first note is at the first point.
        let equals = found.filter { $0.score > best - 0.5 }
        let first = onsets[0] - points[0]
        guard let chosen = equals.min(by: { abs($0.offset - first) < abs($1.offset - first) }) else { return nil }
        offset = chosen.offset
        let rivals = found.filter { $0.score >= Self.rival * best && abs($0.offset - chosen.offset) > 0.01 }
        let same = rivals.filter { Self.isShift($0.offset - chosen.offset, points) }
        sameGrid = same.map(\.offset).sorted()
        alternative =
            rivals.filter { !Self.isShift($0.offset - chosen.offset, points) }.max { $0.score < $1.score }?.offset
        let near = onsets.count { abs(Self.distance($0 - chosen.offset, points)) < 0.045 }
        share = Double(near) / Double(onsets.count)
    }

    /// The signed distance from the nearest point.
    private static func distance(_ time: Double, _ points: [Double]) -> Double {
        var (low, high) = (0, points.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle] <= time { low = middle } else { high = middle }
        }
        let before = time - points[low]
        guard low + 1 < points.count else { return before }
        let after = time - points[low + 1]
        return abs(after) < abs(before) ? after : before
    }

    private static func weight(_ distance: Double) -> Double {
        let x = distance / width
        return rt_exp(-x * x / 2)
    }

    private static func score(_ offset: Double, _ onsets: [Double], _ points: [Double]) -> Double {
        onsets.reduce(0) { $0 + weight(distance($1 - offset, points)) }
    }

    /// Moves an offset to the centre of the onsets near it: ten steps of a mean that distant notes hardly change.
    private static func centred(_ offset: Double, _ onsets: [Double], _ points: [Double]) -> Double {
        var offset = offset
        for _ in 0..<10 {
            var (sum, weights) = (0.0, 0.0)
            for onset in onsets {
                let distance = distance(onset - offset, points)
                sum += weight(distance) * distance
                weights += weight(distance)
            }
            guard weights > 0 else { return offset }
            offset += sum / weights
            if abs(sum / weights) < 1e-6 { break }
        }
        return offset
    }

    /// Whether the points that are moved by so much lie on points again, but for those that fall off an end.
    private static func isShift(_ shift: Double, _ points: [Double]) -> Bool {
        let range = (points[0] - width)...(points[points.count - 1] + width)
        let moved = points.map { $0 + shift }.filter(range.contains)
        let near = moved.count { abs(distance($0, points)) < width }
        return !moved.isEmpty && Double(near) > 0.9 * Double(moved.count)
    }
}
