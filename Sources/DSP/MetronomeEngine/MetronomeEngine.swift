public import Realtime
public import Synthesis
public import Timebase

/// Where a click begins.
public enum ClickPlacement: Sendable, Hashable, CaseIterable {
    /// On the frame nearest to its instant: at most half a frame beside it, and every click of a level has the same
    /// samples.
    case nearestFrame
    /// At its instant, between two frames where it has to be: the sound is evaluated that much later.
    case exact
}

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
public struct MetronomeEngine: ~Copyable, @unchecked Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// The frame at which the next block begins, counted from the start of the plan.
    public private(set) var position: Int64 = 0
    /// The frame at which the plan ends; `nil`: never.
    public let endFrame: Int64?
    /// Events that found the ring full.
    public private(set) var lostEventCount = 0

    // Owned here: made in init, freed in deinit, only read in between.
    private let schedule: UnsafeMutablePointer<BeatSchedule>
    private var scheduler: BeatScheduler
    private var track: ClickTrack
    private var events: SPSCRing<BeatEvent>.Producer
    private let isExact: Bool

    /// A metronome that starts at the beginning of a schedule. Allocates: call before the stream starts.
    ///
    /// - Parameters:
    ///   - schedule: what is played; it also decides the sample rate.
    ///   - voices: the sounds of the beat and of each further voice; the last stands for those that are missing.
    ///   - placement: whether clicks begin on whole frames.
    ///   - events: the writing end of a ring in which each stroke is reported.
    public init(
        schedule: consuming BeatSchedule, voices: [ClickVoice] = [.woodBlock],
        placement: ClickPlacement = .nearestFrame,
        events: consuming SPSCRing<BeatEvent>.Producer
    ) {
        sampleRate = schedule.sampleRate
        endFrame = schedule.endFrame
        let sounds = (0..<schedule.layerCount).map { voices.isEmpty ? .woodBlock : voices[min($0, voices.count - 1)] }
        track = ClickTrack(bank: ClickBank(voices: sounds, sampleRate: sampleRate), sampleRate: sampleRate)
        let pointer = UnsafeMutablePointer<BeatSchedule>.allocate(capacity: 1)
        pointer.initialize(to: schedule)
        self.schedule = pointer
        scheduler = BeatScheduler(pointer)
        isExact = placement == .exact
        self.events = events
    }

    deinit {
        schedule.deinitialize(count: 1)
        schedule.deallocate()
    }

    /// Whether the plan has come to its end; what is rendered from here on is the last click ringing out, then silence.
    public var isFinished: Bool {
        @_noLocks get {
            if let endFrame, position >= endFrame { return true }
            return scheduler.isFinished
        }
    }

    /// Begins at a bar instead of the beginning: `position` becomes the frame at which the whole plan has it, and what is
    /// rendered from there is the tail of the whole.
    ///
    /// - Returns: false, and nothing changes, if the plan does not have that bar. Not for the audio thread.
    public mutating func start(atBar bar: Int64) -> Bool {
        guard scheduler.seek(bar: bar) else { return false }
        position = isExact ? scheduler.next.floorFrame : scheduler.next.frame
        track.reset()
        return true
    }

    /// Overwrites `frames` with the next part of the click track: mono, full scale ±1, peaks below -1 dBFS.
    ///
    /// - Complexity: O(frames); no allocation, no locks.
    @_noLocks public mutating func render(into frames: inout MutableSpan<Float>) {
        let flush = DenormalGuard()
        let end = position + Int64(frames.count)
        var last = end
        if let endFrame { last = min(last, endFrame) }
        var rendered = 0
        while true {
            let stroke = scheduler.next
            if stroke.isEnd { break }
            let begin = isExact ? stroke.floorFrame : stroke.frame
            if begin >= last { break }
            // Never before this block: a grid that was moved back plays at once.
            let offset = max(rendered, Int(begin - position))
            track.render(into: &frames, from: rendered, to: offset)
            rendered = offset
            strike(stroke)
            if !events.push(stroke) { lostEventCount += 1 }
            scheduler.advance()
        }
        track.render(into: &frames, from: rendered, to: frames.count)
        position = end
        _ = flush
    }

    @_noLocks private mutating func strike(_ stroke: BeatEvent) {
        if stroke.isMuted { return }
        // A part of a beat is 6 dB softer than the beat.
        let gain = stroke.part == 0 ? stroke.volume : stroke.volume * 0.5
        track.strike(
            layer: Int(stroke.layer), level: stroke.level, gain: gain, fraction: isExact ? stroke.fraction : 0)
    }
}
