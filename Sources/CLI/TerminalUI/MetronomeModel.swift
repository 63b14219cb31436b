public import Music
public import Timebase

/// What a metronome's display shows: the beat that is heard, and the player's wishes. No clock of its own: whoever tells
/// it something tells the time in seconds, too.
public struct MetronomeModel: Sendable {
    /// What was asked for.
    public var title = ""
    /// What the clicks sound like.
    public var sound = ""
    /// How loud they are.
    public var volume = 0.0.decibels
    /// Whether the player wants silence.
    public var isMuted = false
    /// Whether the keys are listed, and which there are.
    public var showsHelp = false
    /// The keys and what they do.
    public var keys: [KeyHelp] = []
    /// Whether the number of the beat fills the screen.
    public var isBig = false
    /// Whether beats light up the whole screen.
    public var flashes = false
    /// The tempo that is being typed.
    public var entry: String?
    /// What is wrong with the device, while something is.
    public var trouble: String?
    /// Where the beat stands in the plan.
    package private(set) var place: BeatPlace
    /// The beat that was heard last.
    public private(set) var beat: BeatEvent?
    /// Whether beats follow.
    public private(set) var isRunning = true
    /// Whole seconds since the first beat.
    public private(set) var elapsed = 0
    /// Whether the whole screen is lit.
    public private(set) var isFlashing = false
    private(set) var grid: PlanGrid
    private var message: (text: String, until: Double)?
    private var limiter = FlashLimiter()
    private var flashEnd = Double.infinity
    private var start: Double?
    private var now = 0.0

    /// A tenth of a second of light: long enough for a slow screen, dark again before the next beat.
    private static let flashSeconds = 0.1
    /// Two seconds: what a key did can be read, and is gone before the next is asked for.
    private static let messageSeconds = 2.0

    /// A display on which nothing was heard.
    package init(grid: PlanGrid) { (self.grid, place) = (grid, grid.place(of: .none)) }

    /// Takes another plan, as after a change of tempo.
    package mutating func follow(_ grid: PlanGrid) {
        self.grid = grid
        if beat == nil { place = grid.place(of: .none) }
    }

    /// Shows a beat that is heard at `seconds`.
    public mutating func hear(_ beat: BeatEvent, at seconds: Double) {
        guard isRunning else { return }
        advance(to: seconds)
        self.beat = beat
        if start == nil { start = seconds }
        place = grid.place(of: beat)
        guard flashes, sounds(beat), isOften(beat), limiter.allows(at: seconds) else { return }
        isFlashing = true
        flashEnd = seconds + min(Self.flashSeconds, place.beatSeconds / 2)
    }

    /// Lets time pass.
    public mutating func advance(to seconds: Double) {
        now = max(now, seconds)
        if isFlashing, now >= flashEnd { (isFlashing, flashEnd) = (false, .infinity) }
        if let start, isRunning { elapsed = Int(max(0, now - start)) }
        if let message, message.until <= now { self.message = nil }
    }

    /// When something on the display changes by itself, if nothing is heard before.
    public var nextChange: Double {
        let tick = isRunning ? start.map { $0 + Double(elapsed + 1) } : nil
        return min(isFlashing ? flashEnd : .infinity, tick ?? .infinity, message?.until ?? .infinity)
    }

    /// Shows what a key did.
    public mutating func say(_ text: String) { message = (text, now + Self.messageSeconds) }

    /// What a key did, while it is to be seen; before that what is wrong.
    public var currentMessage: String? { message?.text ?? trouble }

    /// The beats stop, or begin again with the first bar.
    public mutating func run(_ isRunning: Bool) {
        self.isRunning = isRunning
        (isFlashing, flashEnd) = (false, .infinity)
        if isRunning { (beat, start, elapsed, place) = (nil, nil, 0, grid.place(of: .none)) }
    }

    /// The tempo in beats a minute, as it is shown.
    public var tempo: String { Self.text(ofTempo: beat?.tempo ?? place.tempo.value) }

    /// A tempo as it is shown: whole where it is, with two decimals where it has just that many, and else with one.
    ///
    /// - Parameter fewest: decimals that stand there even if they are zero.
    public static func text(ofTempo tempo: Double, fewest: Int = 0) -> String {
        func isExact(_ scale: Double) -> Bool { abs(tempo * scale - (tempo * scale).rounded()) < 1e-6 }
        return fixedPoint(tempo, decimals: max(fewest, isExact(1) ? 0 : !isExact(10) && isExact(100) ? 2 : 1))
    }

    /// Whether a beat of the bar that is heard is counted and not heard, as the plan has it.
    func isMuted(beat number: Int32) -> Bool {
        guard let beat else { return false }
        return grid.isMuted(bar: beat.bar, beat: number)
    }

    /// Light goes with sound, or stands for it when the player wants silence; not for what the plan leaves out.
    private func sounds(_ beat: BeatEvent) -> Bool {
        beat.level > .silent && !grid.isMuted(bar: beat.bar, beat: beat.beat)
    }

    /// Beats that come faster than may be flashed light up once a bar: every second or third would be a rhythm of its own.
    private func isOften(_ beat: BeatEvent) -> Bool {
        place.beatSeconds > FlashLimiter.shortestDistance || beat.beat == 1
    }
}
