internal import NIOCore
internal import NIOWebSocket
internal import ScorePages

/// Scores and their bars.
extension StandHub {
    /// How long a device waits for a folder that is being read before it is shown the part that is known.
    private static let patience: TimeAmount = .milliseconds(500)
    /// How often the list is told as it grows.
    private static let stepOfList: TimeAmount = .seconds(1)

    /// Welcomes a device that has said hello: who is there, the course, the marks that it does not have.
    func greet(_ device: LiveDevice) {
        lookForScores()
        whenListed { [self] in
            let (store, id, name) = (store, device.identity, device.name ?? "")
            let isKept = !options.isReadOnly
            work { (try store.sets(), try store.sliders(of: id, name: name, isKept: isKept)) }
                .assumeIsolated().whenComplete { [self] result in
                    switch result {
                    case .success(let (kept, sliders)): welcome(device, kept, sliders)
                    case .failure(let error):
                        device.fail(error)
                        device.close(.unexpectedServerError)
                    }
                }
        }
    }

    private func welcome(_ device: LiveDevice, _ kept: [StoredSet], _ sliders: DeviceSliders?) {
        let stage = stageMessage
        device.send(
            ServerMessage.text(
                ServerMessage.Welcome(
                    server: server, readOnly: options.isReadOnly, program: options.program, scores: list.scores,
                    leftOut: list.leftOut, sets: sets(kept), score: stage.score,
                    device: sliders.map { .init(light: $0.light, felt: $0.felt) },
                    devices: devices.values.count { $0.name != nil })))
        device.isWelcome = true
        device.tell(.stage, ServerMessage.text(stage))
        device.tell(.course, ServerMessage.text(CourseMessage(course, clock: options.clock)))
        device.sendMarks()
        tellDevices()
    }

    // MARK: The folder

    /// Looks what is in the folder, and tells everyone where that has changed.
    func lookForScores() {
        guard !isLooking else { return looksAgain = true }
        (isLooking, looksAgain) = (true, false)
        let shelf = shelf
        showGrowing()
        look { shelf.look() }.assumeIsolated().whenComplete { [self] _ in
            isLooking = false
            adopt(shelf.list())
            for waiting in waitingForList { waiting() }
            waitingForList = []
            if looksAgain { lookForScores() }
        }
    }

    /// Tells the list from time to time while a folder is being read for the first time.
    private func showGrowing() {
        loop.assumeIsolated().scheduleTask(in: Self.stepOfList) { [weak self] in
            guard let self, isLooking else { return }
            adopt(shelf.list())
            showGrowing()
        }
    }

    private func adopt(_ news: ScoreList) {
        guard news != list else { return }
        let before = stageMessage
        list = news
        broadcast(.scores, ServerMessage.Scores(scores: news.scores, leftOut: news.leftOut))
        tellSets()
        if stageMessage != before { tellStage() }
    }

    /// Waits until the folder has been looked at, but not for long.
    private func whenListed(_ body: @escaping () -> Void) {
        guard isLooking else { return body() }
        var isDone = false
        func once() {
            guard !isDone else { return }
            isDone = true
            body()
        }
        waitingForList.append(once)
        loop.assumeIsolated().scheduleTask(in: Self.patience) { [self] in
            if !isDone { adopt(shelf.list()) }
            once()
        }
    }

    // MARK: One score

    /// Sends a score to a device, and sends it again as its bars are found.
    func open(_ score: String, on device: LiveDevice) {
        let shelf = shelf
        device.score = score
        device.work {
            (try shelf.score(score), try shelf.unseenPages(of: score))
        } then: { [self] message, unseen in
            guard let message else {
                return device.fail(
                    RefusedMessage(problem: "there is no such score any more", remedy: "choose another one"))
            }
            if device.score == score { device.tell(.score, ServerMessage.text(message)) }
            look(for: score, on: unseen)
        }
    }

    /// Finds the bars of pages, one after the other. The first page is told at once, as a player waits for it.
    private func look(for score: String, on pages: [Int]) {
        guard !pages.isEmpty, !searched.contains(score) else { return }
        searched.insert(score)
        let shelf = shelf
        func find(_ index: Int) {
            guard index < pages.count else { return tell(score) }
            // A page whose bars cannot be found is marked by hand.
            let page = pages[index]
            draw { try? shelf.findBars(ofPage: page, of: score) }.assumeIsolated().whenComplete { [self] result in
                // Whoever opens it when its file is there again has the others looked at then.
                if case .success(false?) = result {
                    searched.remove(score)
                    return tell(score)
                }
                if index == 0, pages.count > 1 { tell(score) }
                find(index + 1)
            }
        }
        find(0)
    }

    /// Tells those who look at a score what it is now.
    private func tell(_ score: String) {
        let shelf = shelf
        work { try shelf.score(score) }.assumeIsolated().whenSuccess { [self] in
            guard let message = $0 else { return }
            let text = ServerMessage.text(message)
            for device in devices.values where device.score == score { device.tell(.score, text) }
        }
    }

    /// Keeps the bars of a page as a player corrected them, and tells everyone.
    func take(_ bars: PageBars, from device: LiveDevice) {
        let store = store
        device.work(settling: bars.id) {
            try store.keep(bars)
        } then: { [self] in
            tell(bars.score)
        }
    }

    func take(_ order: DeviceMessage.Order, from device: LiveDevice) {
        let store = store
        device.work(settling: order.id) {
            try store.keep(order: order.text, firstBar: order.first, of: order.score)
        } then: { [self] in
            tell(order.score)
        }
    }

    /// Draws a page, or finds it drawn.
    func picture(of request: PageRequest) -> EventLoopFuture<PictureFile?> {
        let shelf = shelf
        return fetch { try shelf.drawnPicture(of: request) }.assumeIsolated().flatMap { [self] picture in
            picture.map { loop.makeSucceededFuture($0) } ?? draw { try shelf.picture(of: request) }
        }.nonisolated()
    }
}
