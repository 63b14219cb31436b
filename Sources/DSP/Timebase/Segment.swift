/// Whole frames and a remainder over the segment's denominator.
internal struct Increment: BitwiseCopyable, Sendable {
    internal var whole: Int64
    internal var remainder: UInt64
}

/// Consecutive beats with one tempo law and one pattern. It starts on a beat.
internal struct Segment: BitwiseCopyable, Sendable {
    /// The instant of its first beat; rounded beyond 126 bits, but in the right frame.
    internal var anchor = FramePosition(frame: 0)
    /// Its fraction in halves of `1 / tickDenominator` of a frame, rounded down. All instants of the segment are whole steps
    /// of `1 / tickDenominator` later, so this suffices to compare them with half a frame.
    internal var anchorHalves: UInt64 = 0
    /// Ticks from the start of its section.
    internal var startTick: Int64 = 0
    internal var endTick = Int64.max
    /// The pattern: the position of its strokes, and the length of a cycle.
    internal var firstStroke = 0, strokeCount = 0
    internal var cycleTicks: Int64 = 1, cycleBars: Int64 = 1, ticksPerBeat: Int64 = 1
    internal var firstBarLevels = 0
    /// The position of the first beat in the pattern.
    internal var startCycle: Int64 = 0
    internal var startStroke = 0
    /// The bar and the beat (from 0) at which the segment starts, and the first bar of its section.
    internal var startBar: Int64 = 1
    internal var startBeat: Int32 = 0
    internal var firstBar: Int64 = 1
    /// For a steady tempo the length of a tick in frames, and the table of its multiples.
    internal var tickNumerator: Int64 = 0
    internal var tickDenominator: UInt64 = 1
    internal var firstIncrement = 0
    /// For a ramp the tempo in beats of the meter.
    internal var ramp = TempoRamp(from: 1, to: 1, over: 1, curve: .linearInBeats)
    internal var sampleRate = 1.0
    /// The counted notes per beat, and the tempo if it is steady, otherwise 0.
    internal var countsPerBeat = 1.0, steadyTempo = 120.0
    internal var volume: Float = 1
    internal var section: Int32 = 0
    /// The note values of a beat and of what the tempo counts.
    internal var beat = NoteValue.quarter, counted = NoteValue.quarter
    internal var gaps = GapRun()

    @_noLocks internal init() {}

    internal var isSteady: Bool { @_noLocks get { steadyTempo > 0 } }

    /// The frames from the first beat to a tick in a ramp.
    @_noLocks internal func rampFrames(atTick tick: Int64) -> Double {
        ramp.seconds(atBeat: Double(tick - startTick) / Double(ticksPerBeat)) * sampleRate
    }

    /// The tempo at a tick, in the note value that the plan counts.
    @_noLocks internal func tempo(atTick tick: Int64) -> Double {
        if isSteady { return steadyTempo }
        return ramp.tempo(atBeat: Double(tick - startTick) / Double(ticksPerBeat)) * countsPerBeat
    }

    /// The length of some beats, from one that is counted from the start of the segment.
    @_noLocks internal func seconds(ofBeats beats: Double, from first: Double = 0) -> Double {
        isSteady
            ? beats * 60 * countsPerBeat / steadyTempo
            : ramp.seconds(atBeat: first + beats) - ramp.seconds(atBeat: first)
    }

    /// Takes the law of a tempo above zero.
    internal mutating func follow(_ law: TempoCourse.Law) {
        steadyTempo = law.steadyTempo?.value ?? 0
        guard !isSteady, case .ramp(let from, let to, let beats, let curve) = law else { return }
        ramp = TempoRamp(from: from.value / countsPerBeat, to: to.value / countsPerBeat, over: beats, curve: curve)
    }

    /// Whether the frame of a tick exceeds 60 bits: 760,000 years at 48 kHz.
    @_noLocks internal func isOutOfReach(tick: Int64) -> Bool {
        let frames = seconds(ofBeats: Double(tick - startTick) / Double(ticksPerBeat)) * sampleRate
        return !(frames + Double(anchor.whole) < 1_152_921_504_606_846_976)
    }

    /// Whether a beat is muted, at random or by a gap. The only place that decides muting.
    @_noLocks internal func isMuted(
        bar: Int64, beat: Int32, mutes: RandomMute?, gaps: UnsafeMutableBufferPointer<Bool>
    ) -> Bool {
        if let mutes, mutes.mutes(bar: bar, beat: beat) { return true }
        return isMuted(bar: bar, gaps: gaps)
    }

    /// Whether a gap mutes a bar.
    ///
    /// - Parameter gaps: the flags of all gaps.
    @_noLocks internal func isMuted(bar: Int64, gaps: UnsafeMutableBufferPointer<Bool>) -> Bool {
        let flag = self.gaps.flag(ofBar: bar)
        return flag >= 0 && gaps[flag]
    }

    /// The instant of a tick, from the instant of another tick of the same segment: the closed form.
    ///
    /// - Complexity: one division of 128-bit integers.
    @_noLocks internal func position(ofTick tick: Int64, from origin: FramePosition, at originTick: Int64)
        -> FramePosition
    {
        if tick == originTick { return origin }
        if !isSteady { return origin.adding(FramePosition(rampFrames(atTick: tick) - rampFrames(atTick: originTick))) }
        return origin.adding(frames(ofTicks: tick - originTick))
    }

    /// The length of some ticks of a steady tempo.
    @_noLocks internal func frames(ofTicks ticks: Int64) -> FramePosition {
        let product = UInt128(UInt64(ticks)) * UInt128(UInt64(tickNumerator))
        return FramePosition(whole: 0, over: product, under: UInt128(tickDenominator))
    }
}

/// The flags of the gap plan of a segment.
internal struct GapRun: BitwiseCopyable, Sendable {
    /// The index of the first flag, their count, and the one from which they repeat.
    internal var first = 0, count = 0, repeatFrom = 0
    internal var bar: Int64 = 1

    @_noLocks internal init() {}

    /// The index of the flag of a bar; -1 without a gap plan.
    @_noLocks internal func flag(ofBar bar: Int64) -> Int {
        var flag = bar - self.bar
        if bar < 1 || count == 0 || flag < 0 { return -1 }
        if flag >= Int64(count) {
            let from = Int64(repeatFrom)
            flag = from + (flag - from) % (Int64(count) - from)
        }
        return first + Int(flag)
    }
}
