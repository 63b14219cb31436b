internal import Music
internal import NIOCore
internal import NIOWebSocket
internal import Transport

/// What a device is told again and again: only the newest of each counts.
enum StandTopic: Hashable { case course, devices, scores, score, sets, stage }

/// What the server sends to a device. Whoever does not read is kept nothing but the newest of each topic, and leaves soon.
extension LiveDevice {
    /// More at a time than one hand asks for; then the device is not read from until the store has answered.
    private static let mostUnanswered = 16

    func send(_ text: ByteBuffer) { write(.text, text) }

    /// Sends the newest of a topic, or keeps it until what went before is read.
    func tell(_ topic: StandTopic, _ text: ByteBuffer) {
        unsent.removeAll { $0.topic == topic }
        unsent.append((topic, text))
        sendUnsent()
    }

    func sendUnsent() {
        while context?.channel.isWritable == true, !unsent.isEmpty { send(unsent.removeFirst().text) }
    }

    /// Sends the changes that the device does not have, as fast as it reads them.
    func sendMarks() {
        guard isWelcome, !isFetching, sentChange < hub.newestChange, context?.channel.isWritable == true else {
            return
        }
        isFetching = true
        let (store, since) = (hub.store, sentChange)
        hub.work { try store.marks(since: since) }.assumeIsolated().whenComplete { [self] result in
            isFetching = false
            guard case .success(let marks) = result, let last = marks.last else { return }
            sentChange = last.sequence
            send(ServerMessage.text(MarksMessage(marks)))
            sendMarks()
        }
    }

    func answer(_ id: String, _ outcome: TransportOutcome) {
        switch outcome {
        case .done: send(ServerMessage.text(ServerMessage.Done(id: id)))
        case .refused(let problem, let remedy):
            send(ServerMessage.text(ServerMessage.Refused(id: id, problem: problem, remedy: remedy)))
        }
    }

    /// Tells an error without closing.
    func fail(_ error: any Error) {
        let words = error as? any ExplainedError
        send(
            ServerMessage.text(
                ServerMessage.Failure(problem: words?.problem ?? "\(error)", remedy: words?.remedy ?? "try again")))
    }

    func close(_ code: WebSocketErrorCode) {
        guard let context else { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        write(.connectionClose, data)
        // Whoever does not read gets no more.
        context.close(promise: nil)
    }

    func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard let context, context.channel.isActive else { return }
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }

    // MARK: Work

    /// Does what the device asked for, and answers; reports an error to it.
    ///
    /// - Parameter change: the id of a change, which the device keeps until it is told what became of that.
    func work<Value: Sendable>(
        settling change: String? = nil, _ body: @escaping @Sendable () throws -> Value,
        then answer: @escaping (Value) -> Void
    ) {
        unanswered += 1
        if unanswered == Self.mostUnanswered { read(false) }
        hub.work(body).assumeIsolated().whenComplete { [self] result in
            unanswered -= 1
            if unanswered == Self.mostUnanswered - 1 { read(true) }
            switch result {
            case .success(let value):
                answer(value)
                if let change { self.answer(change, .done) }
            case .failure(let error): refuse(change, error)
            }
        }
    }

    /// Tells that what was asked for has no effect.
    func refuse(_ change: String?, _ error: any Error) {
        guard let change else { return fail(error) }
        let words = error as? any ExplainedError
        answer(change, .refused(problem: words?.problem ?? "\(error)", remedy: words?.remedy ?? "try again"))
    }

    private func read(_ reads: Bool) {
        // A connection that is gone needs no reader.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: reads)
    }
}
