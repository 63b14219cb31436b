internal import NIOCore
internal import NIOWebSocket

/// Closes a connection whose client does not mask its frames, as RFC 6455 (section 5.1) demands: what masks protects is other
/// people's proxies. Reserved bits mean nothing here and close it too.
final class MaskGuard: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private var isClosed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        let frame = unwrapInboundIn(data)
        guard frame.maskKey != nil, frame.reservedBits.isEmpty else {
            isClosed = true
            var code = ByteBuffer()
            code.write(webSocketErrorCode: .protocolError)
            let close = WebSocketFrame(fin: true, opcode: .connectionClose, data: code)
            context.writeAndFlush(wrapOutboundOut(close), promise: nil)
            return context.close(promise: nil)
        }
        context.fireChannelRead(data)
    }
}
