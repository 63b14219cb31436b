internal import NIOCore
internal import NIOWebSocket

/// Scores and their bars.
extension StandHub {
    /// Welcomes a device that has said hello: who is there, the course, the marks that it does not have.
    func greet(_ device: LiveDevice) {
        let (shelf, store, id, name) = (shelf, store, device.identity, device.name ?? "")
        work { (try shelf.names(), shelf.leftOut(), try store.sets(), try store.sliders(of: id, name: name)) }
            .assumeIsolated().whenComplete {
                [self] result in
                guard case .success(let (scores, leftOut, kept, sliders)) = result else {
                    if case .failure(let error) = result { device.fail(error) }
                    return device.close(.unexpectedServerError)
                }
                let stage = message(of: scores)
                device.send(
                    ServerMessage.text(
                        ServerMessage.Welcome(
                            server: server, readOnly: options.isReadOnly, program: options.program, scores: scores,
                            leftOut: leftOut,
                            sets: sets(scores, kept), score: stage.score,
                            device: .init(light: sliders.light, felt: sliders.felt),
                            devices: devices.values.count { $0.name != nil })))
                device.send(ServerMessage.text(stage))
                device.sendCourse(ServerMessage.text(CourseMessage(course, clock: options.clock)))
                device.sendMarks()
                tellDevices()
            }
    }

    /// Sends a score to a device, and sends it to all again as its bars are found.
    func open(_ score: String, on device: LiveDevice) {
        let shelf = shelf
        work { (try shelf.score(score), try shelf.unseenPages(of: score)) }.assumeIsolated().whenComplete {
            [self] result in
            switch result {
            case .success((let message?, let unseen)):
                device.send(ServerMessage.text(message))
                look(for: score, on: unseen)
            case .success((nil, _)):
                device.fail(RefusedMessage(problem: "there is no such score any more", remedy: "choose another one"))
            case .failure(let error): device.fail(error)
            }
        }
    }

    /// Finds the bars of pages, one after the other. The first page is told at once, as a player waits for it.
    private func look(for score: String, on pages: [Int]) {
        guard !pages.isEmpty, !searched.contains(score) else { return }
        searched.insert(score)
        let shelf = shelf
        func tell() {
            work { try shelf.score(score) }.assumeIsolated().whenSuccess { [self] in
                if let message = $0 { broadcast(message) }
            }
        }
        func find(_ index: Int) {
            guard index < pages.count else { return tell() }
            // A page whose bars cannot be found is marked by hand.
            work { try? shelf.findBars(ofPage: pages[index], of: score) }.assumeIsolated().whenComplete { _ in
                if index == 0, pages.count > 1 { tell() }
                find(index + 1)
            }
        }
        find(0)
    }

    /// Keeps the bars of a page as a player corrected them, and tells everyone.
    func take(_ bars: PageBars, from device: LiveDevice) {
        let (store, shelf) = (store, shelf)
        let kept = work {
            try store.keep(bars)
            return try shelf.score(bars.score)
        }
        tell(kept, to: device)
    }

    func take(_ order: DeviceMessage.Order, from device: LiveDevice) {
        let (store, shelf) = (store, shelf)
        let kept = work {
            try store.keep(order: order.text, firstBar: order.first, of: order.score)
            return try shelf.score(order.score)
        }
        tell(kept, to: device)
    }

    private func tell(_ score: EventLoopFuture<ScoreMessage?>, to device: LiveDevice) {
        score.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let message?): broadcast(message)
            case .success(nil): break
            case .failure(let error): device.fail(error)
            }
        }
    }

    /// Draws a page, or finds it drawn.
    func picture(of request: PageRequest) -> EventLoopFuture<ServedPicture?> {
        let shelf = shelf
        return work { try shelf.picture(of: request) }
    }
}
