internal import Music
internal import Realtime
internal import Synthesis
internal import Timebase

/// The part of a metronome that runs on the audio thread: one schedule, one click track.
///
/// `Metronome` makes it. `render` strikes each click at its instant, mixes what sounds and reports each stroke through a
/// ring. The result does not depend on the block sizes, to the bit, so a file written from it is what a sound card plays.
public struct MetronomeEngine: ~Copyable, @unchecked Sendable {
    /// The frame at which the next block begins, counted from the start of the plan.
    public internal(set) var position: Int64 = 0
    /// The frame at which the plan that the metronome was made with ends; `nil`: never.
    public let endFrame: Int64?
    /// How many events found the ring full.
    public internal(set) var lostEventCount = 0

    internal let sampleRate: Int
    /// The schedule that plays, by its ticket. The control's end of the handover owns it.
    internal var current: Ticket
    internal var schedules: Handover<BeatSchedule>.Receiver
    internal var scheduler: BeatScheduler
    internal var track: ClickTrack
    internal var events: SPSCRing<BeatEvent>.Producer
    internal var commands: SPSCRing<EngineCommand>.Consumer
    internal var pending: SampleBuffer<EngineCommand>
    internal var pendingCount = 0
    /// Nothing is struck from this frame on because the plan's time is over.
    internal var timeLimit: Int64
    internal let isExact: Bool
    internal let partGain: Float
    internal let levelGains: LevelAmplitudes
    /// Leaves room for the loudest stroke of the plan: 1, or less where the plan's volumes go above 1.
    internal var headroom: Float = 1
    private let loudestLevels: LevelAmplitudes
    internal var isRunning = true
    internal var isMuted = false, hasToldEnd = false
    /// Strokes before this frame are not reported: only their tails are heard.
    internal var firstHeard = Int64.min
    /// Whether the layer of the next stroke fades already.
    internal var hasFaded = false
    internal var volume: Float = 1
    /// The beat that sounds; its number is 0 while there is none.
    internal var beat = BeatEvent.none
    /// The frames from the beat before to `beat`; 0: there was none.
    internal var interval = 0.0
    internal var lastStruck: SampleBuffer<Int64>
    /// After a change in the middle of a beat: until the next beat, a layer is not struck again within so many frames.
    internal var closest: Int64 = 0

    internal static var longAgo: Int64 { @_noLocks get { -(1 << 61) } }

    /// An engine that stands at the beginning of a schedule. Allocates.
    internal init(
        playing ticket: Ticket, of schedules: consuming Handover<BeatSchedule>.Receiver, bank: consuming ClickBank,
        gains: LevelGains, placement: ClickPlacement, leadsIn: Bool,
        commands: consuming SPSCRing<EngineCommand>.Consumer, events: consuming SPSCRing<BeatEvent>.Producer
    ) {
        let schedule = schedules.pointer(to: ticket)
        current = ticket
        self.schedules = schedules
        sampleRate = schedule.pointee.framesPerSecond
        endFrame = schedule.pointee.endFrame
        timeLimit = Int64.max
        if let limit = schedule.pointee.timeLimit { timeLimit = schedule.pointee.startFrame + limit }
        lastStruck = SampleBuffer(count: bank.layerCount, repeating: Self.longAgo)
        pending = SampleBuffer(count: EngineCommand.mostUnderWay, repeating: .none)
        let peaks = bank.levelPeaks
        track = ClickTrack(bank: bank, sampleRate: schedule.pointee.sampleRate)
        scheduler = BeatScheduler(schedule)
        position = scheduler.next.frame
        isExact = placement == .exact
        partGain = Float(gains.part.amplitude)
        let levelGains = LevelAmplitudes { $0 == .silent ? 0 : Float(gains[$0].amplitude) }
        self.levelGains = levelGains
        loudestLevels = LevelAmplitudes { levelGains[$0] * peaks[$0] }
        self.commands = commands
        self.events = events
        makeHeadroom()
        if leadsIn && track.isCounting { position -= Int64(lead) } else { preRollTails() }
    }

    /// How long before its frame a stroke is struck, so that it can begin to sound. What is nearer is settled.
    internal var lead: Int { @_noLocks get { isExact ? track.leadFrames : track.wholeLeadFrames } }

    /// Whether the plan has ended; what is rendered from here on is the last click ringing out, then silence.
    public var isFinished: Bool { @_noLocks get { position >= timeLimit || scheduler.isFinished } }

    /// Overwrites `frames` with the next part of the click track: mono, full scale ±1, peaks below -1 dBFS.
    ///
    /// - Complexity: O(frames); no allocation, no locks.
    @_noLocks public mutating func render(into frames: inout MutableSpan<Float>) {
        takeCommands()
        play(into: &frames)
    }

    internal var schedule: UnsafePointer<BeatSchedule> { @_noLocks get { schedules.pointer(to: current) } }

    /// Finds how much softer the plan has to be played for its loudest stroke to have room.
    @_noLocks internal mutating func makeHeadroom() {
        let loudest = schedule.pointee.loudestStroke(gains: loudestLevels, part: partGain)
        headroom = loudest > 1 ? 1 / loudest : 1
    }
}
