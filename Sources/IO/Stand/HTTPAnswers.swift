internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket
internal import ScorePages

/// Answers requests for the page and for pictures of scores. Everything else does not exist: no path reaches a file.
final class HTTPAnswers: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: Gate
    private let hub: StandHub
    private let guardian: RequestGuard

    init(gate: Gate, hub: StandHub, guardian: RequestGuard) {
        (self.gate, self.hub, self.guardian) = (gate, hub, guardian)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        // A browser reads an answer before it asks again. Whoever asks on and on, and reads nothing, would fill the memory.
        guard context.channel.isWritable else { return context.close(promise: nil) }
        guardian.requestDone(context.channel)
        let path = head.uri.prefix { $0 != "?" }
        switch gate.verdict(head, on: context.channel, isLive: path == "/live") {
        case .redirected(let cookie):
            gate.connections.welcome(context.channel)
            return answer(context, head, .seeOther, headers: [("set-cookie", cookie), ("location", "/")])
        // Whoever is refused could otherwise keep a connection for as long as he likes.
        case .refused(let status, let words): return refuse(context, head, status, words, closes: true)
        case .welcome: gate.connections.welcome(context.channel)
        }
        guard head.method == .GET || head.method == .HEAD else {
            return refuse(context, head, .methodNotAllowed, "This music stand only shows.")
        }
        if path == "/live" { return refuse(context, head, .upgradeRequired, "Connect by WebSocket.") }
        if let file = PageFiles.all[String(path)] {
            return answer(context, head, .ok, file.contentType, ByteBuffer(bytes: file.bytes))
        }
        guard let request = PageRequest(path: path) else { return notFound(context, head) }
        guardian.answerComes(on: context.channel)
        let bound = NIOLoopBound((context, head), eventLoop: context.eventLoop)
        hub.picture(of: request).assumeIsolated().whenComplete { [self] result in
            let (context, head) = bound.value
            switch result {
            case .success(let picture?): send(picture, context, head)
            case .success(nil): notFound(context, head)
            case .failure: refuse(context, head, .internalServerError, "This page cannot be drawn.")
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A connection that may not be a device gets an answer that says why, as a request for a page does.
        if error is NIOWebSocketUpgradeError { return }
        context.close(promise: nil)
    }

    private func notFound(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        refuse(context, head, .notFound, "There is nothing here.")
    }

    private func refuse(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus, _ words: String,
        closes: Bool = false
    ) {
        answer(
            context, head, status, "text/plain; charset=utf-8", ByteBuffer(string: words + "\n"), closes: closes)
    }

    private func answer(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus,
        _ contentType: String? = nil, _ body: ByteBuffer = ByteBuffer(), headers: [(String, String)] = [],
        closes: Bool = false
    ) {
        guard context.channel.isActive else { return }
        var headers = headers
        if let contentType { headers.append(("content-type", contentType)) }
        begin(context, head, status, headers + [("cache-control", "no-store")], body.readableBytes, closes: closes)
        if head.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        end(context, head, closes: closes)
    }

    private func begin(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus,
        _ headers: [(String, String)], _ byteCount: Int, closes: Bool = false
    ) {
        guardian.requestDone(context.channel, answered: byteCount)
        var all = HTTPHeaders(Self.securityHeaders + headers)
        all.add(name: "content-length", value: "\(byteCount)")
        if closes || !head.isKeepAlive { all.add(name: "connection", value: "close") }
        let answer = HTTPResponseHead(version: .http1_1, status: status, headers: all)
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, closes: Bool = false) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        if closes || !head.isKeepAlive {
            sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    // MARK: Pictures

    /// What is read of a picture at a time: 6 MB a second from a disk that takes 5 ms, and 2 MB for all connections.
    private static let pieceBytes = 32 << 10

    /// Sends a picture piece by piece, the next one when the last was taken. So those who read slowly fill no memory.
    private func send(_ picture: PictureFile, _ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        guard context.channel.isActive else { return }
        // A picture has the content of its score in its address, by way of the score's id: it never changes.
        let headers = [("content-type", picture.contentType), ("cache-control", "private, max-age=86400")]
        begin(context, head, .ok, headers, picture.byteCount)
        guard head.method != .HEAD else { return end(context, head) }
        sendPiece(of: picture, from: 0, context, head)
    }

    private func sendPiece(
        of picture: PictureFile, from offset: Int, _ context: ChannelHandlerContext, _ head: HTTPRequestHead
    ) {
        guard offset < picture.byteCount else { return end(context, head) }
        let count = min(Self.pieceBytes, picture.byteCount - offset)
        hub.fetch { try picture.read(from: offset, atMost: count) }.assumeIsolated().whenComplete { [self] result in
            guard context.channel.isActive else { return }
            // A file that was cut short since: the length that was told is never reached.
            guard case .success(let bytes) = result, bytes.count == count else { return context.close(promise: nil) }
            let taken = context.eventLoop.makePromise(of: Void.self)
            taken.futureResult.assumeIsolated().whenSuccess { [self] in
                sendPiece(of: picture, from: offset + count, context, head)
            }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: taken)
        }
    }

    /// The page runs its own scripts and nothing else, stands in no frame, and tells nobody where it comes from.
    static let securityHeaders = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "same-origin"),
    ]
}
