internal import NIOCore
internal import NIOHTTP1

/// Closes a connection that sends more than a request may have, or no whole request for too long. It stands before the parser,
/// which would buffer a header of any length.
final class RequestGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let limits: StandLimits
    private var bytes = 0
    private var isLive = false
    private var deadline: Scheduled<Void>?

    init(_ limits: StandLimits) { self.limits = limits }

    func channelActive(context: ChannelHandlerContext) {
        wait(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLive else { return context.fireChannelRead(data) }
        bytes += unwrapInboundIn(data).readableBytes
        guard bytes <= limits.headerBytes else {
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    /// A request has come whole, or an answer of so many bytes is on its way.
    func requestDone(_ channel: any Channel, answered bytes: Int = 0) {
        self.bytes = 0
        wait(channel, for: .seconds(Double(bytes) / limits.slowestRate))
    }

    /// A request has come whole, whose answer is being made: a page that is drawn takes its time.
    func answerComes(on channel: any Channel) { wait(channel, for: limits.drawing) }

    /// The connection is a device now, which has limits of its own.
    func becomeLive() {
        isLive = true
        deadline?.cancel()
    }

    private func wait(_ channel: any Channel, for answer: Duration = .zero) {
        deadline?.cancel()
        guard !isLive else { return }
        deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.idle + answer)) { channel.close(promise: nil) }
    }
}
