internal import Realtime
public import Timebase

/// The controlling end of a running metronome: commands go to the audio thread through a lock-free ring, and plans that
/// are no longer played come back through another to be freed here.
///
/// A command neither cuts a click off nor strikes one twice. Each returns whether it was taken: false means that the
/// audio thread has not yet come to the 64 before it, as when no stream is running. A wish that waits for a beat gives way
/// to the next of its kind.
public struct MetronomeControl: ~Copyable, @unchecked Sendable {
    private var commands: SPSCRing<EngineCommand>.Producer
    // Behind a pointer, so that deinit can empty it.
    private let retired: UnsafeMutablePointer<SPSCRing<ScheduleHandle>.Consumer>
    private let sampleRate: Int, frameRate: Ratio, layerCount: Int
    /// The labels of the plan that was sent last, with their bars.
    public private(set) var labels: [(label: String, bar: Int64)]

    internal init(
        commands: consuming SPSCRing<EngineCommand>.Producer, retired: consuming SPSCRing<ScheduleHandle>.Consumer,
        sampleRate: Int, frameRate: Ratio, layerCount: Int, labels: [(label: String, bar: Int64)]
    ) {
        self.commands = commands
        self.retired = .allocate(capacity: 1)
        self.retired.initialize(to: retired)
        (self.sampleRate, self.frameRate, self.layerCount) = (sampleRate, frameRate, layerCount)
        self.labels = labels
    }

    deinit {
        while let handle = retired.pointee.pop() { handle.free() }
        retired.deinitialize(count: 1)
        retired.deallocate()
    }

    /// Starts a metronome that was stopped, with the first bar of its plan; a limit of time counts anew.
    @discardableResult public mutating func start() -> Bool { send(EngineCommand(.start, .atOnce)) }

    /// Stops; what rings fades within a millisecond. What still waited for a beat or a bar is done with it.
    @discardableResult public mutating func stop(_ moment: CommandMoment = .atOnce) -> Bool {
        send(EngineCommand(.stop, moment))
    }

    /// Goes on counting and showing beats without striking them, or strikes them again.
    @discardableResult public mutating func mute(_ isMuted: Bool, _ moment: CommandMoment = .atOnce) -> Bool {
        var command = EngineCommand(.mute, moment)
        command.value = isMuted ? 1 : 0
        return send(command)
    }

    /// Makes all coming strokes as loud as this share, 0 to 1, of what the plan has.
    @discardableResult public mutating func setVolume(_ volume: Double, _ moment: CommandMoment = .atOnce) -> Bool {
        var command = EngineCommand(.volume, moment)
        command.value = Float(min(1, max(0, volume)))
        return send(command)
    }

    /// Strikes the beat with another of the sounds that the engine was given: 0 is the one it began with, 1 the first of its
    /// `choices`. What rings rings out; a number that there is none of changes nothing.
    @discardableResult public mutating func choose(sound: Int, _ moment: CommandMoment = .atOnce) -> Bool {
        var command = EngineCommand(.sound, moment)
        command.bar = Int64(sound)
        return send(command)
    }

    /// Moves the grid: everything after the last stroke comes that much later, or earlier if below zero.
    ///
    /// - Parameter milliseconds: -1,000 to 1,000. The next stroke is never put before the present.
    @discardableResult public mutating func nudge(milliseconds: Ratio, _ moment: CommandMoment = .atOnce) -> Bool {
        let bounded = min(max(milliseconds, Ratio(-1_000)), Ratio(1_000))
        guard let frames = bounded.multiplied(by: Ratio(Int64(sampleRate)))?.divided(by: Ratio(1_000)),
            let amount = FramePosition(frames)
        else { return false }
        var command = EngineCommand(.nudge, moment)
        command.amount = amount
        return send(command)
    }

    /// Goes on with another bar of the plan; at once means 50 ms after the last stroke at the earliest.
    @discardableResult public mutating func jump(toBar bar: Int64, _ moment: CommandMoment = .nextBeat) -> Bool {
        var command = EngineCommand(.jump, moment)
        command.bar = bar
        return send(command)
    }

    /// Goes on with a labelled section; false also when there is no such label.
    @discardableResult public mutating func jump(to label: String, _ moment: CommandMoment = .nextBeat) -> Bool {
        guard let bar = labels.first(where: { $0.label == label })?.bar else { return false }
        return jump(toBar: bar, moment)
    }

    /// Goes on with another plan (another tempo, meter or pattern) at the bar and beat of the same number.
    ///
    /// With the next beat or bar, that one stays at its instant. At once, the beat at hand goes on at the new tempo: when
    /// a third of it is left, what is left takes a third of a beat of the new plan. What was struck is not struck again.
    ///
    /// The plan is laid out here, on the calling thread; the audio thread only exchanges a pointer.
    ///
    /// - Throws: `PlanError`, as the one for more voices than the engine was begun with: see its `voiceCount`.
    @discardableResult public mutating func change(
        to plan: PracticePlan, _ moment: CommandMoment = .nextBeat
    ) throws(PlanError) -> Bool {
        let schedule = try BeatSchedule(plan, sampleRate: sampleRate, frameRate: frameRate)
        guard schedule.layerCount <= layerCount else { throw .voicesWithoutSound(ready: layerCount) }
        let newLabels = schedule.labels
        var command = EngineCommand(.change, moment)
        command.schedule = ScheduleHandle(owning: schedule)
        guard send(command) else {
            command.schedule.free()
            return false
        }
        labels = newLabels
        return true
    }

    private mutating func send(_ command: EngineCommand) -> Bool {
        while let handle = retired.pointee.pop() { handle.free() }
        return commands.push(command)
    }
}
