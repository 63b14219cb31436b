internal import NIOCore
internal import NIOPosix
internal import NIOWebSocket
internal import Transport

/// What all devices share: the course, commands, marks. Used on the event loop only; whatever waits runs on `threads`.
final class StandHub {
    let options: StandOptions
    let store: StandStore
    let queue: TransportQueue
    let loop: any EventLoop
    let threads: StandThreads
    let shelf: ScoreShelf
    let server = Identity.random()
    private(set) var devices: [ObjectIdentifier: LiveDevice] = [:]
    private(set) var course = PlayCourse()
    var stage = PlayStage()
    /// The song of a kept set list that was chosen since.
    var chosen: StoredSong?
    /// Whether that was chosen in an earlier run, with which this one goes on.
    var keepsSong = false
    /// What is in the folder, as far as it has been looked at.
    var list = ScoreList()
    /// When the folder is looked at again, whether that is under way, and those who wait for it.
    let looking: Pace
    var isLooking = false
    var waitingForList: [() -> Void] = []
    /// When the set lists are told again.
    let tellingSets: Pace
    /// The scores whose bars are being found, or were.
    var searched: Set<String> = []
    var texts = ScoreTexts()
    /// Commands on their way, with those who wait for their outcome, and the outcomes of the last ones.
    private var waiting: [String: [LiveDevice]] = [:]
    private var outcomes: [String: TransportOutcome] = [:]
    private var outcomeOrder: [String] = []
    private(set) var newestChange: Int64 = 0
    /// Told when devices come and go.
    var report: (@Sendable (StandReport) -> Void)?

    init(
        _ options: StandOptions, shelf: ScoreShelf, queue: TransportQueue, loop: any EventLoop, threads: StandThreads
    ) throws {
        (self.options, store, self.shelf, self.queue) = (options, shelf.store, shelf, queue)
        (self.loop, self.threads) = (loop, threads)
        (looking, tellingSets) = (Pace(loop, Self.stepOfList), Pace(loop, Self.stepOfSets))
        newestChange = try store.newestChange()
        if options.goesOn {
            chosen = try store.keptSong()
            keepsSong = chosen != nil
        }
        // Before the first device comes.
        lookForScores()
    }

    /// Runs what may wait for the store, one after the other.
    func work<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> EventLoopFuture<Value> {
        threads.store.runIfActive(eventLoop: loop, body)
    }

    /// Runs what may wait for a program that draws a page.
    func draw<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> EventLoopFuture<Value> {
        threads.drawing.runIfActive(eventLoop: loop, body)
    }

    /// Runs what reads a piece of a picture.
    func fetch<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> EventLoopFuture<Value> {
        threads.pieces.runIfActive(eventLoop: loop, body)
    }

    /// Runs what reads the folder.
    func look(_ body: @escaping @Sendable () -> Void) -> EventLoopFuture<Void> {
        threads.folder.runIfActive(eventLoop: loop, body)
    }

    // MARK: Devices

    /// Adds a device; false when there are enough. One that has not said who it is gives way.
    func add(_ device: LiveDevice) -> Bool {
        if devices.count >= options.limits.devices {
            guard let stranger = devices.values.first(where: { $0.name == nil }) else { return false }
            remove(stranger)
            stranger.close(.policyViolation)
        }
        devices[ObjectIdentifier(device)] = device
        tellDevices()
        return true
    }

    func remove(_ device: LiveDevice) {
        guard devices.removeValue(forKey: ObjectIdentifier(device)) != nil else { return }
        tellDevices()
    }

    /// Tells everyone how many there are, and how well they know the time: half the shortest way there and back bounds the
    /// error of a clock.
    func tellDevices() {
        let news = StandReport(
            devices: devices.values.filter { $0.name != nil }.count,
            clockError: devices.values.compactMap(\.clockError).max())
        broadcast(
            .devices,
            ServerMessage.Devices(count: news.devices, clockErrorMs: ((news.clockError ?? 0) * 1e5).rounded() / 100))
        report?(news)
    }

    func broadcast(_ topic: StandTopic, _ message: some Encodable) {
        let text = ServerMessage.text(message)
        for device in devices.values where device.isWelcome { device.tell(topic, text) }
    }

    // MARK: Course

    func publish(_ course: PlayCourse) {
        self.course = course
        broadcast(.course, CourseMessage(course, clock: options.clock))
    }

    // MARK: Commands

    /// Passes a command on. One that came before gets the same answer.
    func take(_ command: TransportCommand, from device: LiveDevice) {
        if let outcome = outcomes[command.id] { return device.answer(command.id, outcome) }
        if waiting[command.id] != nil {
            waiting[command.id]?.append(device)
        } else if queue.push(command) {
            waiting[command.id] = [device]
        } else {
            device.answer(command.id, .refused(problem: "too many commands wait", remedy: "try again"))
        }
    }

    /// Passes on what became of a command.
    func settle(_ id: String, _ outcome: TransportOutcome) {
        outcomes[id] = outcome
        outcomeOrder.append(id)
        // A device resends within a minute or not at all.
        if outcomeOrder.count > 4_096 { outcomes[outcomeOrder.removeFirst()] = nil }
        for device in waiting.removeValue(forKey: id) ?? [] { device.answer(id, outcome) }
    }

    // MARK: Marks

    /// Stores marks, and sends them to everyone, the one who made them included.
    func take(_ marks: Marks, from device: LiveDevice) {
        let (store, name) = (store, device.identity)
        device.work {
            try store.apply(marks, from: name)
        } then: { [self] newest in
            newestChange = max(newestChange, newest)
            for device in devices.values { device.sendMarks() }
        }
    }
}

/// Who is there.
package struct StandReport: Sendable, Equatable {
    package var devices = 0
    /// The largest error that the clock of a device can have, in seconds; `nil` before any was measured.
    package var clockError: Double?
}
