internal import Music
internal import Realtime
public import Timebase

/// The controlling end of a running metronome.
///
/// A command neither cuts a click off nor strikes one twice. Each method returns whether the command was sent: false means
/// that 64 earlier ones are still on their way, as when no stream is running. A command that waits for a beat gives way to
/// the next one of its kind.
public struct MetronomeControl: ~Copyable, @unchecked Sendable {
    private var commands: SPSCRing<EngineCommand>.Producer
    private var schedules: Handover<BeatSchedule>.Sender
    private let sampleRate: Hertz, frameRate: Ratio, layerCount: Int
    /// The labels of the plan that was sent last, with their bars.
    public private(set) var labels: [(label: String, bar: Int64)]

    internal init(
        commands: consuming SPSCRing<EngineCommand>.Producer, schedules: consuming Handover<BeatSchedule>.Sender,
        sampleRate: Hertz, frameRate: Ratio, layerCount: Int, labels: [(label: String, bar: Int64)]
    ) {
        self.commands = commands
        self.schedules = schedules
        (self.sampleRate, self.frameRate, self.layerCount) = (sampleRate, frameRate, layerCount)
        self.labels = labels
    }

    /// Starts a stopped metronome at the first bar of its plan. A time limit counts anew.
    @discardableResult public mutating func start() -> Bool { send(EngineCommand(.start, .atOnce)) }

    /// Stops. What rings fades within a millisecond, and commands that wait for a beat or a bar take effect.
    @discardableResult public mutating func stop(_ moment: CommandMoment = .atOnce) -> Bool {
        send(EngineCommand(.stop, moment))
    }

    /// Mutes the strokes, which are still counted and reported, or makes them sound again.
    @discardableResult public mutating func mute(_ isMuted: Bool, _ moment: CommandMoment = .atOnce) -> Bool {
        send(EngineCommand(.mute, moment, value: isMuted ? 1 : 0))
    }

    /// Scales the loudness of all coming strokes by a factor from 0 to 1.
    @discardableResult public mutating func setVolume(_ volume: Double, _ moment: CommandMoment = .atOnce) -> Bool {
        send(EngineCommand(.volume, moment, value: Float(min(1, max(0, volume)))))
    }

    /// Changes the sound of the beat: 0 is the one it began with, 1 the first of the metronome's `choices`. What rings goes on
    /// ringing. A number without a sound changes nothing.
    @discardableResult public mutating func choose(sound: Int, _ moment: CommandMoment = .atOnce) -> Bool {
        send(EngineCommand(.sound, moment, number: Int64(sound)))
    }

    /// Moves everything after the last stroke later, or earlier if `time` is negative.
    ///
    /// - Parameter time: -1 to 1 s, to the nanosecond. The next stroke is never put before the present.
    @discardableResult public mutating func nudge(by time: Duration, _ moment: CommandMoment = .atOnce) -> Bool {
        let bounded = min(max(time, .seconds(-1)), .seconds(1)).components
        let nanoseconds = 1_000_000_000 * bounded.seconds + bounded.attoseconds / 1_000_000_000
        guard let frames = Ratio(wide: Int128(nanoseconds) * Int128(sampleRate.value), over: 1_000_000_000),
            let amount = FramePosition(frames)
        else { return false }
        var command = EngineCommand(.nudge, moment)
        command.amount = amount
        return send(command)
    }

    /// Puts the next beat at an instant, and lets each beat last so long from there on: for a metronome that is led, by a
    /// `BeatFollower` or another clock. A stopped metronome starts there, with the first bar of its plan.
    ///
    /// The interval that ends with the beat differs from the one before it by at most the share that `steering` names, and
    /// the parts of the beat that are not struck yet divide it evenly. What is nearer than the frames that are rendered
    /// already stays where it is. The plan is one of a steady tempo.
    @discardableResult public mutating func steer(_ steering: BeatSteering) -> Bool {
        var command = EngineCommand(.steer, .atOnce)
        command.steering = steering
        return send(command)
    }

    /// Goes on at another bar of the plan; at once means 50 ms after the last stroke at the earliest.
    @discardableResult public mutating func jump(toBar bar: Int64, _ moment: CommandMoment = .nextBeat) -> Bool {
        send(EngineCommand(.jump, moment, number: bar))
    }

    /// Goes on at a labelled section; false also if there is no such label.
    @discardableResult public mutating func jump(to label: String, _ moment: CommandMoment = .nextBeat) -> Bool {
        guard let bar = labels.first(where: { $0.label == label })?.bar else { return false }
        return jump(toBar: bar, moment)
    }

    /// Goes on with another plan (another tempo, meter or pattern) at the bar and beat of the same number.
    ///
    /// At the next beat or bar, that beat stays at its instant. At once, the current beat goes on at the new tempo: when a
    /// third of it is left, that takes a third of a beat of the new plan. Nothing is struck twice.
    ///
    /// The plan is laid out here, on the calling thread.
    ///
    /// - Throws: `PlanError`, among others for more voices than the metronome's `voiceCount`.
    @discardableResult public mutating func change(
        to plan: PracticePlan, _ moment: CommandMoment = .nextBeat
    ) throws(PlanError) -> Bool { try change(to: PlanGrid(plan), moment) }

    /// Goes on with a plan that is laid out already.
    @discardableResult package mutating func change(
        to grid: PlanGrid, _ moment: CommandMoment = .nextBeat
    ) throws(PlanError) -> Bool {
        let schedule = try BeatSchedule(grid, sampleRate: sampleRate, frameRate: frameRate)
        guard schedule.layerCount <= layerCount else { throw .voicesWithoutSound(ready: layerCount) }
        let newLabels = schedule.labels
        guard let ticket = schedules.send(schedule) else { return false }
        var command = EngineCommand(.change, moment)
        command.schedule = ticket
        guard send(command) else {
            schedules.takeBack(ticket)
            return false
        }
        labels = newLabels
        return true
    }

    private mutating func send(_ command: EngineCommand) -> Bool {
        schedules.freeRetired()
        return commands.push(command)
    }
}
