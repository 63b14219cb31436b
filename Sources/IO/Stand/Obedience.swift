internal import NIOCore
internal import NIOWebSocket
internal import Transport

/// What the server does with the messages of a device.
extension LiveDevice {
    func obey(_ message: DeviceMessage, received: Int64) {
        switch message {
        case .hello, .ping: break
        case .open(let score): hub.open(score, on: self)
        case .device(let sliders): keep(sliders)
        case .command(let command): pass(command)
        case .marks(let marks):
            guard mayWrite() else { return }
            guard marks.isWhole else { return close(.unacceptableData) }
            hub.take(marks, from: self)
        case .bars(let bars):
            guard mayWrite(bars.id) else { return }
            guard bars.isWhole else { return close(.unacceptableData) }
            hub.take(bars, from: self)
        case .setList(let change):
            guard mayWrite(change.id) else { return }
            hub.take(change, from: self)
        case .song(let song):
            guard mayWrite() else { return }
            hub.play(song: song, on: self)
        case .order(let order):
            guard mayWrite(order.id) else { return }
            guard PageRequest.isIdentity(order.score), order.id.map(PageRequest.isIdentity) ?? true,
                order.text.utf8.count <= 4_096, order.first.map((-9_999...99_999).contains) ?? true
            else {
                return close(.unacceptableData)
            }
            hub.take(order, from: self)
        case .scores: hub.lookForScores()
        }
    }

    /// Tells an audience that it cannot write; `change` is the id of what it wants to.
    private func mayWrite(_ change: String? = nil) -> Bool {
        if hub.options.isReadOnly { refuse(change, RefusedMessage.readOnly) }
        return !hub.options.isReadOnly
    }

    private func pass(_ command: DeviceMessage.Command) {
        guard PageRequest.isIdentity(command.id) else { return close(.unacceptableData) }
        if hub.options.isReadOnly {
            let refusal = RefusedMessage.readOnly
            return answer(command.id, .refused(problem: refusal.problem, remedy: refusal.remedy))
        }
        switch command.action() {
        case .failure(let refusal):
            answer(command.id, .refused(problem: refusal.problem, remedy: refusal.remedy))
        case .success(let action):
            let reading = command.at.flatMap { Int64(exactly: $0.rounded()) } ?? hub.options.clock.now
            hub.take(
                TransportCommand(
                    id: command.id, action: action, when: TransportCommand.When(rawValue: command.when ?? "") ?? .now,
                    pressed: hub.options.clock.moment(ofReading: reading)),
                from: self)
        }
    }

    private func keep(_ sliders: DeviceMessage.Sliders) {
        let range = -1_000.0...1_000
        let times = [sliders.light, sliders.felt].compactMap { $0 }
        guard times.allSatisfy({ range.contains($0) }) else { return close(.unacceptableData) }
        let (store, id, name) = (hub.store, identity, sliders.name.map { $0.shortened(to: DeviceMessage.longestName) })
        let (light, felt) = (sliders.light, sliders.felt)
        guard !hub.options.isReadOnly else { return }
        work {
            try store.keep(name: name, light: light, felt: felt, of: id)
        } then: { _ in
        }
    }
}
