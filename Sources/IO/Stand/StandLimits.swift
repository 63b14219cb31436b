internal import NIOCore

/// What one device, or one stranger, can ask of the server. Tests shorten the times.
package struct StandLimits: Sendable {
    /// Request line and headers: browsers send one to two KiB.
    package var headerBytes = 16 << 10
    /// One WebSocket frame, and one message of at most `continuations` frames. A browser sends a message as one frame, and the
    /// longest one is a stroke of 32 KiB in base64.
    package var messageBytes = 64 << 10
    package var continuations = 16
    /// Messages and control frames a second and a device: a pen sends one per stroke, a slider one per frame.
    package var messageRate = 200.0
    /// Pings a second and a device on average, and how many at once: a connection begins with twelve.
    package var pingRate = 1.0, pingBurst = 40.0
    package var devices = 16
    /// Connections, those of devices included.
    package var connections = 64
    /// How long a connection may stay without a whole request.
    package var idle: Duration = .seconds(15)
    /// How much longer it may stay while a page is drawn for it: twice as long as a page may take, as another one may be before it.
    package var drawing: Duration = .seconds(240)
    /// How much of an answer a connection has to read in a second, in bytes: a tenth of what bad Wi-Fi carries.
    package var slowestRate = 65_536.0
    /// How long a connection may be a WebSocket without saying who it is: a page does so at once.
    package var hello: Duration = .seconds(5)
    /// How long a device may be silent before it is asked, and before it counts as gone.
    package var silence: Duration = .seconds(20), gone: Duration = .seconds(40)
    /// How long a device may leave what it was sent unread. It gets everything anew when it returns.
    package var stalled: Duration = .seconds(5)
    /// Wrong tokens a minute and an address.
    package var wrongTokens = 10

    package init() {}
}

/// A budget that refills at a steady rate.
struct TokenBucket {
    private let rate: Double, capacity: Double
    private var level: Double
    private var last: NIODeadline

    init(rate: Double, capacity: Double, now: NIODeadline) {
        (self.rate, self.capacity, level, last) = (rate, capacity, capacity, now)
    }

    /// Takes one, if there is one.
    mutating func take(now: NIODeadline) -> Bool {
        level = min(capacity, level + Double((now - last).nanoseconds) * 1e-9 * rate)
        last = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }
}
