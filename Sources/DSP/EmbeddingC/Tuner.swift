public import CWellTempered
internal import Music
internal import Pitch
internal import TunerEngine

// Each function carries `@implementation`: the compiler compares it with its declaration in well_tempered.h, so header
// and code cannot drift apart.

/// See well_tempered.h.
@c @implementation
public func wt_tuner_create(_ sampleRate: Double, _ error: UnsafeMutablePointer<wt_error>?) -> OpaquePointer? {
    do throws(PitchError) {
        let engine = try TunerEngine(sampleRate: Hertz(sampleRate))
        let handle = UnsafeMutablePointer<TunerEngine>.allocate(capacity: 1)
        handle.initialize(to: engine)
        clear(error)
        return OpaquePointer(handle)
    } catch let reason {
        report(reason.exitStatus, reason.message, to: error)
        return nil
    }
}

/// See well_tempered.h.
@c @implementation
public func wt_tuner_destroy(_ tuner: OpaquePointer?) {
    guard let tuner else { return }
    let handle = UnsafeMutablePointer<TunerEngine>(tuner)
    handle.deinitialize(count: 1)
    handle.deallocate()
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_tuner_process(_ tuner: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ count: Int) {
    guard let tuner, let samples, count > 0 else { return }
    UnsafeMutablePointer<TunerEngine>(tuner).pointee.process(UnsafeBufferPointer(start: samples, count: count).span)
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_tuner_next(_ tuner: OpaquePointer?, _ reading: UnsafeMutablePointer<wt_reading>?) -> Bool {
    guard let tuner, let reading else { return false }
    guard let next = UnsafeMutablePointer<TunerEngine>(tuner).pointee.nextReading() else { return false }
    reading.pointee.frame = next.frame
    reading.pointee.state = number(of: next.state)
    reading.pointee.window = next.window
    reading.pointee.frequency = next.frequency.value
    reading.pointee.periodicity = next.periodicity.value
    reading.pointee.clarity = next.clarity
    reading.pointee.level = next.level.value
    reading.pointee.standard_error = next.standardError.value
    reading.pointee.inharmonicity = next.inharmonicity
    return true
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_tuner_hop(_ tuner: OpaquePointer?) -> Int32 {
    guard let tuner else { return 0 }
    return Int32(UnsafeMutablePointer<TunerEngine>(tuner).pointee.hop)
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_tuner_dropped(_ tuner: OpaquePointer?) -> Int64 {
    guard let tuner else { return 0 }
    return Int64(UnsafeMutablePointer<TunerEngine>(tuner).pointee.droppedReadings)
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_tuner_reset(_ tuner: OpaquePointer?) {
    guard let tuner else { return }
    UnsafeMutablePointer<TunerEngine>(tuner).pointee.reset()
}

/// See well_tempered.h.
@c @implementation @_noLocks
public func wt_nearest_note(
    _ frequency: Double, _ a4: Double, _ midi: UnsafeMutablePointer<Int32>?, _ cents: UnsafeMutablePointer<Double>?
) -> Bool {
    // The second comparison of each pair is false for infinity and NaN.
    guard frequency > 0, frequency < .infinity, a4 > 0, a4 < .infinity else { return false }
    guard let (note, deviation) = ReferencePitch(a4: Hertz(a4)).nearestNote(to: Hertz(frequency)) else { return false }
    midi?.pointee = Int32(truncatingIfNeeded: note.midi)
    cents?.pointee = deviation.value
    return true
}

/// The header's number of a state.
@_noLocks private func number(of state: PitchState) -> Int32 {
    switch state {
    case .silence: 0
    case .attack: 1
    case .voiced: 2
    case .unvoiced: 3
    }
}
