public import Music
public import Realtime
public import Synthesis
public import Timebase

/// A metronome that is ready to run: the engine for the audio thread, and the two ends that stay outside of it.
///
/// ```swift
/// var metronome = try Metronome(PracticePlan(tempo: Tempo(120)), sampleRate: 48.kilohertz)
/// var block = [Float](repeating: 0, count: 512)
/// var frames = block.mutableSpan
/// metronome.engine.render(into: &frames)
/// while let beat = metronome.events.pop() { print(beat.bar, beat.beat, beat.frame) }
/// metronome.control.stop(.nextBar)
/// ```
///
/// A program that renders on an audio thread takes the three parts out: `let engine = metronome.engine` moves the engine,
/// and so on. Each part then belongs to one thread.
@frozen
public struct Metronome: ~Copyable {
    /// Renders the clicks.
    public var engine: MetronomeEngine
    /// Starts, stops and changes what plays.
    public var control: MetronomeControl
    /// One event for each stroke that was rendered, and one for the end of the plan.
    public var events: SPSCRing<BeatEvent>.Consumer

    /// Lays out a plan and prepares its sounds. Allocates: call before the stream starts.
    ///
    /// - Parameters:
    ///   - plan: what is played.
    ///   - sampleRate: the rate of the stream, a whole number of frames per second.
    ///   - sounds: those of the beat and of each further voice; the last one stands for those that are missing.
    ///   - voiceCount: how many voices get a sound, that of the beat included. The plan's own voices always do; pass more
    ///     for plans to come. All voices together stay below full scale, so each is softer the more there are.
    ///   - choices: further sounds for the beat, for `MetronomeControl.choose(sound:_:)`.
    ///   - leadsIn: whether a spoken count begins before the first beat, so that its first word is heard whole. The engine's
    ///     `position` is then up to a tenth of a second before that beat. Otherwise the first block begins on the beat, and
    ///     the first word with its vowel.
    ///   - eventCapacity: how many events wait at most; further ones are counted in `MetronomeEngine.lostEventCount`.
    /// - Throws: `PlanError`.
    public init(
        _ plan: PracticePlan, sampleRate: Hertz, sounds: [ClickSound] = [.voice(.woodBlock)], voiceCount: Int = 1,
        choices: [ClickSound] = [], leadsIn: Bool = false, eventCapacity: Int = 4_096
    ) throws(PlanError) {
        self.init(
            schedule: try BeatSchedule(plan, sampleRate: sampleRate), sounds: sounds, voiceCount: voiceCount,
            choices: choices, leadsIn: leadsIn, eventCapacity: eventCapacity)
    }

    /// A metronome for a plan that is laid out already.
    package init(
        schedule: consuming BeatSchedule, sounds: [ClickSound] = [], voiceCount: Int = 1, choices: [ClickSound] = [],
        gains: LevelGains = LevelGains(), placement: ClickPlacement = .exact, leadsIn: Bool = false,
        eventCapacity: Int = 4_096
    ) {
        let layerCount = max(schedule.layerCount, min(voiceCount, 1 + CrossRhythm.mostVoices))
        let last = sounds.last ?? .voice(.woodBlock)
        let layers = (0..<layerCount).map { $0 < sounds.count ? sounds[$0] : last }
        let bank = ClickBank(sounds: layers, choices: choices, sampleRate: schedule.sampleRate)
        let events = SPSCRing<BeatEvent>(minimumCapacity: eventCapacity, filler: .none)
        let commands = SPSCRing<EngineCommand>(minimumCapacity: EngineCommand.mostUnderWay, filler: .none)
        // One that plays, and as many as commands can hold while they travel and while they wait for a beat.
        let schedules = Handover<BeatSchedule>(capacity: 1 + 2 * EngineCommand.mostUnderWay)
        var sender = schedules.sender
        let control = (schedule.sampleRate, schedule.frameRate, schedule.labels)
        guard let ticket = sender.send(schedule) else { preconditionFailure("the first of many places is free") }
        engine = MetronomeEngine(
            playing: ticket, of: schedules.receiver, bank: bank, gains: gains, placement: placement, leadsIn: leadsIn,
            commands: commands.consumer, events: events.producer)
        self.control = MetronomeControl(
            commands: commands.producer, schedules: sender, sampleRate: control.0, frameRate: control.1,
            layerCount: layerCount, labels: control.2)
        self.events = events.consumer
    }
}
