import NIOCore
import NIOEmbedded
import Testing

@testable import Stand

@Suite struct RequestGuardTests {
    /// A connection with the guard, in a time of its own.
    private func connection() throws -> (EmbeddedChannel, RequestGuard, StandLimits) {
        let limits = StandLimits()
        let guardian = RequestGuard(limits)
        let channel = EmbeddedChannel(handler: guardian)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return (channel, guardian, limits)
    }

    private func wait(_ channel: EmbeddedChannel, _ time: Duration) {
        channel.embeddedEventLoop.advanceTime(by: TimeAmount(time))
    }

    @Test func `A connection without a whole request is closed`() throws {
        let (channel, _, limits) = try connection()
        wait(channel, limits.idle - .seconds(1))
        #expect(channel.isActive)
        wait(channel, .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `A connection stays while a page is drawn for it, and not for ever`() throws {
        let (channel, guardian, limits) = try connection()
        guardian.answerComes(on: channel)
        // A page may take two minutes; the one before it, too.
        wait(channel, .seconds(239))
        #expect(channel.isActive)
        guardian.requestDone(channel)
        wait(channel, limits.idle - .seconds(1))
        #expect(channel.isActive)
        wait(channel, .seconds(2))
        #expect(!channel.isActive)
        let (other, second, _) = try connection()
        second.answerComes(on: other)
        wait(other, limits.drawing + limits.idle + .seconds(1))
        #expect(!other.isActive)
    }
}
