import MetronomeEngine
import Music
import Realtime
import Synthesis
import Testing
import Timebase

/// What an engine renders and reports in blocks of the given sizes, repeated.
func rendering(
    _ plan: PracticePlan, sampleRate: Int = 48_000, frames total: Int, blocks: [Int] = [4_096],
    sounds: [ClickSound] = [], voiceCount: Int = 1, choices: [ClickSound] = [], placement: ClickPlacement = .exact,
    controlled: (Int, inout MetronomeControl) throws -> Void = { _, _ in }
) throws -> (samples: [Float], strokes: [BeatEvent]) {
    var metronome = Metronome(
        schedule: try BeatSchedule(plan, sampleRate: sampleRate.hertz), sounds: sounds, voiceCount: voiceCount,
        choices: choices,
        placement: placement, eventCapacity: 8_192)
    var samples: [Float] = []
    var strokes: [BeatEvent] = []
    samples.reserveCapacity(total)
    var block = [Float](repeating: .nan, count: blocks.max() ?? 1)
    var turn = 0
    while samples.count < total {
        let count = min(blocks[turn % blocks.count], total - samples.count)
        try controlled(turn, &metronome.control)
        turn += 1
        var span = block.mutableSpan
        var part = span._mutatingExtracting(first: count)
        metronome.engine.render(into: &part)
        samples += block.prefix(count)
        while let stroke = metronome.events.pop() { strokes.append(stroke) }
    }
    #expect(metronome.engine.lostEventCount == 0)
    return (samples, strokes)
}

/// -1 dBFS.
let safePeak: Float = 0.8912
