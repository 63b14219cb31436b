public import Realtime
public import Synthesis
public import Timebase

/// The metronome's audio thread: one beat clock, one pattern, one click track.
///
/// Everything is laid out in `init`; `render` places each beat at its exact frame, makes the sound and reports the
/// beat through a ring. What it renders does not depend on the block sizes, to the bit, so a file written from it is
/// what a sound card plays.
///
///     let ring = SPSCRing<BeatEvent>(minimumCapacity: 1_024, filler: .none)
///     var beats = ring.consumer
///     var engine = MetronomeEngine(sampleRate: 48_000, tempo: try Tempo(120), accents: try AccentPattern(every: 4),
///                                  events: ring.producer)
public struct MetronomeEngine: ~Copyable {
    /// Frames per second.
    public let sampleRate: Int
    /// Frames rendered so far: the frame at which the next block begins.
    public private(set) var position: Int64 = 0
    /// Events that found the ring full.
    public private(set) var lostEventCount = 0

    private var next: BeatClock.Carry
    private var beat = 0
    private var bar: Int64 = 1
    private let levels: SampleBuffer<AccentLevel>
    private var track: ClickTrack
    private var events: SPSCRing<BeatEvent>.Producer

    /// A metronome that starts with the first beat of a bar at frame 0. Allocates: call before the stream starts.
    ///
    /// - Parameters:
    ///   - sampleRate: 1,000 to 16,777,216 frames per second.
    ///   - tempo: beats per minute.
    ///   - accents: the levels of the beats of a bar.
    ///   - voice: how the click sounds.
    ///   - events: the writing end of a ring in which each beat is reported.
    public init(
        sampleRate: Int, tempo: Tempo, accents: AccentPattern, voice: ClickVoice = .woodBlock,
        events: consuming SPSCRing<BeatEvent>.Producer
    ) {
        precondition(sampleRate >= 1_000 && sampleRate <= 1 << 24, "1,000 to 2^24 frames per second")
        self.sampleRate = sampleRate
        next = BeatClock(sampleRate: sampleRate, tempo: tempo).carry()
        let bar = accents.bars[0]
        levels = SampleBuffer(count: bar.count, repeating: .normal)
        for (index, level) in bar.enumerated() { levels.unsafeElements[index] = level }
        track = ClickTrack(bank: ClickBank(voices: [voice], sampleRate: sampleRate), sampleRate: sampleRate)
        self.events = events
    }

    /// Overwrites `frames` with the next part of the click track: mono, full scale ±1, peaks below -1 dBFS.
    ///
    /// - Complexity: O(frames); no allocation, no locks.
    @_noLocks public mutating func render(into frames: inout MutableSpan<Float>) {
        let flush = DenormalGuard()
        let end = position + Int64(frames.count)
        var rendered = 0
        while next.frame < end {
            let level = levels[beat]
            let offset = Int(next.frame - position)
            track.render(into: &frames, from: rendered, to: offset)
            rendered = offset
            track.strike(layer: 0, level: level, gain: 1, fraction: 0)
            report(
                BeatEvent(
                    frame: next.frame, bar: bar, beat: Int32(beat + 1), beatsInBar: Int32(levels.count), level: level))
            next.advance()
            beat += 1
            if beat == levels.count {
                beat = 0
                bar += 1
            }
        }
        track.render(into: &frames, from: rendered, to: frames.count)
        position = end
        _ = flush
    }

    @_noLocks private mutating func report(_ event: BeatEvent) {
        if !events.push(event) { lostEventCount += 1 }
    }
}
