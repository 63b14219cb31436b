internal import Configuration
internal import Platform
internal import Stand
internal import TerminalUI
internal import Transport

/// Lets the server go along with the metronome.
final class StandCompanion: PlayCompanion {
    let queue: TransportQueue
    private let server: StandServer
    private let clock: StandClock
    private var log: HeardLog?
    private let address: String
    private let code: [String]
    private let place: PlayingPlace
    private let serving: ServingOptions

    init(folder: String, _ serving: ServingOptions) throws {
        var options = try serving.options()
        queue = try TransportQueue()
        clock = options.clock
        log = try serving.heardLog.map { try HeardLog(path: $0, clock: options.clock) }
        let store = try StandStore()
        place = PlayingPlace(store, plan: CommandLine.arguments.dropFirst().joined(separator: " "))
        options.goesOn = place.run != nil
        options.token = try serving.token(goesOn: options.goesOn)
        self.serving = serving
        server = try StandServer(options, shelf: ScoreShelf(folder: folder, store: store), queue: queue)
        address = server.addresses.first ?? ""
        code = serving.isOnLAN ? CodePicture.lines(of: address) : []
        complain("musicstand", "open \(address)")
    }

    deinit {
        place.clear()
        serving.forgetToken()
        server.stop()
    }

    var resumed: PlayRun? { place.run }

    func keep(_ run: PlayRun) { place.keep(run) }

    func publish(_ course: PlayCourse) { server.publish(course) }

    func show(_ stage: PlayStage) { server.show(stage) }

    func settle(_ id: String, _ outcome: TransportOutcome) { server.settle(id, outcome) }

    func hear(_ beat: CourseBeat) { log?.write(beat) }

    var status: CompanionStatus {
        let report = server.report
        var status = CompanionStatus()
        (status.address, status.code) = (address, code)
        (status.devices, status.clockError) = (report.devices, report.clockError)
        return status
    }
}
