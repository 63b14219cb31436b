package import Music
package import Timebase
package import Transport

/// The state of the metronome's display: the beat that is heard, and what the player has set. It has no clock: callers
/// pass the time in seconds.
package struct MetronomeModel: Sendable {
    /// The words of the command line.
    package var title = ""
    package var sound = ""
    package var volume = 0.0.decibels
    /// Whether the player has muted the sound.
    package var isMuted = false
    package var showsHelp = false
    package var keys: [KeyHelp] = []
    /// Whether the number of the beat fills the screen.
    package var isBig = false
    package var flashes = false
    /// The tempo that is being typed.
    package var entry: String?
    /// What is being edited, the longest text first: it takes the place of the footer.
    package var prompt: [String]?
    /// A problem of the device, while it lasts.
    package var trouble: String?
    /// Who goes along with what plays; `nil`: nobody.
    package var companion: CompanionStatus?
    /// Whether the player wants the code of the address to be seen or hidden, against the rule that it is seen until somebody
    /// has come.
    package var togglesCode = false
    /// What a microphone hears of the player; `nil`: nobody listens.
    package var notes: HeardNotes?
    /// The player who leads; `nil`: the plan does.
    package var leads: FollowedPlayer?
    package private(set) var place: BeatPlace
    package private(set) var beat: BeatEvent?
    /// The parts of the beats and the other voices of the bar; the part that was heard last, and how many strokes of each
    /// voice were.
    private(set) var strokes = BarStrokes()
    private(set) var part: Int32 = 0
    private(set) var voices: [Int32: Int] = [:]
    package private(set) var isRunning = true
    /// Whole seconds since the first beat.
    package private(set) var elapsed = 0
    /// Whether the whole screen is lit.
    package private(set) var isFlashing = false
    private(set) var grid: PlanGrid
    private var message: (text: String, until: Double)?
    private var limiter = FlashLimiter()
    private var flashEnd = Double.infinity
    private var start: Double?
    private var now = 0.0

    /// A tenth of a second: long enough for a slow screen.
    private static let flashSeconds = 0.1
    /// Two seconds: long enough to read.
    private static let messageSeconds = 2.0

    package init(grid: PlanGrid) { (self.grid, place) = (grid, grid.place(of: .none)) }

    /// Changes to another plan, for example after a change of tempo.
    package mutating func follow(_ grid: PlanGrid) {
        self.grid = grid
        strokes = beat.map { grid.strokes(inBarOf: $0) } ?? BarStrokes()
        if beat == nil { place = grid.place(of: .none) }
    }

    /// Shows a beat that is heard at `seconds`.
    package mutating func hear(_ beat: BeatEvent, at seconds: Double) {
        guard isRunning else { return }
        advance(to: seconds)
        self.beat = beat
        if start == nil { start = seconds }
        place = grid.place(of: beat)
        part = 0
        if beat.beat == 1 || strokes == BarStrokes() { strokes = grid.strokes(inBarOf: beat) }
        if beat.beat == 1 { voices = [:] }
        guard flashes, sounds(beat), isOften(beat), limiter.allows(at: seconds) else { return }
        isFlashing = true
        flashEnd = seconds + min(Self.flashSeconds, place.beatSeconds / 2)
    }

    /// Shows a part of a beat, or a stroke of another voice, that is heard.
    package mutating func hear(stroke: BeatEvent) {
        guard isRunning, let beat, stroke.bar == beat.bar else { return }
        if stroke.layer > 0 { voices[stroke.layer, default: 0] += 1 } else { part = stroke.part }
    }

    package mutating func advance(to seconds: Double) {
        now = max(now, seconds)
        if isFlashing, now >= flashEnd { (isFlashing, flashEnd) = (false, .infinity) }
        if let start, isRunning { elapsed = Int(max(0, now - start)) }
        if let message, message.until <= now { self.message = nil }
    }

    /// When the display next changes without a beat.
    package var nextChange: Double {
        let tick = isRunning ? start.map { $0 + Double(elapsed + 1) } : nil
        return min(isFlashing ? flashEnd : .infinity, tick ?? .infinity, message?.until ?? .infinity)
    }

    package mutating func say(_ text: String) { message = (text, now + Self.messageSeconds) }

    /// The response to a key while it is shown, otherwise the problem of the device.
    var currentMessage: String? { message?.text ?? trouble }

    /// Stops, or starts again at the first bar.
    package mutating func run(_ isRunning: Bool) {
        self.isRunning = isRunning
        (isFlashing, flashEnd) = (false, .infinity)
        if isRunning {
            (beat, start, elapsed, place) = (nil, nil, 0, grid.place(of: .none))
            (strokes, part, voices) = (BarStrokes(), 0, [:])
        }
    }

    /// Waits for the player who leads.
    package mutating func wait() {
        (beat, part, voices) = (nil, 0, [:])
        strokes = BarStrokes()
    }

    /// What is shown while there is no beat.
    var waiting: [String] {
        !isRunning ? ["stopped"] : leads?.words ?? ["waiting for the first beat"]
    }

    package var tempo: String { place.countedNote + Self.text(ofTempo: beat?.tempo ?? place.tempo) }

    /// A tempo as it is shown: without decimals if it is whole, with two if it has exactly two, otherwise with one.
    ///
    /// - Parameter fewest: the minimum number of decimals.
    package static func text(ofTempo tempo: Double, fewest: Int = 0) -> String {
        func isExact(_ scale: Double) -> Bool { abs(tempo * scale - (tempo * scale).rounded()) < 1e-6 }
        return fixedPoint(tempo, decimals: max(fewest, isExact(1) ? 0 : !isExact(10) && isExact(100) ? 2 : 1))
    }

    /// Whether the plan mutes a beat of the current bar.
    func isMuted(beat number: Int32) -> Bool {
        guard let beat else { return false }
        return grid.isMuted(bar: beat.bar, beat: number)
    }

    /// Flashes accompany audible beats, also while the player has muted the sound, but not beats that the plan mutes.
    private func sounds(_ beat: BeatEvent) -> Bool {
        var planned = beat
        planned.isMuted = grid.isMuted(bar: beat.bar, beat: beat.beat)
        return planned.sounds
    }

    /// Beats faster than the flash limit flash once per bar, since every second or third beat would be another rhythm.
    private func isOften(_ beat: BeatEvent) -> Bool {
        place.beatSeconds > FlashLimiter.shortestDistance || beat.beat == 1
    }
}
