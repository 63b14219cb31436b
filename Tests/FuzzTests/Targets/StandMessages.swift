import NIOCore
import NIOEmbedded
import NIOWebSocket
import Transport

@testable import Stand

extension FuzzTarget {
    /// What a device sends to the music stand: one message.
    static let standMessage = FuzzTarget(name: "stand-message", longest: 4_096) { bytes in check(Array(bytes)) }

    /// What a connection of a device sends: frames, whole or in parts, in blocks of up to 255 bytes.
    static let standFrames = FuzzTarget(name: "stand-frames", longest: 4_096) { bytes in
        let limits = StandLimits(), messages = ReceivedMessages()
        let channel = EmbeddedChannel()
        do {
            try channel.pipeline.syncOperations.addHandlers([
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.messageBytes)), MaskGuard(),
                MaskedFrames(),
                NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: limits.continuations,
                    maxAccumulatedFrameSize: limits.messageBytes), messages,
            ])
            // The first byte says how the rest arrives.
            var rest = bytes.dropFirst()[...]
            let block = max(1, Int(bytes.first ?? 255))
            while !rest.isEmpty {
                try channel.writeInbound(ByteBuffer(bytes: rest.prefix(block)))
                rest = rest.dropFirst(block)
            }
        } catch {
            // No frames of the protocol: the connection is closed.
        }
        for message in messages.texts {
            precondition(message.count <= limits.messageBytes)
            check(message)
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// A path of a request, and the host and origin that it names.
    static let standRequest = FuzzTarget(name: "stand-request", longest: 512) { bytes in
        let words = bytes.words
        if let request = PageRequest(path: words[0][...]) {
            precondition(PageRequest.isIdentity(request.score) && request.number >= 1)
            precondition(PageRequest.widths.contains(request.width))
        }
        let hosts = HostList(port: 8_462, isOnLAN: false)
        for host in words {
            guard hosts.allows(host, arrivedAt: nil) else { continue }
            precondition(["localhost:8462", "127.0.0.1:8462", "[::1]:8462"].contains(host.lowercased()))
            for origin in words where hosts.allows(origin: origin, host: host) {
                precondition(["http://\(host)", "https://\(host)"].contains { $0.lowercased() == origin.lowercased() })
            }
        }
    }

    private static func check(_ bytes: [UInt8]) {
        switch DeviceMessage(decoding: bytes) {
        case .command(let command): if case .success(.tempo(let tempo)) = command.action() { precondition(tempo > 0) }
        case .marks(let marks) where marks.isWhole:
            precondition((marks.make ?? []).allSatisfy { $0.body.utf8.count <= Marks.Mark.longestBody })
        case .bars(let bars) where bars.isWhole: precondition(bars.systems.count <= 64)
        case .setList(let change): precondition(PageRequest.isIdentity(change.set))
        default: break
        }
    }
}

/// Sees that the guard before it lets no frame through that has no mask.
private final class MaskedFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        precondition(unwrapInboundIn(data).maskKey != nil)
        context.fireChannelRead(data)
    }
}

/// The texts that come through the frames.
private final class ReceivedMessages: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    var texts: [[UInt8]] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.opcode == .text { texts.append(Array(frame.unmaskedData.readableBytesView)) }
    }
}
