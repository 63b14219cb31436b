import CAllocationProbe
import MetronomeEngine
import Realtime
import TestSignals
import Testing
import Timebase

/// What an engine renders and reports in blocks of the given sizes, repeated.
func rendering(
    _ tempo: String, accent: Int = 4, sampleRate: Int, frames total: Int, blocks: [Int]
) throws -> (samples: [Float], beats: [BeatEvent]) {
    let ring = SPSCRing<BeatEvent>(minimumCapacity: 1_024, filler: .none)
    var consumer = ring.consumer
    let plan = try PracticePlan(tempo: try Tempo(parsing: tempo), accents: .every(accent))
    var engine = MetronomeEngine(schedule: try BeatSchedule(plan, sampleRate: sampleRate), events: ring.producer)
    var samples: [Float] = []
    var beats: [BeatEvent] = []
    samples.reserveCapacity(total)
    var turn = 0
    while samples.count < total {
        let count = min(blocks[turn % blocks.count], total - samples.count)
        turn += 1
        var block = [Float](repeating: .nan, count: count)
        var span = block.mutableSpan
        engine.render(into: &span)
        samples += block
        while let beat = consumer.pop() { beats.append(beat) }
    }
    #expect(engine.lostEventCount == 0)
    return (samples, beats)
}

@Suite struct MetronomeEngineTests {
    @Test func `Ten minutes at 97.3 beats per minute have every click on its exact frame`() throws {
        let sampleRate = 44_100
        let (samples, beats) = try rendering("97.3", sampleRate: sampleRate, frames: 600 * sampleRate, blocks: [8_192])
        // 973 beats in ten minutes, the last one before the end.
        #expect(beats.count == 973)
        // Clicks found in the sound itself: the first sample that is not zero after half a beat of nothing.
        var onsets: [Int] = []
        var quiet = sampleRate
        for (index, sample) in samples.enumerated() {
            if sample == 0 {
                quiet += 1
            } else {
                if quiet > sampleRate / 20 { onsets.append(index) }
                quiet = 0
            }
        }
        let exact = (0..<973).map { k in (2 * k * 60 * sampleRate * 10 + 973) / (2 * 973) }
        #expect(onsets == exact)
        #expect(beats.map { Int($0.frame) } == exact)
        #expect(beats.map { Int($0.beat) } == (0..<973).map { $0 % 4 + 1 })
        #expect(beats.map { Int($0.bar) } == (0..<973).map { $0 / 4 + 1 })
        #expect(beats.allSatisfy { ($0.level == .accent) == ($0.beat == 1) })
    }

    @Test func `Any block sizes give the same samples to the bit`() throws {
        let whole = try rendering("133.7", accent: 3, sampleRate: 48_000, frames: 240_000, blocks: [240_000])
        #expect(whole.samples.contains { abs($0) > 0.5 })
        var random = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let blocks = (0..<20).map { _ in Int.random(in: 1...8_192, using: &random) }
            let cut = try rendering("133.7", accent: 3, sampleRate: 48_000, frames: 240_000, blocks: blocks)
            #expect(cut.samples == whole.samples && cut.beats == whole.beats)
        }
    }

    @Test func `Rendering a thousand blocks makes no heap call`() throws {
        allocation_probe_reset()
        let control = [Int](repeating: 1, count: Int.random(in: 1_000...1_001))
        #expect(allocation_probe_count() != 0 && control.count >= 1_000)

        let ring = SPSCRing<BeatEvent>(minimumCapacity: 8_192, filler: .none)
        let plan = try PracticePlan(tempo: try Tempo(1_000))
        var engine = MetronomeEngine(schedule: try BeatSchedule(plan, sampleRate: 48_000), events: ring.producer)
        var block = [Float](repeating: 0, count: 256)
        var span = block.mutableSpan
        allocation_probe_reset()
        for _ in 0..<1_000 { engine.render(into: &span) }
        let calls = allocation_probe_count()
        #expect(calls == 0)
        #expect(engine.position == 256_000)
    }

    @Test func `A full ring loses events, not time`() throws {
        let ring = SPSCRing<BeatEvent>(minimumCapacity: 2, filler: .none)
        let plan = try PracticePlan(tempo: try Tempo(600), accents: .every(2))
        var engine = MetronomeEngine(schedule: try BeatSchedule(plan, sampleRate: 8_000), events: ring.producer)
        var block = [Float](repeating: 0, count: 8_000)
        var span = block.mutableSpan
        engine.render(into: &span)
        #expect(engine.lostEventCount == 8)
        #expect(engine.position == 8_000)
    }
}
