package import Music
internal import Realtime

/// A plan laid out for a stream: tables of where each segment of steady or moving tempo starts and which strokes repeat
/// in it.
///
/// Create it off the audio thread; it is read-only afterwards.
package struct BeatSchedule: ~Copyable, Sendable {
    /// The nominal sample rate of the stream.
    package var sampleRate: Hertz { framesPerSecond.hertz }
    package let framesPerSecond: Int
    /// The true frames per second, if the clock of the stream was measured; otherwise `sampleRate`.
    package let frameRate: Ratio
    /// How many voices the strokes need, including the beat.
    package let layerCount: Int
    /// The frame at which playing starts: 0, or that of the entry bar. A count-in before it can start below 0.
    package let startFrame: Int64
    /// The frame at which the plan ends; `nil`: never.
    package let endFrame: Int64?
    /// The time limit of the plan in frames; `nil`: none.
    package let timeLimit: Int64?
    /// The number of the first bar: 1, or less with a count-in.
    package let firstBar: Int64
    /// The largest volume of each level, for beats and other voices, and for parts of a beat.
    private let loudestBeats: LevelAmplitudes, loudestParts: LevelAmplitudes
    /// The labels of the sections, with the bar at which each begins.
    package let labels: [(label: String, bar: Int64)]

    internal let segments: SampleBuffer<Segment>
    internal let strokes: SampleBuffer<Stroke>
    internal let increments: SampleBuffer<Increment>
    internal let barLevels: SampleBuffer<BarLevels>
    internal let gaps: SampleBuffer<Bool>
    internal let mutes: RandomMute?
    internal let loopSegment: Int
    /// How many segments the plan has, and the index of the count-in before a later bar: after them, or -1.
    internal let planSegmentCount: Int, countInSegment: Int
    internal let entryBar: Int64?

    /// Lays out a plan; frame 0 is its very start.
    ///
    /// - Parameters:
    ///   - sampleRate: the nominal rate of the stream, a whole number from 1 to 2^24 Hz.
    ///   - frameRate: the true frames per second, if the clock of the stream was measured: it makes tempi and times true.
    ///     Use a denominator up to 10^8, or long tempi are rounded.
    /// - Throws: `PlanError` if the plan cannot be laid out.
    package init(_ plan: PracticePlan, sampleRate: Hertz, frameRate: Ratio? = nil) throws(PlanError) {
        try self.init(PlanGrid(plan), sampleRate: sampleRate, frameRate: frameRate)
    }

    /// Puts a grid on the frames of a stream.
    package init(_ grid: PlanGrid, sampleRate: Hertz, frameRate: Ratio? = nil) throws(PlanError) {
        guard let rate = sampleRate.framesPerSecond else { throw .unsupportedSampleRate(sampleRate) }
        let frameRate = frameRate ?? Ratio(Int64(rate))
        guard frameRate > Ratio(0), frameRate <= Ratio(1 << 25) else {
            throw .unsupportedSampleRate(frameRate.value.hertz)
        }
        let frames = try FrameLayout(grid, frameRate: frameRate)
        var end = frames.end
        // Regardless of a time limit; nil: never.
        let lastBarEnd = end?.nearestFrame()
        planSegmentCount = grid.planSegmentCount
        (entryBar, startFrame) = (grid.entry?.bar, frames.startFrame)
        countInSegment = grid.segments.count > planSegmentCount ? planSegmentCount : -1
        (framesPerSecond, self.frameRate) = (rate, frameRate)
        layerCount = grid.layerCount
        (firstBar, labels, mutes) = (grid.segments[0].firstBar, grid.labels, grid.plan.mutes)
        (loudestBeats, loudestParts) = grid.loudest
        loopSegment = grid.loopSegment
        segments = SampleBuffer(copying: frames.segments)
        strokes = SampleBuffer(copying: grid.strokes)
        increments = SampleBuffer(copying: frames.increments)
        barLevels = SampleBuffer(copying: grid.barLevels)
        gaps = SampleBuffer(copying: grid.gaps)
        if case .time(let span) = grid.plan.end {
            let limit = span.frameCount(at: frameRate)
            (timeLimit, endFrame) = (limit, min(startFrame + limit, lastBarEnd ?? .max))
        } else {
            (timeLimit, endFrame) = (nil, lastBarEnd)
        }
    }

    /// The amplitude of the loudest stroke, given the gains of the levels and that of parts.
    @_noLocks package func loudestStroke(gains: LevelAmplitudes, part: Float) -> Float {
        let (beats, parts) = (gains.lanes * loudestBeats.lanes, gains.lanes * loudestParts.lanes * part)
        var loudest: Float = 0
        for lane in 0..<8 { loudest = max(loudest, max(beats[lane], parts[lane])) }
        return loudest
    }
}
