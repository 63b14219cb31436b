internal import Music
internal import NIOCore
internal import NIOWebSocket
internal import Platform
internal import Transport

/// A device at the other end of a WebSocket. Used on the event loop only.
final class LiveDevice: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    let hub: StandHub
    private(set) var context: ChannelHandlerContext?
    /// `nil` until it has said hello.
    private(set) var name: String?
    private(set) var identity = ""
    /// Whether it was told what there is, after which it hears what changes.
    var isWelcome = false
    private var messages: TokenBucket, pings: TokenBucket
    /// The newest change that it was sent, and whether more is on its way to it.
    var sentChange: Int64 = 0, isFetching = false
    /// The score that it asked for last, and when it is told it again.
    var score: String?
    let opening: Pace
    /// What it is told when it has read what went before, the newest of each topic.
    var unsent: [(topic: StandTopic, text: ByteBuffer)] = []
    /// How much of what it asked for waits for the store or for a score.
    var unanswered = 0
    private var stalled: Scheduled<Void>?, watch: Scheduled<Void>?, greeting: Scheduled<Void>?
    private var lastHeard = NIODeadline.now(), asked: NIODeadline?
    private var roundTrips: [TimeAmount] = []

    init(_ hub: StandHub) {
        self.hub = hub
        opening = Pace(hub.loop, ScoreTexts.step)
        let (limits, now) = (hub.options.limits, NIODeadline.now())
        messages = TokenBucket(rate: limits.messageRate, capacity: limits.messageRate, now: now)
        pings = TokenBucket(rate: limits.pingRate, capacity: limits.pingBurst, now: now)
    }

    /// Half the shortest round trip, in seconds.
    var clockError: Double? { roundTrips.min().map { Double($0.nanoseconds) * 0.5e-9 } }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard hub.add(self) else {
            send(
                ServerMessage.text(
                    ServerMessage.Failure(
                        problem: "\(hub.options.limits.devices) devices are connected already",
                        remedy: "close the page on one of them")))
            return close(.unknown(1013))
        }
        lookAfter()
        greeting = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(hub.options.limits.hello)) {
            [weak self] in
            if self?.name == nil { self?.close(.policyViolation) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for task in [watch, stalled, greeting] { task?.cancel() }
        hub.remove(self)
    }

    /// Asks a device that is silent, and leaves one that does not answer. The answers measure the way there and back.
    private func lookAfter() {
        guard let context else { return }
        let (limits, now) = (hub.options.limits, NIODeadline.now())
        guard now - lastHeard < TimeAmount(limits.gone) else { return context.close(promise: nil) }
        let quarter = TimeAmount.nanoseconds(TimeAmount(limits.silence).nanoseconds / 4)
        watch = context.eventLoop.assumeIsolated().scheduleTask(in: quarter) { [weak self] in self?.lookAfter() }
        // One that has not answered is asked again after as long a silence.
        guard asked.map({ now - $0 > TimeAmount(limits.silence) }) ?? true else { return }
        asked = now
        write(.ping, ByteBuffer(string: "stand"))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalled?.cancel()
        if context.channel.isWritable {
            sendUnsent()
            sendMarks()
        } else {
            stalled = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(hub.options.limits.stalled)) {
                [weak self] in
                // What is unread stays unread: closing politely would wait for it.
                guard let context = self?.context else { return }
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The parts of a message were too many or too large, or no frames at all.
        close(.protocolError)
    }

    // MARK: Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let received = hub.options.clock.now
        let frame = unwrapInboundIn(data)
        lastHeard = .now()
        guard messages.take(now: lastHeard) else { return close(.policyViolation) }
        switch frame.opcode {
        case .text: take(Array(frame.unmaskedData.readableBytesView), received: received)
        case .binary: close(.unacceptableData)
        // By the protocol only the last one needs an answer.
        case .ping: if context.channel.isWritable { write(.pong, frame.unmaskedData) }
        case .pong: hearAnswer()
        case .connectionClose:
            // By the protocol the code comes back.
            var data = frame.unmaskedData
            close(data.readWebSocketErrorCode() ?? .normalClosure)
        // RFC 6455, 5.2: an opcode that is not known ends the connection.
        default: close(.protocolError)
        }
    }

    private func hearAnswer() {
        guard let asked else { return }
        self.asked = nil
        let before = clockError
        roundTrips = roundTrips.suffix(7) + [lastHeard - asked]
        if before != clockError { hub.tellDevices() }
    }

    private func take(_ bytes: [UInt8], received: Int64) {
        guard let message = DeviceMessage(decoding: bytes) else { return close(.unacceptableData) }
        if case .hello(let hello) = message { return welcome(hello) }
        guard name != nil else { return close(.policyViolation) }
        if case .ping(let id) = message {
            // One too many is not answered: a page that woke up sends many at once.
            guard pings.take(now: lastHeard) else { return }
            return send(ServerMessage.pong(id, received: received, clock: hub.options.clock))
        }
        obey(message, received: received)
    }

    private func welcome(_ hello: DeviceMessage.Hello) {
        guard name == nil, PageRequest.isIdentity(hello.device) else { return close(.policyViolation) }
        (name, identity) = (hello.name.shortened(to: DeviceMessage.longestName), hello.device)
        let (known, newest) = (max(0, hello.since ?? 0), hub.newestChange)
        // A number from the future is that of another store.
        sentChange = known <= newest ? known : 0
        hub.greet(self)
    }
}
