public import Music
internal import Realtime

/// A plan laid out in tables: where each segment of steady or moving tempo begins, and which strokes repeat in it.
///
/// It is made once, off the audio thread, and only read afterwards; `BeatScheduler` walks it.
public struct BeatSchedule: ~Copyable, Sendable {
    /// Frames per second, by the label of the stream.
    public var sampleRate: Hertz { framesPerSecond.hertz }
    package let framesPerSecond: Int
    /// Frames per second as they truly pass, where a stream's clock was measured; otherwise `sampleRate`.
    public let frameRate: Ratio
    /// How many voices the strokes need, the beat's own included.
    public let layerCount: Int
    /// The frame at which playing begins: 0, or where the bar lies at which the plan is entered. A count-in before that
    /// bar comes earlier by its length, which can be before 0.
    public let startFrame: Int64
    /// The frame at which the plan ends; `nil`: never.
    public let endFrame: Int64?
    /// The frame at which the last bar ends, whatever the limit of time; `nil`: it never does.
    public let lastBarEnd: Int64?
    /// The frame after which nothing is struck because the plan's time is over; `nil`: it has no limit of time.
    public let timeLimit: Int64?
    /// The number of the first bar: 1, or less with a count-in.
    public let firstBar: Int64
    /// The largest volume at which each level is struck as a beat or by another voice, and as a part of a beat.
    private let loudestBeats: SIMD4<Float>, loudestParts: SIMD4<Float>
    /// The labels of the sections, with the bar at which each begins.
    public let labels: [(label: String, bar: Int64)]

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
    public init(_ plan: PracticePlan, sampleRate: Hertz, frameRate: Ratio? = nil) throws(PlanError) {
        let grid: PlanGrid
        do throws(PlanFault) { grid = try PlanGrid(plan) } catch { throw error.error }
        try self.init(grid, sampleRate: sampleRate, frameRate: frameRate)
    }

    /// Puts a plan that is laid out already on the frames of a stream.
    package init(_ grid: PlanGrid, sampleRate: Hertz, frameRate: Ratio? = nil) throws(PlanError) {
        guard let rate = sampleRate.framesPerSecond else { throw .unsupportedSampleRate(sampleRate) }
        let frameRate = frameRate ?? Ratio(Int64(rate))
        guard frameRate > Ratio(0), frameRate <= Ratio(1 << 25) else {
            throw .unsupportedSampleRate(frameRate.value.hertz)
        }
        let frames = try FrameLayout(grid, frameRate: frameRate)
        var end = frames.end
        lastBarEnd = end?.nearestFrame()
        planSegmentCount = grid.planSegmentCount
        (entryBar, startFrame) = (grid.entry?.bar, frames.startFrame)
        countInSegment = grid.segments.count > planSegmentCount ? planSegmentCount : -1
        (framesPerSecond, self.frameRate) = (rate, frameRate)
        layerCount = grid.layerCount
        firstBar = grid.segments[0].firstBar
        labels = grid.labels
        mutes = grid.plan.mutes
        (loudestBeats, loudestParts) = grid.loudest
        loopSegment = grid.loopSegment
        segments = SampleBuffer(copying: frames.segments, filler: Segment())
        strokes = SampleBuffer(
            copying: grid.strokes,
            filler: Stroke(tick: 0, step: 0, bar: 0, beat: 0, beatsInBar: 1, part: 0, layer: 0, level: .silent))
        increments = SampleBuffer(copying: frames.increments, filler: Increment(whole: 0, remainder: 0))
        barLevels = SampleBuffer(copying: grid.barLevels, filler: 0)
        gaps = SampleBuffer(copying: grid.gaps, filler: false)
        if case .time(let span) = grid.plan.end {
            let limit = span.frameCount(at: frameRate)
            (timeLimit, endFrame) = (limit, min(startFrame + limit, lastBarEnd ?? .max))
        } else {
            (timeLimit, endFrame) = (nil, lastBarEnd)
        }
    }

    /// The frame at which the plan ends when it is entered at `frame`: a limit of time counts from there.
    public func endFrame(from frame: Int64) -> Int64? {
        guard let timeLimit else { return lastBarEnd }
        return min(frame + timeLimit, lastBarEnd ?? Int64.max)
    }

    /// The loudest stroke of the plan, for gains of the levels from silent to accent, and one more for parts of a beat.
    @_noLocks public func loudestStroke(gains: SIMD4<Float>, part: Float) -> Float {
        let (beats, parts) = (gains * loudestBeats, gains * loudestParts * part)
        var loudest: Float = 0
        for level in 0..<4 { loudest = max(loudest, max(beats[level], parts[level])) }
        return loudest
    }

    /// The bar at which a labelled section begins.
    public func bar(of label: String) -> Int64? { labels.first { $0.label == label }?.bar }
}

extension SampleBuffer {
    /// The elements of an array, in memory that the audio thread may read.
    fileprivate init(copying elements: [Sample], filler: Sample) {
        self.init(count: elements.count, repeating: filler)
        for (index, element) in elements.enumerated() { unsafeElements[index] = element }
    }
}
