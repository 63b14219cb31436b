internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

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
            return answer(context, head, .seeOther, headers: [("set-cookie", cookie), ("location", "/")])
        case .refused(let status, let words): return refuse(context, head, status, words)
        case .welcome: break
        }
        guard head.method == .GET || head.method == .HEAD else {
            return refuse(context, head, .methodNotAllowed, "This music stand only shows.")
        }
        if path == "/live" { return refuse(context, head, .upgradeRequired, "Connect by WebSocket.") }
        if let file = PageFiles.all[String(path)] {
            return answer(context, head, .ok, file.contentType, ByteBuffer(bytes: file.bytes))
        }
        guard let request = PageRequest(path: path) else { return notFound(context, head) }
        let bound = NIOLoopBound((context, head), eventLoop: context.eventLoop)
        hub.picture(of: request).assumeIsolated().whenComplete { [self] result in
            let (context, head) = bound.value
            switch result {
            case .success(let picture?):
                answer(
                    context, head, .ok, picture.contentType, ByteBuffer(bytes: picture.bytes), isKept: true)
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
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus, _ words: String
    ) {
        answer(context, head, status, "text/plain; charset=utf-8", ByteBuffer(string: words + "\n"))
    }

    private func answer(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus,
        _ contentType: String? = nil, _ body: ByteBuffer = ByteBuffer(), isKept: Bool = false,
        headers: [(String, String)] = []
    ) {
        guard context.channel.isActive else { return }
        guardian.requestDone(context.channel, answered: body.readableBytes)
        var all = HTTPHeaders(Self.securityHeaders + headers)
        if let contentType { all.add(name: "content-type", value: contentType) }
        all.add(name: "content-length", value: "\(body.readableBytes)")
        // A picture has the content of its score in its address, by way of the score's id: it never changes.
        all.add(name: "cache-control", value: isKept ? "private, max-age=86400" : "no-store")
        if !head.isKeepAlive { all.add(name: "connection", value: "close") }
        let answer = HTTPResponseHead(version: .http1_1, status: status, headers: all)
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
        if head.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let sent = context.eventLoop.makePromise(of: Void.self)
        if !head.isKeepAlive { sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
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
