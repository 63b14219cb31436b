/// Lets at most three flashes a second through, whatever asks for them.
///
/// - SeeAlso: W3C, "Web Content Accessibility Guidelines 2.2", 2.3.1: more than three flashes in any one second may bring
///   on seizures.
public struct FlashLimiter: Sendable {
    private var last = -Double.infinity

    /// A third of a second: with more than that between two of them no second holds four.
    public static let shortestDistance = 1.0 / 3

    /// A limiter that has let nothing through.
    public init() {}

    /// Whether a flash may begin at this moment, in seconds; if so it counts as begun.
    public mutating func allows(at seconds: Double) -> Bool {
        guard seconds - last > Self.shortestDistance else { return false }
        last = seconds
        return true
    }
}
