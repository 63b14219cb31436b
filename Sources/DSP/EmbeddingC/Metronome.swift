public import CWellTempered
internal import MetronomeEngine
internal import Realtime
internal import Timebase

/// What a handle points to: the engine, and the reading end of its ring of beats.
private struct Metronome: ~Copyable {
    var engine: MetronomeEngine
    var beats: SPSCRing<BeatEvent>.Consumer
}

/// See well_tempered.h.
@c @implementation
public func wt_metronome_create(
    _ sampleRate: Int32, _ tempo: UnsafePointer<CChar>?, _ accents: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<wt_error>?
) -> OpaquePointer? {
    guard (1_000...1 << 24).contains(sampleRate) else {
        report(2, "A metronome cannot run at \(sampleRate) frames per second; choose 1000 to 16777216.", to: error)
        return nil
    }
    guard let tempo else {
        report(2, "A metronome needs a tempo; pass beats per minute such as \"120\".", to: error)
        return nil
    }
    do {
        let plan = try PracticePlan(
            tempo: Tempo(parsing: String(cString: tempo)),
            accents: AccentPattern(parsing: accents.map { String(cString: $0) } ?? "4"))
        let schedule = try BeatSchedule(plan, sampleRate: Int(sampleRate))
        let ring = SPSCRing<BeatEvent>(minimumCapacity: 1_024, filler: .none)
        let beats = ring.consumer
        let handle = UnsafeMutablePointer<Metronome>.allocate(capacity: 1)
        handle.initialize(
            to: Metronome(engine: MetronomeEngine(schedule: schedule, events: ring.producer), beats: beats))
        clear(error)
        return OpaquePointer(handle)
    } catch let reason as NotationError {
        report(2, reason.message, to: error)
    } catch let reason as PlanError {
        report(2, reason.message, to: error)
    } catch let reason {
        report(2, "\(reason)", to: error)
    }
    return nil
}

/// See well_tempered.h.
@c @implementation
public func wt_metronome_destroy(_ metronome: OpaquePointer?) {
    guard let metronome else { return }
    let handle = UnsafeMutablePointer<Metronome>(metronome)
    handle.deinitialize(count: 1)
    handle.deallocate()
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_metronome_render(_ metronome: OpaquePointer?, _ frames: UnsafeMutablePointer<Float>?, _ count: Int) {
    guard let metronome, let frames, count > 0 else { return }
    var span = UnsafeMutableBufferPointer(start: frames, count: count).mutableSpan
    UnsafeMutablePointer<Metronome>(metronome).pointee.engine.render(into: &span)
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_metronome_next_beat(_ metronome: OpaquePointer?, _ beat: UnsafeMutablePointer<wt_beat>?) -> Bool {
    guard let metronome, let beat else { return false }
    guard let next = UnsafeMutablePointer<Metronome>(metronome).pointee.beats.pop() else { return false }
    beat.pointee.frame = next.frame
    beat.pointee.bar = next.bar
    beat.pointee.beat = next.beat
    beat.pointee.beats_in_bar = next.beatsInBar
    beat.pointee.level = Int32(next.level.number)
    beat.pointee.part = next.part
    return true
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_metronome_position(_ metronome: OpaquePointer?) -> Int64 {
    guard let metronome else { return 0 }
    return UnsafeMutablePointer<Metronome>(metronome).pointee.engine.position
}
