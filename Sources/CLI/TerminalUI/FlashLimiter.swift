/// Limits flashes to three per second.
///
/// - SeeAlso: W3C, "Web Content Accessibility Guidelines 2.2", 2.3.1: more than three flashes in any one second can
///   trigger seizures.
struct FlashLimiter: Sendable {
    private var last = -Double.infinity

    /// A third of a second: with longer distances no second contains four flashes.
    static let shortestDistance = 1.0 / 3

    /// Whether a flash may start at this moment in seconds; if so, it counts as started.
    mutating func allows(at seconds: Double) -> Bool {
        guard seconds - last > Self.shortestDistance else { return false }
        last = seconds
        return true
    }
}
