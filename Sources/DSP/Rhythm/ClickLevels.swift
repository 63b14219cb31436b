internal import CRealtime
internal import Realtime

/// How loud the microphone hears the clicks of a count-in, in which the player is silent.
///
/// In an honest path like clicks are equally loud. An echo canceller takes them away as it learns, and automatic gain turns them
/// down or up.
internal struct ClickLevels: ~Copyable, Sendable {
    /// From a click's arrival to the end of its measurement, in seconds: devices may hide some tens of milliseconds.
    private static var length: Double { @_noLocks get { 0.15 } }
    /// Clicks to compare: a count-in of two bars of 8.
    private static var most: Int { @_noLocks get { 32 } }

    private let measurements: SampleBuffer<ClickMeasurement>
    private var count = 0
    private let frames: Int64

    init(sampleRate: Double) {
        frames = Int64(Self.length * sampleRate)
        measurements = SampleBuffer(count: Self.most, repeating: ClickMeasurement())
    }

    /// Forgets all clicks.
    @_noLocks mutating func reset() { count = 0 }

    /// Measures a click whose first sample is expected at `sample`.
    @_noLocks mutating func measure(_ sound: Int, from sample: Int64) {
        guard count < measurements.count else { return }
        var measurement = ClickMeasurement()
        (measurement.sound, measurement.first) = (sound, sample)
        measurements.unsafeElements[count] = measurement
        count += 1
    }

    /// Hears samples, the first of which is number `position`.
    @_noLocks mutating func hear(_ samples: UnsafeMutableBufferPointer<Float>, at position: Int64) {
        for place in 0..<count {
            let first = measurements.unsafeElements[place].first
            let from = max(0, first - position), to = min(Int64(samples.count), first + frames - position)
            guard from < to else { continue }
            var energy = 0.0
            for n in Int(from)..<Int(to) { energy += Double(safe(samples[n])) * Double(safe(samples[n])) }
            measurements.unsafeElements[place].energy += energy
        }
    }

    /// By how many decibels the clicks became louder from the first to the last of a sound, of which there are three at least;
    /// the largest change of all sounds. `nil`: there were too few.
    @_noLocks func change(before position: Int64) -> Double? {
        var result = 0.0, isKnown = false
        for sound in 0..<(count > 0 ? 64 : 0) {
            var heard = 0, first = 0.0, last = 0.0
            for place in 0..<count where measurements.unsafeElements[place].sound == sound {
                guard measurements.unsafeElements[place].first + frames <= position else { continue }
                heard += 1
                last = measurements.unsafeElements[place].energy
                if heard == 1 { first = last }
            }
            // A noise of -100 dBFS is silence.
            guard heard >= 3 else { continue }
            let silence = 1e-10 * Double(frames)
            let change = 10 * rt_log10((last + silence) / (first + silence))
            if abs(change) > abs(result) { result = change }
            isKnown = true
        }
        return isKnown ? result : nil
    }
}

/// A click of the count-in, and its energy at the microphone.
internal struct ClickMeasurement: BitwiseCopyable, Sendable {
    var sound = 0
    /// The sample at which it is expected.
    var first: Int64 = 0
    var energy = 0.0
    @_noLocks init() {}
}
