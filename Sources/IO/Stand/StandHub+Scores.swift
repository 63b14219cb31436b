internal import NIOCore
internal import NIOWebSocket
internal import ScorePages

/// Scores and their bars.
extension StandHub {
    /// How long a device waits for a folder that is being read before it is shown the part that is known.
    private static let patience: TimeAmount = .milliseconds(500)
    /// How often the list is told as it grows, and the folder looked at.
    static let stepOfList: TimeAmount = .seconds(1)

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

    /// Looks what is in the folder, and tells everyone where that has changed; again after a moment, if anyone has asked
    /// meanwhile.
    func lookForScores() {
        looking.run { [self] done in
            isLooking = true
            let shelf = shelf
            showGrowing()
            look { shelf.look() }.assumeIsolated().whenComplete { [self] _ in
                isLooking = false
                adopt(shelf.list())
                for waiting in waitingForList { waiting() }
                waitingForList = []
                done()
            }
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
        // A score may be gone, or have another name.
        texts.known = [:]
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
}
