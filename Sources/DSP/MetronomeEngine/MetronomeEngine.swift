internal import Music
public import Realtime
public import Synthesis
public import Timebase

/// The metronome's audio thread: one schedule, one click track.
///
/// Everything is laid out in `init`; `render` places each stroke at its instant, makes the sound and reports the stroke
/// through a ring. What it renders does not depend on the block sizes, to the bit, so a file written from it is what a
/// sound card plays.
///
///     let plan = try PracticePlan(tempo: Tempo(120), accents: .every(4))
///     let ring = SPSCRing<BeatEvent>(minimumCapacity: 1_024, filler: .none)
///     var beats = ring.consumer
///     var engine = MetronomeEngine(schedule: try BeatSchedule(plan, sampleRate: 48_000), events: ring.producer)
///     var control = engine.takeControl()
public struct MetronomeEngine: ~Copyable, @unchecked Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// The frame at which the next block begins, counted from the start of the plan.
    public internal(set) var position: Int64 = 0
    /// The frame at which the plan that was given in `init` ends; `nil`: never.
    public private(set) var endFrame: Int64?
    /// Events that found the ring full.
    public internal(set) var lostEventCount = 0

    // Owned here: freed in deinit, or handed back through `retired`; only read in between.
    internal var schedule: ScheduleHandle
    internal var scheduler: BeatScheduler
    internal var track: ClickTrack
    private var events: SPSCRing<BeatEvent>.Producer
    // Behind a pointer, so that deinit can empty it.
    internal let commands: UnsafeMutablePointer<SPSCRing<EngineCommand>.Consumer>
    internal var retired: SPSCRing<ScheduleHandle>.Producer
    private var control: MetronomeControl?
    /// Commands that wait for their beat or bar.
    internal var pending: SampleBuffer<EngineCommand>
    internal var pendingCount = 0
    internal var timeLimit: Int64
    private let isExact: Bool
    /// How long before its frame a stroke is struck, so that it can begin to sound; what is nearer is settled.
    private let lead: Int
    private let partGain: Float
    private let levelGains: SIMD4<Float>
    /// What leaves the loudest stroke of the plan its room: 1, or less where its volumes go above 1.
    private var headroom: Float = 1
    private let levelPeaks: SIMD4<Float>
    internal var isRunning = true
    internal var isMuted = false
    internal var hasToldEnd = false
    /// Strokes before this frame are not reported: only what rings on of them is heard.
    private var firstHeard = Int64.min
    /// The layer of the next stroke fades already.
    internal var hasFaded = false
    internal var volume: Float = 1
    /// The beat at hand; its number is 0 while there is none.
    internal var beat = BeatEvent.none
    /// When each layer was struck last.
    private var lastStruck: SampleBuffer<Int64>
    /// After a change in the middle of a beat: how near to the last stroke of a layer none follows, until the next beat.
    internal var closest: Int64 = 0

    /// As many commands as can be under way at once.
    private static var commandCapacity: Int { 64 }
    /// Before anything was struck.
    private static var longAgo: Int64 { @_noLocks get { -(1 << 61) } }

    /// A metronome that starts at the beginning of a schedule. Allocates: call before the stream starts.
    ///
    /// - Parameters:
    ///   - schedule: what is played; it also decides the sample rate.
    ///   - sounds: those of the beat and of each further voice; the last stands for those that are missing.
    ///   - voiceCount: how many voices, the beat's included, sounds are made ready for: those of the schedule at least, more for
    ///     plans to come. All of them together stay below full scale, so that each is the softer the more they are.
    ///   - choices: further sounds of the beat, made ready here, for `MetronomeControl.choose` to change to.
    ///   - gains: how loud each level is.
    ///   - placement: whether clicks lie at their instants or on whole frames.
    ///   - events: the writing end of a ring in which each stroke is reported, and the end of the plan.
    public init(
        schedule: consuming BeatSchedule, sounds: [ClickSound], voiceCount: Int = 1, choices: [ClickSound] = [],
        gains: LevelGains = LevelGains(), placement: ClickPlacement = .exact,
        events: consuming SPSCRing<BeatEvent>.Producer
    ) {
        sampleRate = schedule.sampleRate
        endFrame = schedule.endFrame
        timeLimit = schedule.timeLimit.map { schedule.startFrame + $0 } ?? Int64.max
        let layerCount = max(schedule.layerCount, min(voiceCount, 1 + CrossRhythm.mostVoices))
        let chosen = (0..<layerCount).map { layer in
            sounds.isEmpty ? .voice(.woodBlock) : sounds[min(layer, sounds.count - 1)]
        }
        let bank = ClickBank(sounds: chosen, choices: choices, sampleRate: sampleRate)
        levelPeaks = bank.levelPeaks
        track = ClickTrack(bank: bank, sampleRate: sampleRate)
        let commandRing = SPSCRing<EngineCommand>(minimumCapacity: Self.commandCapacity, filler: .none)
        let retiredRing = SPSCRing<ScheduleHandle>(
            minimumCapacity: 2 * Self.commandCapacity, filler: ScheduleHandle(pointer: nil))
        control = MetronomeControl(
            commands: commandRing.producer, retired: retiredRing.consumer, sampleRate: sampleRate,
            frameRate: schedule.frameRate, layerCount: layerCount, labels: schedule.labels)
        commands = .allocate(capacity: 1)
        commands.initialize(to: commandRing.consumer)
        retired = retiredRing.producer
        pending = SampleBuffer(count: Self.commandCapacity, repeating: .none)
        lastStruck = SampleBuffer(count: layerCount, repeating: Self.longAgo)
        let handle = ScheduleHandle(owning: schedule)
        self.schedule = handle
        scheduler = BeatScheduler(UnsafePointer(handle.pointer.unsafelyUnwrapped))
        position = scheduler.next.frame
        isExact = placement == .exact
        lead = placement == .exact ? track.leadFrames : 0
        partGain = Float(gains.part.amplitude)
        levelGains = SIMD4(
            0, Float(gains.normal.amplitude), Float(gains.medium.amplitude), Float(gains.accent.amplitude))
        self.events = events
        makeHeadroom()
        ringIn()
    }

    /// A metronome with synthesised voices.
    public init(
        schedule: consuming BeatSchedule, voices: [ClickVoice] = [.woodBlock],
        placement: ClickPlacement = .exact, events: consuming SPSCRing<BeatEvent>.Producer
    ) {
        self.init(
            schedule: schedule, sounds: voices.map(ClickSound.voice), placement: placement, events: events)
    }

    deinit {
        while let command = commands.pointee.pop() { command.schedule.free() }
        commands.deinitialize(count: 1)
        commands.deallocate()
        for index in 0..<pendingCount { pending[index].schedule.free() }
        schedule.free()
    }

    /// The end that commands are sent from; the second call has none left to give. Not for the audio thread.
    public mutating func takeControl() -> MetronomeControl? { control.take() }

    /// Whether the plan has come to its end; what is rendered from here on is the last click ringing out, then silence.
    public var isFinished: Bool { @_noLocks get { position >= timeLimit || scheduler.isFinished } }

    /// Begins at a bar instead of the beginning: `position` becomes the frame at which the whole plan has it, and what is
    /// rendered from there is the tail of the whole to the bit, with what still rings of the clicks before it. A limit of
    /// time counts from there.
    ///
    /// - Returns: false, and nothing changes, if the plan does not have that bar. Not for the audio thread.
    public mutating func start(atBar bar: Int64) -> Bool {
        guard scheduler.seek(bar: bar) else { return false }
        position = scheduler.next.frame
        track.reset()
        if let limit = schedule.pointer?.pointee.timeLimit {
            timeLimit = position + limit
            endFrame = schedule.pointer?.pointee.endFrame(from: position)
        }
        ringIn()
        return true
    }

    /// Plays the clicks before this place unheard, as far back as they can ring into it. A plan that begins here, or with a
    /// count-in, has none. Allocates.
    private mutating func ringIn() {
        let (start, waiting) = (position, pendingCount)
        (firstHeard, hasFaded) = (Int64.min, false)
        guard isRunning, scheduler.rewind(by: Int64(track.longestRing)) else { return }
        // Commands are for what is heard.
        (position, firstHeard, pendingCount) = (scheduler.nextFrame, start, 0)
        var block = [Float](repeating: 0, count: 4_096)
        var span = block.mutableSpan
        while position < start {
            var part = span._mutatingExtracting(first: Int(min(start - position, 4_096)))
            play(into: &part)
        }
        pendingCount = waiting
        if beat.frame < start { beat = .none }
        for layer in lastStruck.indices where lastStruck[layer] < start { lastStruck[layer] = Self.longAgo }
    }

    /// Overwrites `frames` with the next part of the click track: mono, full scale ±1, peaks below -1 dBFS.
    ///
    /// - Complexity: O(frames); no allocation, no locks.
    @_noLocks public mutating func render(into frames: inout MutableSpan<Float>) {
        takeCommands()
        play(into: &frames)
    }

    /// What `render` does once the commands are taken.
    @_noLocks private mutating func play(into frames: inout MutableSpan<Float>) {
        let flush = DenormalGuard()
        let end = position + Int64(frames.count)
        let lead = Int64(lead)
        var rendered = 0
        while isRunning && !hasToldEnd {
            var stroke = scheduler.next
            let begin = stroke.frame
            if !hasFaded && begin < timeLimit && isHeard(stroke) && begin - Int64(track.fadeFrames) < end {
                // What still rings on this layer makes room, so that the layer is never louder than one click.
                let offset = max(rendered, Int(begin - position) - track.fadeFrames)
                track.render(into: &frames, from: rendered, to: offset)
                rendered = offset
                track.fade(layer: Int(stroke.layer))
                hasFaded = true
            }
            if min(begin, timeLimit) - lead >= end { break }
            if stroke.isEnd && begin < timeLimit && applyPending(onBar: true) { continue }
            if begin >= timeLimit || stroke.isEnd {
                tellEnd(at: min(begin, timeLimit))
                break
            }
            // Never before this block, nor before the last stroke: a grid that was moved back plays at once.
            let offset = max(rendered, Int(begin - lead - position))
            track.render(into: &frames, from: rendered, to: offset)
            rendered = offset
            // The plan may go on elsewhere, or not at all; then look again.
            if stroke.isBeat && applyPending(onBar: stroke.beat == 1) { continue }
            if isDouble(stroke) {
                scheduler.advance()
                continue
            }
            stroke.isMuted = stroke.isMuted || isMuted
            strike(stroke, ahead: max(0, Int(begin - position) - offset))
            if stroke.frame >= firstHeard && !events.push(stroke) { lostEventCount += 1 }
            if stroke.isBeat { (beat, closest) = (stroke, 0) }
            scheduler.advance()
            hasFaded = false
        }
        track.render(into: &frames, from: rendered, to: frames.count)
        position = end
        _ = flush
    }

    @_noLocks private mutating func strike(_ stroke: BeatEvent, ahead: Int) {
        if !isHeard(stroke) { return }
        let gain =
            levelGains[stroke.level.number] * stroke.volume * volume * headroom * (stroke.part == 0 ? 1 : partGain)
        track.strike(
            layer: Int(stroke.layer), level: stroke.level, gain: gain,
            fraction: isExact ? stroke.fractionOfNearest : nil, ahead: ahead)
        if Int(stroke.layer) < lastStruck.count { lastStruck[Int(stroke.layer)] = stroke.frame }
    }

    /// Finds how much softer the plan at hand has to be played for its loudest stroke to have room.
    @_noLocks internal mutating func makeHeadroom() {
        guard let schedule = schedule.pointer else { return }
        let loudest = schedule.pointee.loudestStroke(gains: levelGains * levelPeaks, part: partGain)
        headroom = loudest > 1 ? 1 / loudest : 1
    }

    /// Whether a stroke would strike again what a change in the middle of a beat has just left behind.
    @_noLocks private func isDouble(_ stroke: BeatEvent) -> Bool {
        let layer = Int(stroke.layer)
        return closest > 0 && !stroke.isBeat && layer < lastStruck.count && stroke.frame - lastStruck[layer] < closest
    }

    /// The first frame that is not settled yet.
    internal var present: Int64 { @_noLocks get { position + Int64(lead) } }

    /// The frame of the last stroke of the beat and its parts.
    internal var lastStroke: Int64 { @_noLocks get { lastStruck[0] } }

    @_noLocks private func isHeard(_ stroke: BeatEvent) -> Bool {
        !stroke.isEnd && !stroke.isMuted && !isMuted && stroke.level.number > 0
    }

    @_noLocks private mutating func tellEnd(at frame: Int64) {
        hasToldEnd = true
        var last = scheduler.next
        (last.frame, last.floorFrame, last.fraction, last.isEnd) = (frame, frame, 0, true)
        if !events.push(last) { lostEventCount += 1 }
    }
}
