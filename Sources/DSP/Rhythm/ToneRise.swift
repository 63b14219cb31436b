internal import CRealtime
package import Music
internal import Realtime

/// Where a tone of known pitch begins to sound under another one that gives way to it.
///
/// A tone that swells out of the one before is heard late: its beginning is 40 dB below what it becomes, and the other is
/// loud. But it has partials of its own, and those are silent before. `PartialSeparation` parts them from those of the other tone;
/// their amplitude is followed back from where the tone stands out to where its rise points to.
package struct ToneRise: ~Copyable, Sendable {
    /// Seconds that are looked at, and of the window with which the amplitude is taken. With 0.04 or 0.05 as many notes of soft attacks
    /// are within 50 ms, to 1 in 300.
    private static var span: Double { @_noLocks get { 0.25 } }
    private static var window: Double { @_noLocks get { 0.045 } }
    /// Seconds between two amplitudes: a ninth of the window.
    private static var step: Double { @_noLocks get { 0.005 } }
    /// By how many times the tone must stand out from what is there before it, and the largest share of the peak at which a rise may
    /// be seen first: with more in the way, its time is not known.
    private static var clearance: Double { @_noLocks get { 1.5 } }
    private static var largest: Double { @_noLocks get { 0.3 } }
    /// The shares of the peak between which a rise is followed. Below, what the window has blurred is more than the tone itself, and with
    /// a foot of 0.25 twice as many notes are told 50 ms off; above, the attack has its bend.
    private static var foot: Double { @_noLocks get { 0.15 } }
    private static var shoulder: Double { @_noLocks get { 0.45 } }
    /// By how much, in power, a rise may fall on its way: voices beat. From 1.5 to 4 as many notes are told 50 ms off.
    private static var wavering: Double { @_noLocks get { 2 } }

    /// How many samples are looked at.
    package let reach: Int
    private let rate: Double
    private let hop: Int
    private var separation: PartialSeparation
    private let powers: SampleBuffer<Double>

    /// The same before there is one.
    package static func reach(_ sampleRate: Hertz) -> Int { Int(span * sampleRate.value) }

    package init(sampleRate: Hertz) {
        rate = sampleRate.value
        reach = Self.reach(sampleRate)
        hop = max(1, Int(Self.step * rate))
        separation = PartialSeparation(sampleRate: rate, length: Int(Self.window * rate))
        powers = SampleBuffer(count: (reach - separation.length) / hop + 1)
    }

    /// How many samples ago a tone began; `nil` where that is hidden.
    ///
    /// - Parameters:
    ///   - samples: the newest `reach`.
    ///   - key: the tone, in keys above MIDI's 0.
    ///   - old: that of the tone before; -1 for none.
    ///   - swing: by how many keys that one's vibrato swings to either side.
    @_noLocks package mutating func find(
        _ samples: UnsafeMutableBufferPointer<Float>, key: Double, after old: Double, swinging swing: Double = 0
    ) -> Int? {
        guard samples.count >= reach, let base = samples.baseAddress else { return nil }
        let other = old < 0 ? 0 : KeyScale.frequency(old)
        guard separation.part(KeyScale.frequency(key), from: other, swinging: rt_exp2(swing / 12) - 1)
        else { return nil }
        for n in 0..<powers.count { powers.unsafeElements[n] = separation.power(base + n * hop) }
        return beginning()
    }

    @_noLocks private func beginning() -> Int? {
        let powers = powers.unsafeElements
        var (top, peak) = (0, 0.0)
        for n in 0..<powers.count where powers[n] > peak { (top, peak) = (n, powers[n]) }
        var floor = peak
        for n in 0...top { floor = min(floor, powers[n]) }
        let clear = Self.clearance * Self.clearance * floor
        guard clear < Self.largest * Self.largest * peak else { return nil }
        let least = max(clear, Self.foot * Self.foot * peak)
        var (place, lowest, shoulder) = (top, peak, top)
        while place > 0, powers[place] >= least {
            // It rises once: what falls before was another sound.
            lowest = min(lowest, powers[place])
            guard powers[place] < Self.wavering * lowest else { return nil }
            if powers[place] >= Self.shoulder * Self.shoulder * peak { shoulder = place }
            place -= 1
        }
        // The rise goes on as it is seen: a line in amplitude.
        let foot = place + 1
        var back = 0.0
        if shoulder > foot {
            let (low, high) = (rt_sqrt(powers[foot]), rt_sqrt(powers[shoulder]))
            guard high > low else { return nil }
            back = low * Double(shoulder - foot) / (high - low)
        }
        return reach - foot * hop - separation.length / 2 + Int(back * Double(hop))
    }
}
