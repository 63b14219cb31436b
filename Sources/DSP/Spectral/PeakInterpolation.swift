/// The top of the parabola through three neighbouring values.
///
/// With d = a - 2b + c < 0 the top lies p = (a - c) / 2d beside the middle value and its height is b - (a - c) p / 4.
///
/// - Parameters:
///   - a: the value before the highest one.
///   - b: the highest value.
///   - c: the value after it.
/// - Returns: `offset` in samples, within ±1/2 when `b` is the highest of the three, and the height there. Values that
///   do not curve downwards have no top: then the offset is 0 and the height `b`.
/// - SeeAlso: Smith & Serra, "PARSHL", ICMC 1987.
@_noLocks @inlinable package func parabolicPeak(_ a: Float, _ b: Float, _ c: Float) -> (offset: Double, height: Double)
{
    let (before, top, after) = (Double(a), Double(b), Double(c))
    let curvature = before - 2 * top + after
    guard curvature < 0 else { return (0, top) }
    let offset = 0.5 * (before - after) / curvature
    guard abs(offset) <= 1 else { return (0, top) }
    return (offset, top - 0.25 * (before - after) * offset)
}
