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
    public private(set) var position: Int64 = 0
    /// The frame at which the plan that was given in `init` ends; `nil`: never.
    public private(set) var endFrame: Int64?
    /// Events that found the ring full.
    public private(set) var lostEventCount = 0

    // Owned here: freed in deinit, or handed back through `retired`; only read in between.
    private var schedule: ScheduleHandle
    private var scheduler: BeatScheduler
    private var track: ClickTrack
    private var events: SPSCRing<BeatEvent>.Producer
    // Behind a pointer, so that deinit can empty it.
    private let commands: UnsafeMutablePointer<SPSCRing<EngineCommand>.Consumer>
    private var retired: SPSCRing<ScheduleHandle>.Producer
    private var control: MetronomeControl?
    /// Commands that wait for their beat or bar.
    private var pending: SampleBuffer<EngineCommand>
    private var pendingCount = 0
    private var timeLimit: Int64
    private let isExact: Bool
    private let partGain: Float
    private let levelGains: SIMD4<Float>
    private var isRunning = true
    private var isMuted = false
    private var hasToldEnd = false
    /// The layer of the next stroke fades already.
    private var hasFaded = false
    private var volume: Float = 1

    /// As many commands as can be under way at once.
    private static var commandCapacity: Int { 64 }

    /// A metronome that starts at the beginning of a schedule. Allocates: call before the stream starts.
    ///
    /// - Parameters:
    ///   - schedule: what is played; it also decides the sample rate.
    ///   - sounds: those of the beat and of each further voice; the last stands for those that are missing.
    ///   - gains: how loud each level is.
    ///   - placement: whether clicks begin on whole frames.
    ///   - events: the writing end of a ring in which each stroke is reported, and the end of the plan.
    public init(
        schedule: consuming BeatSchedule, sounds: [ClickSound], gains: LevelGains = LevelGains(),
        placement: ClickPlacement = .nearestFrame, events: consuming SPSCRing<BeatEvent>.Producer
    ) {
        sampleRate = schedule.sampleRate
        endFrame = schedule.endFrame
        timeLimit = schedule.timeLimit ?? Int64.max
        let chosen = (0..<schedule.layerCount).map { layer in
            sounds.isEmpty ? .voice(.woodBlock) : sounds[min(layer, sounds.count - 1)]
        }
        track = ClickTrack(bank: ClickBank(sounds: chosen, sampleRate: sampleRate), sampleRate: sampleRate)
        let commandRing = SPSCRing<EngineCommand>(minimumCapacity: Self.commandCapacity, filler: .none)
        let retiredRing = SPSCRing<ScheduleHandle>(
            minimumCapacity: 2 * Self.commandCapacity, filler: ScheduleHandle(pointer: nil))
        control = MetronomeControl(
            commands: commandRing.producer, retired: retiredRing.consumer, sampleRate: sampleRate,
            labels: schedule.labels)
        commands = .allocate(capacity: 1)
        commands.initialize(to: commandRing.consumer)
        retired = retiredRing.producer
        pending = SampleBuffer(count: Self.commandCapacity, repeating: .none)
        let handle = ScheduleHandle(owning: schedule)
        self.schedule = handle
        scheduler = BeatScheduler(UnsafePointer(handle.pointer.unsafelyUnwrapped))
        isExact = placement == .exact
        partGain = Float(gains.part.amplitude)
        levelGains = SIMD4(
            0, Float(gains.normal.amplitude), Float(gains.medium.amplitude), Float(gains.accent.amplitude))
        self.events = events
    }

    /// A metronome with synthesised voices.
    public init(
        schedule: consuming BeatSchedule, voices: [ClickVoice] = [.woodBlock],
        placement: ClickPlacement = .nearestFrame, events: consuming SPSCRing<BeatEvent>.Producer
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
    /// rendered from there is the tail of the whole. A limit of time counts from there.
    ///
    /// - Returns: false, and nothing changes, if the plan does not have that bar. Not for the audio thread.
    public mutating func start(atBar bar: Int64) -> Bool {
        guard scheduler.seek(bar: bar) else { return false }
        position = isExact ? scheduler.next.floorFrame : scheduler.next.frame
        track.reset()
        if let limit = schedule.pointer?.pointee.timeLimit {
            timeLimit = position + limit
            endFrame = schedule.pointer?.pointee.endFrame(from: position)
        }
        return true
    }

    /// Overwrites `frames` with the next part of the click track: mono, full scale ±1, peaks below -1 dBFS.
    ///
    /// - Complexity: O(frames); no allocation, no locks.
    @_noLocks public mutating func render(into frames: inout MutableSpan<Float>) {
        let flush = DenormalGuard()
        takeCommands()
        let end = position + Int64(frames.count)
        var rendered = 0
        while isRunning && !hasToldEnd {
            var stroke = scheduler.next
            let begin = isExact && !stroke.isEnd ? stroke.floorFrame : stroke.frame
            if !hasFaded && begin < timeLimit && isHeard(stroke) && begin - Int64(track.fadeFrames) < end {
                // What still rings on this layer makes room, so that the layer is never louder than one click.
                let offset = max(rendered, Int(begin - position) - track.fadeFrames)
                track.render(into: &frames, from: rendered, to: offset)
                rendered = offset
                track.fade(layer: Int(stroke.layer))
                hasFaded = true
            }
            if min(begin, timeLimit) >= end { break }
            if stroke.isEnd && begin < timeLimit && applyPending(onBar: true) { continue }
            if begin >= timeLimit || stroke.isEnd {
                tellEnd(at: min(begin, timeLimit))
                break
            }
            // Never before this block, nor before the last stroke: a grid that was moved back plays at once.
            let offset = max(rendered, Int(begin - position))
            track.render(into: &frames, from: rendered, to: offset)
            rendered = offset
            // The plan may go on elsewhere, or not at all; then look again.
            if stroke.part == 0 && stroke.layer == 0 && applyPending(onBar: stroke.beat == 1) { continue }
            stroke.isMuted = stroke.isMuted || isMuted
            strike(stroke)
            if !events.push(stroke) { lostEventCount += 1 }
            scheduler.advance()
            hasFaded = false
        }
        track.render(into: &frames, from: rendered, to: frames.count)
        position = end
        _ = flush
    }

    @_noLocks private mutating func strike(_ stroke: BeatEvent) {
        if !isHeard(stroke) { return }
        let gain = levelGains[stroke.level.number] * stroke.volume * volume * (stroke.part == 0 ? 1 : partGain)
        track.strike(
            layer: Int(stroke.layer), level: stroke.level, gain: gain, fraction: isExact ? stroke.fraction : 0)
    }

    @_noLocks private func isHeard(_ stroke: BeatEvent) -> Bool {
        !stroke.isEnd && !stroke.isMuted && !isMuted && stroke.level.number > 0
    }

    @_noLocks private mutating func tellEnd(at frame: Int64) {
        hasToldEnd = true
        var last = scheduler.next
        (last.frame, last.floorFrame, last.fraction, last.isEnd) = (frame, frame, 0, true)
        if !events.push(last) { lostEventCount += 1 }
    }

    // MARK: Commands

    /// Does what is asked at once, and keeps what waits for a beat.
    @_noLocks private mutating func takeCommands() {
        while pendingCount < pending.count {
            guard let command = commands.pointee.pop() else { return }
            // A metronome that stands still has no next beat.
            var waits = isRunning && !hasToldEnd
            if case .atOnce = command.moment { waits = false }
            if waits {
                pending[pendingCount] = command
                pendingCount += 1
            } else {
                apply(command, at: FramePosition(frame: position))
            }
        }
    }

    /// Does what waited for this beat, or for this bar. Returns whether there was any of it.
    @_noLocks private mutating func applyPending(onBar: Bool) -> Bool {
        if pendingCount == 0 { return false }
        let count = pendingCount
        let beat = scheduler.position
        pendingCount = 0
        for index in 0..<count {
            let command = pending[index]
            var waits = false
            if case .nextBar = command.moment { waits = !onBar }
            if waits {
                pending[pendingCount] = command
                pendingCount += 1
            } else {
                apply(command, at: beat)
            }
        }
        return pendingCount < count
    }

    @_noLocks private mutating func apply(_ command: EngineCommand, at instant: FramePosition) {
        hasFaded = false
        switch command.kind {
        case .start:
            if isRunning && !hasToldEnd { return }
            (isRunning, hasToldEnd, timeLimit) = (true, false, Int64.max)
            _ = scheduler.restart(at: FramePosition(frame: position))
        case .stop:
            isRunning = false
            track.fade()
        case .mute: isMuted = command.value > 0
        case .volume: volume = command.value
        case .nudge: scheduler.shift(by: command.amount, notBefore: position)
        case .jump:
            if scheduler.seek(bar: command.bar, at: instant) { hasToldEnd = false }
        case .change:
            guard let pointer = command.schedule.pointer else { return }
            scheduler.change(to: UnsafePointer(pointer))
            if !retired.push(schedule) { lostEventCount += 1 }
            schedule = command.schedule
        }
    }
}
