public import CWellTempered
internal import MetronomeEngine
internal import Music
internal import Notation
internal import Realtime
internal import Timebase

/// A metronome for a stream of `sample_rate` frames per second, 1,000 to 16,777,216. `tempo` in beats per minute is read
/// exactly: "120", "97.3", "100/3". `accents` is a count ("4"), groups ("3+2+2") or a pattern ("X.x."); NULL is "4".
/// NULL on error, with the reason in `error` unless that is NULL.
@c
public func wt_metronome_create(
    _ sample_rate: Int32, _ tempo: UnsafePointer<CChar>?, _ accents: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<wt_error>?
) -> wt_metronome_handle? {
    guard (1_000...1 << 24).contains(sample_rate) else {
        report(
            WT_INVALID_ARGUMENT, "A metronome cannot run at \(sample_rate) frames per second; choose 1000 to 16777216.",
            to: error)
        return nil
    }
    guard let tempo else {
        report(WT_INVALID_ARGUMENT, "A metronome needs a tempo; pass beats per minute such as \"120\".", to: error)
        return nil
    }
    do {
        let plan = try PracticePlan(
            tempo: Tempo(parsing: String(cString: tempo)),
            accents: accents.map { try AccentPattern(parsing: String(cString: $0)) })
        let metronome = try Metronome(plan, sampleRate: Hertz(Double(sample_rate)), eventCapacity: 1_024)
        clear(error)
        return wt_metronome_handle(allocated(metronome))
    } catch let reason {
        report(WT_INVALID_ARGUMENT, (reason as? any ExplainedError)?.message ?? "\(reason)", to: error)
    }
    return nil
}

/// Frees a metronome. Its handle must not be used any more.
@c
public func wt_metronome_destroy(_ metronome: wt_metronome_handle?) {
    guard let metronome else { return }
    free(UnsafeMutablePointer<Metronome>(metronome))
}

/// REAL TIME. Overwrites `count` mono frames, full scale +-1, with the next part of the click track. The result does not
/// depend on the block sizes, to the bit.
@c @_noLocks
public func wt_metronome_render(
    _ metronome: wt_metronome_handle?, _ frames: UnsafeMutablePointer<Float>?, _ count: UInt
) {
    // C converts a negative number to a huge size.
    let size = Int(bitPattern: count)
    guard let metronome, let frames, size > 0 else { return }
    var span = UnsafeMutableBufferPointer(start: frames, count: size).mutableSpan
    UnsafeMutablePointer<Metronome>(metronome).pointee.engine.render(into: &span)
}

/// REAL TIME. Moves the oldest rendered beat that was not taken yet into `beat`; false if there is none. At most 1,024
/// wait; further ones are dropped.
@c @_noLocks
public func wt_metronome_next_beat(_ metronome: wt_metronome_handle?, _ beat: UnsafeMutablePointer<wt_beat>?) -> Bool {
    guard let metronome, let beat else { return false }
    guard let next = UnsafeMutablePointer<Metronome>(metronome).pointee.events.pop() else { return false }
    beat.pointee.frame = next.frame
    beat.pointee.bar = next.bar
    beat.pointee.beat = next.beat
    beat.pointee.beats_in_bar = next.beatsInBar
    beat.pointee.level = Int32(next.level.number)
    beat.pointee.part = next.part
    return true
}

/// REAL TIME. How many frames have been rendered.
@c @_noLocks
public func wt_metronome_position(_ metronome: wt_metronome_handle?) -> Int64 {
    guard let metronome else { return 0 }
    return UnsafeMutablePointer<Metronome>(metronome).pointee.engine.position
}
