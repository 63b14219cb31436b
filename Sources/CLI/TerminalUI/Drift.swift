/// How intonation changed in the course of a take: a straight line through its notes.
public struct Drift: Sendable {
    /// Cents a minute; above zero: it rose.
    public let centsPerMinute: Double
    /// Two of these either way hold the true drift 19 times out of 20.
    public let standardError: Double

    /// Whether it is more than the scatter of the notes can make by itself.
    public var isSeen: Bool { abs(centsPerMinute) > 2 * standardError }

    /// The line of least weighted squares; its error comes from how far the points lie off it. `nil` below three points.
    ///
    /// - Parameter points: seconds, cents and weight of each.
    /// - SeeAlso: Bevington and Robinson, "Data Reduction and Error Analysis for the Physical Sciences", 2003, ch. 6.
    init?(_ points: [(seconds: Double, cents: Double, weight: Double)]) {
        let total = points.reduce(0) { $0 + $1.weight }
        guard points.count > 2, total > 0 else { return nil }
        let x = points.reduce(0) { $0 + $1.seconds * $1.weight } / total
        let y = points.reduce(0) { $0 + $1.cents * $1.weight } / total
        let square = points.reduce(0) { $0 + ($1.seconds - x) * ($1.seconds - x) * $1.weight }
        guard square > 0 else { return nil }
        let slope = points.reduce(0) { $0 + ($1.seconds - x) * ($1.cents - y) * $1.weight } / square
        let rest = points.reduce(0) { sum, point in
            let off = point.cents - y - slope * (point.seconds - x)
            return sum + off * off * point.weight
        }
        centsPerMinute = slope * 60
        standardError = (rest / Double(points.count - 2) / square).squareRoot() * 60
    }

    /// The drift in words.
    public var text: String {
        let number =
            fixedPoint(centsPerMinute, decimals: 1, signed: true) + " ± " + fixedPoint(standardError, decimals: 1)
            + " cents a minute"
        return isSeen ? "drift \(number)" : "no drift to be seen (\(number))"
    }
}
