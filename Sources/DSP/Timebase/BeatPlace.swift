/// The position of a beat in its plan: its section, its share of a ramp, the next muted bar.
package struct BeatPlace: Sendable, Equatable {
    /// Whether the beat is in the count-in; label, bars and tempo are then those of the bar that follows.
    package var isCountIn = false
    package var label: String?
    /// The bar within the section, from 1.
    package var bar: Int64 = 1
    /// How many bars the section has, if it ends.
    package var bars: Int64?
    /// The tempo at this beat, in the note value that the plan counts.
    package var tempo = 120.0
    /// The same as a fraction: exact if steady, rounded to a millionth in a ramp.
    package var exactTempo = Ratio(120)
    /// How long the beat lasts, in seconds.
    package var beatSeconds = 0.5
    /// How many counted notes make a beat.
    package var countsPerBeat = Ratio(1)
    /// The counted note as it is written before a tempo, such as `8.=`; empty if it is the beat.
    package var countedNote = ""
    package var ramp: Ramp?
    /// The next tempo of a speed trainer.
    package var nextStep: Step?
    /// The gap plan at this bar, if there is one.
    package var gap: Gap?

    package struct Ramp: Sendable, Equatable {
        package var from: Double, to: Double
        /// The share of it that is over, 0 to 1.
        package var share: Double
    }

    /// A change of tempo to come.
    package struct Step: Sendable, Equatable {
        package var tempo: Double
        package var beats: Int64
    }

    /// Bars that are played and muted in turn.
    package struct Gap: Sendable, Equatable {
        package var isMuted: Bool
        /// Bars until that changes, this one included; `nil`: never.
        package var bars: Int64?
    }
}

extension PlanGrid {
    package func isMuted(bar: Int64, beat: Int32) -> Bool {
        guard let place = place(bar: bar, beat: 1) else { return false }
        let segment = segments[place.segment]
        return withGaps { segment.isMuted(bar: bar, beat: beat, mutes: plan.mutes, gaps: $0) }
    }

    /// The position of a beat; `BeatEvent.none` stands for the first beat.
    package func place(of beat: BeatEvent) -> BeatPlace {
        var result = BeatPlace()
        result.isCountIn = beat.section < 0
        // Before the first beat and in the count-in, the bar that follows counts.
        let isBefore = result.isCountIn || beat.bar < 1
        let bar = isBefore ? max(1, plan.entryBar ?? 1) : beat.bar
        guard let place = place(bar: bar, beat: isBefore ? 1 : beat.beat),
            plan.sections.indices.contains(Int(segments[place.segment].section))
        else { return result }
        let segment = segments[place.segment]
        let section = plan.sections[Int(segment.section)]
        (result.label, result.bars) = (section.label, section.bars)
        result.bar = result.isCountIn ? beat.bar : bar - segment.firstBar + 1
        result.countsPerBeat = sources[place.segment].countsPerBeat
        if section.tempo.noteValue != section.beat { result.countedNote = section.tempo.noteValue.number + "=" }
        let tick = tick(of: place)
        let beats = (tick - segment.startTick) / segment.ticksPerBeat
        (result.tempo, result.exactTempo) = (segment.tempo(atTick: tick), exactTempo(of: place.segment, atTick: tick))
        result.beatSeconds = segment.seconds(ofBeats: 1, from: Double(beats))
        result.gap = gap(inBar: beat.bar, of: segment)
        if !isBefore { follow(place.segment, to: beats, &result) }
        return result
    }

    /// The tempo at a tick as a fraction: exact if it is steady, rounded to a millionth in a ramp.
    internal func exactTempo(of segment: Int, atTick tick: Int64) -> Ratio {
        if let steady = sources[segment].law.steadyTempo { return steady }
        return Ratio(Int64((segments[segment].tempo(atTick: tick) * 1e6).rounded()), 1_000_000) ?? Ratio(120)
    }

    private func gap(inBar bar: Int64, of segment: Segment) -> BeatPlace.Gap? {
        guard segment.gaps.flag(ofBar: bar) >= 0 else { return nil }
        return withGaps { gaps in
            let isMuted = segment.isMuted(bar: bar, gaps: gaps)
            // No gap plan has a longer period.
            let change = (1...600).first { segment.isMuted(bar: bar + $0, gaps: gaps) != isMuted }
            return BeatPlace.Gap(isMuted: isMuted, bars: change)
        }
    }

    private func withGaps<Result>(_ body: (UnsafeMutableBufferPointer<Bool>) -> Result) -> Result {
        gaps.withUnsafeBufferPointer { body(UnsafeMutableBufferPointer(mutating: $0)) }
    }

    /// Adds the share of a ramp, or the next tempo of the section.
    private func follow(_ index: Int, to beats: Int64, _ place: inout BeatPlace) {
        if case .ramp(let from, let to, let length, _) = sources[index].law {
            place.ramp = BeatPlace.Ramp(from: from.value, to: to.value, share: min(1, Double(beats) / length))
            return
        }
        let (segment, next) = (segments[index], index + 1)
        guard next < planSegmentCount, segments[next].startTick == segment.endTick,
            segments[next].firstBar == segment.firstBar, case .steady(let tempo) = sources[next].law
        else { return }
        let length = (segment.endTick - segment.startTick) / segment.ticksPerBeat
        place.nextStep = BeatPlace.Step(tempo: tempo.value, beats: length - beats)
    }
}
