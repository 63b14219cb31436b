package import Music
internal import Realtime

/// A plan laid out in tables: where each segment of steady or moving tempo begins, and which strokes repeat in it.
///
/// It is made once, off the audio thread, and only read afterwards; `BeatScheduler` walks it.
package struct BeatSchedule: ~Copyable, Sendable {
    /// Frames per second, by the label of the stream.
    package var sampleRate: Hertz { framesPerSecond.hertz }
    package let framesPerSecond: Int
    /// Frames per second as they truly pass, where a stream's clock was measured; otherwise `sampleRate`.
    package let frameRate: Ratio
    /// How many voices the strokes need, the beat's own included.
    package let layerCount: Int
    /// The frame at which playing begins: 0, or where the bar lies at which the plan is entered. A count-in before that
    /// bar comes earlier by its length, which can be before 0.
    package let startFrame: Int64
    /// The frame at which the plan ends; `nil`: never.
    package let endFrame: Int64?
    /// The frame at which the last bar ends, whatever the limit of time; `nil`: it never does.
    package let lastBarEnd: Int64?
    /// The frame after which nothing is struck because the plan's time is over; `nil`: it has no limit of time.
    package let timeLimit: Int64?
    /// The number of the first bar: 1, or less with a count-in.
    package let firstBar: Int64
    /// The largest volume at which each level is struck as a beat or by another voice, and as a part of a beat.
    private let loudestBeats: SIMD4<Float>, loudestParts: SIMD4<Float>
    /// The labels of the sections, with the bar at which each begins.
    package let labels: [(label: String, bar: Int64)]

    internal let segments: SampleBuffer<Segment>
    internal let strokes: SampleBuffer<Stroke>
    internal let increments: SampleBuffer<Increment>
    internal let barLevels: SampleBuffer<UInt64>
    internal let gaps: SampleBuffer<Bool>
    internal let mutes: RandomMute?
    internal let loopSegment: Int
    /// The segments of the plan; the count-in before a later bar comes after them, -1 if there is none.
    internal let planSegmentCount: Int
    internal let countInSegment: Int
    /// The bar at which the plan is entered; `nil`: at its beginning.
    internal let entryBar: Int64?

    /// Lays out `plan` for a stream of `sampleRate` frames per second, frame 0 at its very start.
    ///
    /// - Parameters:
    ///   - plan: what is played.
    ///   - sampleRate: frames per second by the label, 1 to 2^24.
    ///   - frameRate: frames per second as they truly pass, above 0, if the stream's clock was measured: tempi and times
    ///     are then true. A denominator of 10^8 or less leaves the tempi their digits.
    /// - Throws: `PlanError` when the parts of the plan do not go together.
    package init(_ plan: PracticePlan, sampleRate: Hertz, frameRate: Ratio? = nil) throws(PlanError) {
        guard let rate = sampleRate.framesPerSecond else { throw .unsupportedSampleRate(sampleRate) }
        let frameRate = frameRate ?? Ratio(Int64(rate))
        guard frameRate > Ratio(0), frameRate <= Ratio(1 << 25) else {
            throw .unsupportedSampleRate(frameRate.value.hertz)
        }
        var layout = ScheduleLayout(frameRate: frameRate)
        try layout.add(plan)
        let lastEnd = layout.end?.nearestFrame()
        let planSegments = layout.segments.count
        let entry = try layout.enter(plan)
        planSegmentCount = planSegments
        (entryBar, startFrame) = (entry?.bar, entry?.startFrame ?? 0)
        countInSegment = layout.segments.count > planSegments ? planSegments : -1
        (framesPerSecond, self.frameRate) = (rate, frameRate)
        layerCount = layout.layerCount
        firstBar = layout.segments.first?.firstBar ?? 1
        labels = layout.labels
        mutes = plan.mutes
        (loudestBeats, loudestParts) = layout.loudest
        loopSegment = layout.loopSegment
        segments = SampleBuffer(copying: layout.segments, filler: Segment())
        strokes = SampleBuffer(
            copying: layout.strokes,
            filler: Stroke(tick: 0, step: 0, bar: 0, beat: 0, beatsInBar: 1, part: 0, layer: 0, level: .silent))
        increments = SampleBuffer(copying: layout.increments, filler: Increment(whole: 0, remainder: 0))
        barLevels = SampleBuffer(copying: layout.barLevels, filler: 0)
        gaps = SampleBuffer(copying: layout.gaps, filler: false)
        var limit: Int64?
        if case .time(let span) = plan.end { limit = span.frameCount(at: frameRate) }
        timeLimit = limit
        lastBarEnd = lastEnd
        if let limit {
            endFrame = min(startFrame + limit, lastEnd ?? .max)
        } else {
            endFrame = lastEnd
        }
    }

    /// The frame at which the plan ends when it is entered at `frame`: a limit of time counts from there.
    package func endFrame(from frame: Int64) -> Int64? {
        guard let timeLimit else { return lastBarEnd }
        return min(frame + timeLimit, lastBarEnd ?? Int64.max)
    }

    /// The loudest stroke of the plan, for gains of the levels from silent to accent, and one more for parts of a beat.
    @_noLocks package func loudestStroke(gains: SIMD4<Float>, part: Float) -> Float {
        let (beats, parts) = (gains * loudestBeats, gains * loudestParts * part)
        var loudest: Float = 0
        for level in 0..<4 { loudest = max(loudest, max(beats[level], parts[level])) }
        return loudest
    }

    /// The bar at which a labelled section begins.
    package func bar(of label: String) -> Int64? { labels.first { $0.label == label }?.bar }
}

/// Whole frames and a remainder over the segment's denominator.
internal struct Increment: BitwiseCopyable, Sendable {
    internal var whole: Int64
    internal var remainder: UInt64
}

/// A stretch of beats under one tempo law and one pattern. It begins on a beat.
internal struct Segment: BitwiseCopyable, Sendable {
    /// The instant of its first beat; beyond 126 bits rounded, but in the right frame.
    internal var anchor = FramePosition(frame: 0)
    /// Its fraction in halves of `1 / tickDenominator` of a frame, rounded down from the exact instant. All instants of the
    /// segment lie whole steps of `1 / tickDenominator` later, so no comparison with half a frame needs more than that.
    internal var anchorHalves: UInt64 = 0
    /// Ticks from the start of its section.
    internal var startTick: Int64 = 0
    internal var endTick = Int64.max
    /// The pattern: where its strokes stand, how long a cycle is.
    internal var firstStroke = 0
    internal var strokeCount = 0
    internal var cycleTicks: Int64 = 1
    internal var cycleBars: Int64 = 1
    internal var ticksPerBeat: Int64 = 1
    internal var firstBarLevels = 0
    /// Where the first beat of the segment stands in the pattern.
    internal var startCycle: Int64 = 0
    internal var startStroke = 0
    /// The bar and the beat (from 0) at which the segment begins, and the bar at which its section does.
    internal var startBar: Int64 = 1
    internal var startBeat: Int32 = 0
    internal var firstBar: Int64 = 1
    /// A steady tempo: the length of a tick in frames as a fraction, and the table of its multiples.
    internal var tickNumerator: Int64 = 0
    internal var tickDenominator: UInt64 = 1
    internal var firstIncrement = 0
    /// A moving tempo, in beats of the meter; unused where the tick has a length.
    internal var ramp = TempoRamp(from: 1, to: 1, over: 1, curve: .linearInBeats)
    /// Frames per second, and quarter notes per beat of the meter.
    internal var sampleRate = 1.0
    internal var quartersPerBeat = 1.0
    internal var volume: Float = 1
    internal var section: Int32 = 0
    internal var denominator: Int32 = 4
    /// The gap flags: where they stand, how many, where they repeat, and the bar they count from.
    internal var firstGap = 0
    internal var gapCount = 0
    internal var gapRepeat = 0
    internal var gapBar: Int64 = 1

    @_noLocks internal init() {}

    internal var isSteady: Bool { @_noLocks get { tickNumerator > 0 } }

    /// Frames from the first beat of the segment to a tick of it, for a moving tempo.
    @_noLocks internal func rampFrames(atTick tick: Int64) -> Double {
        ramp.seconds(atBeat: Double(tick - startTick) / Double(ticksPerBeat)) * sampleRate
    }

    /// The tempo at a tick, in quarter notes per minute.
    @_noLocks internal func tempo(atTick tick: Int64) -> Double {
        if !isSteady { return ramp.tempo(atBeat: Double(tick - startTick) / Double(ticksPerBeat)) * quartersPerBeat }
        let framesPerBeat = Double(tickNumerator) / Double(tickDenominator) * Double(ticksPerBeat)
        return 60 * sampleRate / framesPerBeat * quartersPerBeat
    }

    /// Whether a tick lies so far away that its frame would leave 60 bits: 760,000 years at 48 kHz.
    @_noLocks internal func isOutOfReach(tick: Int64) -> Bool {
        let beats = Double(tick - startTick) / Double(ticksPerBeat)
        var frames = ramp.seconds(atBeat: beats) * sampleRate
        if isSteady { frames = beats * Double(ticksPerBeat) * Double(tickNumerator) / Double(tickDenominator) }
        return !(frames + Double(anchor.whole) < 1_152_921_504_606_846_976)
    }

    /// The instant of a tick, from the instant of another tick of the same segment: the closed form.
    ///
    /// - Complexity: one division of 128-bit integers.
    @_noLocks internal func position(ofTick tick: Int64, from origin: FramePosition, at originTick: Int64)
        -> FramePosition
    {
        if tick == originTick { return origin }
        if !isSteady {
            return origin.adding(FramePosition(rampFrames(atTick: tick) - rampFrames(atTick: originTick)))
        }
        let product = UInt128(UInt64(tick - originTick)) * UInt128(UInt64(tickNumerator))
        return origin.adding(FramePosition(whole: 0, over: product, under: UInt128(tickDenominator)))
    }
}

extension SampleBuffer {
    /// The elements of an array, in memory that the audio thread may read.
    fileprivate init(copying elements: [Sample], filler: Sample) {
        self.init(count: elements.count, repeating: filler)
        for (index, element) in elements.enumerated() { unsafeElements[index] = element }
    }
}
