internal import Glibc
internal import Music
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket
internal import Synchronization
package import Transport

/// The music stand's server: one page, its pictures, and a WebSocket for each device, on one thread.
///
/// It listens on this machine only, unless it is told to serve the network.
package final class StandServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let threads: StandThreads
    private let hub: NIOLoopBound<StandHub>
    private let listeners: [any Channel]
    private let options: StandOptions
    private let shelf: ScoreShelf
    private let current: LatestReport
    /// The port that it got.
    package let port: Int

    /// Starts to listen.
    ///
    /// - Throws: `StandError`.
    package init(_ options: StandOptions, shelf: ScoreShelf, queue: TransportQueue) throws {
        (self.options, self.shelf) = (options, shelf)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let threads = StandThreads()
        let loop = group.next()
        do {
            let hub = try loop.submit {
                let hub = try StandHub(options, shelf: shelf, queue: queue, loop: loop, threads: threads)
                return NIOLoopBound(hub, eventLoop: loop)
            }.wait()
            (listeners, port) = try Self.listen(options, group, hub)
            self.hub = hub
        } catch {
            threads.stop()
            try? group.syncShutdownGracefully()
            throw error
        }
        (self.group, self.threads) = (group, threads)
        let current = LatestReport()
        self.current = current
        onHub { hub in hub.report = { news in current.report.withLock { $0 = news } } }
    }

    /// Who is there.
    package var report: StandReport { current.report.withLock { $0 } }

    /// Where a browser finds the page, the best one first; with the token, where one is needed.
    package var addresses: [String] {
        let key = options.token.map { "?k=" + $0.text } ?? ""
        let hosts = options.isOnLAN ? Self.networkAddresses() + ["localhost"] : ["localhost"]
        let scheme = options.encryption == nil ? "http" : "https"
        return hosts.map { "\(scheme)://\($0):\(port)/\(key)" }
    }

    /// The addresses of this machine, those of IPv4 first, as they are shorter.
    private static func networkAddresses() -> [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        let all = devices.compactMap { $0.address?.ipAddress }.filter {
            !$0.hasPrefix("127.") && $0 != "::1" && !$0.lowercased().hasPrefix("fe80")
        }.map(HostList.literal)
        return all.filter { !$0.hasPrefix("[") } + all.filter { $0.hasPrefix("[") }
    }

    /// Tells the devices what lies ahead.
    package func publish(_ course: PlayCourse) { onHub { $0.publish(course) } }

    /// Tells the devices what plays.
    package func show(_ stage: PlayStage) { onHub { $0.show(stage) } }

    /// Answers a command.
    package func settle(_ id: String, _ outcome: TransportOutcome) { onHub { $0.settle(id, outcome) } }

    /// Closes all connections and waits until they are.
    package func stop() {
        shelf.stop()
        onHub { hub in for device in hub.devices.values { device.close(.goingAway) } }
        for listener in listeners { try? listener.close().wait() }
        // First who still has something to tell the loop.
        threads.stop()
        try? group.syncShutdownGracefully()
    }

    private func onHub(_ body: @escaping @Sendable (StandHub) -> Void) {
        let hub = hub
        hub.eventLoop.execute { body(hub.value) }
    }

    // MARK: Listening

    private static func listen(
        _ options: StandOptions, _ group: MultiThreadedEventLoopGroup, _ hub: NIOLoopBound<StandHub>
    ) throws -> ([any Channel], Int) {
        let first: any Channel
        let address = options.isOnLAN ? "0.0.0.0" : "127.0.0.1"
        // The gate is told the port before the first connection: it stands in every Host.
        let gate = NIOLoopBoundBox<Gate?>.makeEmptyBox(valueType: Gate.self, eventLoop: hub.eventLoop)
        let bootstrap = bootstrap(options, group, hub, gate)
        do {
            first = try bootstrap.bind(host: address, port: options.port).wait()
        } catch {
            throw failure(error, address, options.port)
        }
        let port = first.localAddress?.port ?? options.port
        try hub.eventLoop.submit { gate.value = Gate(options, port: port) }.wait()
        let other = options.isOnLAN ? "::" : "::1"
        do {
            let isAlone = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
            let second = try bootstrap.serverChannelOption(isAlone, value: 1)
                .bind(host: other, port: port).wait()
            return ([first, second], port)
        } catch let error as IOError where error.errnoCode == EADDRINUSE && options.port != 0 {
            // A browser that is told "localhost" may ask the other program.
            throw failure(error, other, port)
        } catch {
            // A machine without IPv6 does without.
            return ([first], port)
        }
    }

    private static func failure(_ error: any Error, _ address: String, _ port: Int) -> StandError {
        let code = (error as? IOError)?.errnoCode
        if code == EADDRINUSE { return .portInUse(address: address, port: port) }
        return .cannotListen(
            address: address, port: port, reason: code.map { String(cString: strerror($0)) } ?? "\(error)")
    }

    private static func bootstrap(
        _ options: StandOptions, _ group: MultiThreadedEventLoopGroup, _ hub: NIOLoopBound<StandHub>,
        _ gate: NIOLoopBoundBox<Gate?>
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 128 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let gate = gate.value else { throw StandError.full }
                    try gate.connections.admit(channel)
                    try configure(channel, gate, hub.value)
                }
            }
    }

    /// A connection speaks HTTP until it becomes a device.
    private static func configure(_ channel: any Channel, _ gate: Gate, _ hub: StandHub) throws {
        let guardian = RequestGuard(hub.options.limits)
        let answers = HTTPAnswers(gate: gate, hub: hub, guardian: guardian)
        let bound = NIOLoopBound((gate, hub, guardian, answers), eventLoop: channel.eventLoop)
        let limits = hub.options.limits
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: limits.messageBytes,
            shouldUpgrade: { channel, head in
                let (gate, _, guardian, _) = bound.value
                let isWelcome =
                    head.uri == "/live" && Gate.isHandshake(head)
                    && gate.verdict(head, on: channel, isLive: true) == .welcome
                if isWelcome {
                    guardian.becomeLive()
                    gate.connections.becomeLive(channel)
                }
                return channel.eventLoop.makeSucceededFuture(isWelcome ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        MaskGuard(),
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: limits.continuations,
                            maxAccumulatedFrameSize: limits.messageBytes),
                        LiveDevice(bound.value.1),
                    ])
                }
            })
        let pipeline = channel.pipeline.syncOperations
        try hub.options.encryption?.encrypt(channel)
        try pipeline.addHandler(guardian)
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: true,
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { context in
                    context.pipeline.syncOperations.removeHandler(bound.value.3, promise: nil)
                }
            ), withErrorHandling: true)
        try pipeline.addHandler(answers)
    }
}

/// The report that the hub made last.
private final class LatestReport: Sendable {
    let report = Mutex(StandReport())
}
