internal import Timebase

/// A stroke and its tick within the beat, on the grid of the plan.
internal struct MIDIStroke {
    var event: BeatEvent
    var tick: Int64
    var ticksPerBeat: Int64

    /// Microseconds from the start of the plan.
    var instant: Double { Double(event.floorFrame) + event.fraction }

    /// The nearest tick in a beat of `ticks` ticks.
    func tick(of ticks: Int64) -> Int64 {
        Int64((2 * Int128(tick) * Int128(ticks) + Int128(ticksPerBeat)) / (2 * Int128(ticksPerBeat)))
    }
}
