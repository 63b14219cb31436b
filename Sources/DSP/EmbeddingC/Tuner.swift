public import CWellTempered
internal import Music
internal import Pitch
internal import Spectral
internal import TunerEngine

// `make c-header` generates well_tempered.h from the `@c` functions of this module, with their comments and parameter names,
// which therefore follow the conventions of C.

/// A tuner for mono samples at `sample_rate` Hz, 8,000 to 192,000. NULL on error, with the reason in `error` unless that
/// is NULL.
@c
public func wt_tuner_create(_ sample_rate: Double, _ error: UnsafeMutablePointer<wt_error>?) -> wt_tuner_handle? {
    do throws(PitchError) {
        let engine = try TunerEngine(sampleRate: Hertz(sample_rate))
        clear(error)
        return wt_tuner_handle(allocated(engine))
    } catch let reason {
        report(status(of: reason), reason.message, to: error)
        return nil
    }
}

/// Frees a tuner. Its handle must not be used any more.
@c
public func wt_tuner_destroy(_ tuner: wt_tuner_handle?) {
    guard let tuner else { return }
    free(UnsafeMutablePointer<TunerEngine>(tuner))
}

/// REAL TIME. Processes `count` samples, full scale +-1. The readings do not depend on how a stream is cut into calls.
@c @_noLocks
public func wt_tuner_process(_ tuner: wt_tuner_handle?, _ samples: UnsafePointer<Float>?, _ count: UInt) {
    // C converts a negative number to a huge size.
    let size = Int(bitPattern: count)
    guard let tuner, let samples, size > 0 else { return }
    UnsafeMutablePointer<TunerEngine>(tuner).pointee.process(UnsafeBufferPointer(start: samples, count: size).span)
}

/// REAL TIME. Moves the oldest waiting reading into `reading`; false if there is none. At most 1,024 wait.
@c @_noLocks
public func wt_tuner_next(_ tuner: wt_tuner_handle?, _ reading: UnsafeMutablePointer<wt_reading>?) -> Bool {
    guard let tuner, let reading else { return false }
    guard let next = UnsafeMutablePointer<TunerEngine>(tuner).pointee.nextReading() else { return false }
    reading.pointee.frame = next.frame
    reading.pointee.state = Int32(truncatingIfNeeded: name(of: next.state).rawValue)
    reading.pointee.window = next.window
    reading.pointee.frequency = next.frequency.value
    reading.pointee.periodicity = next.periodicity.value
    reading.pointee.clarity = next.clarity
    reading.pointee.level = next.level.value
    reading.pointee.standard_error = next.standardError.value
    reading.pointee.inharmonicity = next.inharmonicity
    return true
}

/// REAL TIME. How many samples lie between two readings.
@c @_noLocks
public func wt_tuner_hop(_ tuner: wt_tuner_handle?) -> Int32 {
    guard let tuner else { return 0 }
    return Int32(UnsafeMutablePointer<TunerEngine>(tuner).pointee.hop)
}

/// REAL TIME. How many readings were lost because nobody took them in time.
@c @_noLocks
public func wt_tuner_dropped(_ tuner: wt_tuner_handle?) -> Int64 {
    guard let tuner else { return 0 }
    return Int64(UnsafeMutablePointer<TunerEngine>(tuner).pointee.droppedReadings)
}

/// REAL TIME. Starts again as before the first sample.
@c @_noLocks
public func wt_tuner_reset(_ tuner: wt_tuner_handle?) {
    guard let tuner else { return }
    UnsafeMutablePointer<TunerEngine>(tuner).pointee.reset()
}

/// REAL TIME. The note nearest to `frequency` in equal temperament, as a MIDI number (A4 = 69 = `a4` Hz), and how many
/// cents `frequency` lies above it. False, and nothing written, if either frequency is not positive and finite.
@c @_noLocks
public func wt_nearest_note(
    _ frequency: Double, _ a4: Double, _ midi: UnsafeMutablePointer<Int32>?, _ cents: UnsafeMutablePointer<Double>?
) -> Bool {
    // The comparisons are false for infinity and NaN.
    guard frequency > 0, frequency < .infinity, a4 > 0, a4 < .infinity else { return false }
    guard let (note, deviation) = ReferencePitch(a4: Hertz(a4)).nearestNote(to: Hertz(frequency)) else { return false }
    midi?.pointee = Int32(truncatingIfNeeded: note.midi)
    cents?.pointee = deviation.value
    return true
}

/// C's status of an error.
private func status(of error: PitchError) -> wt_status {
    if case .spectral(.planningFailed) = error { WT_OUT_OF_MEMORY } else { WT_INVALID_ARGUMENT }
}

/// C's name of a state.
@_noLocks private func name(of state: PitchState) -> wt_state {
    switch state {
    case .silence: WT_SILENCE
    case .attack: WT_ATTACK
    case .voiced: WT_VOICED
    case .unvoiced: WT_UNVOICED
    }
}
