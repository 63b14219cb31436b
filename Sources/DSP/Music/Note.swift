private import CRealtime

/// A key of the twelve-tone keyboard, numbered as MIDI does: A4 is 69, middle C (C4) is 60, the piano's A0 is 21.
@frozen
public struct Note: Sendable, Hashable, Comparable {
    /// The MIDI number. It may lie outside 0...127; the numbering continues in both directions.
    public var midi: Int

    /// The key with this MIDI number.
    @inlinable @_noLocks public init(midi: Int) { self.midi = midi }

    /// The position above C: 0 is C, 1 is C♯ or D♭, 11 is B.
    @inlinable public var pitchClass: Int {
        @_noLocks get {
            let remainder = midi % 12
            return remainder < 0 ? remainder + 12 : remainder
        }
    }

    /// The octave in scientific pitch notation: it changes between B and C, and middle C starts octave 4.
    /// - SeeAlso: Young, "Terminology for Logarithmic Frequency Units", JASA 11, 1939.
    @inlinable public var octave: Int { @_noLocks get { (midi - pitchClass) / 12 - 1 } }

    /// The name without the octave, accidentals as sharps: `C`, `C#`, … `B`.
    public var name: String { NoteNaming().name(ofPitchClass: pitchClass) }

    /// Whether `lhs` is the lower key.
    @inlinable @_noLocks public static func < (lhs: Note, rhs: Note) -> Bool { lhs.midi < rhs.midi }
}

extension Note: CustomStringConvertible {
    /// Name and octave, as in `F#3`.
    public var description: String { name + String(octave) }
}

/// The reference pitch of a tuning: the frequency of A4.
@frozen
public struct ReferencePitch: Sendable, Hashable {
    /// The frequency of A4.
    public var a4: Hertz

    /// A4 at 440 Hz (ISO 16).
    public static var standard: ReferencePitch { @_noLocks get { ReferencePitch(a4: Hertz(440)) } }

    /// What the commands take for A4, with room around the historical 392 to 466 Hz.
    package static let range = 300.hertz...600.hertz

    /// A reference with this A4.
    @inlinable @_noLocks public init(a4: Hertz) { self.a4 = a4 }

    /// The equal-tempered frequency of a key: A4 · 2^((midi - 69) / 12).
    @_noLocks public func frequency(of note: Note) -> Hertz { Hertz(a4.value * rt_exp2(Double(note.midi - 69) / 12)) }

    /// The nearest key in equal temperament and the deviation from it, -50 to +50 cents.
    ///
    /// - Parameter frequency: positive and finite; otherwise the result is `nil`.
    @_noLocks public func nearestNote(to frequency: Hertz) -> (note: Note, deviation: Cents)? {
        guard frequency.value > 0, frequency.value.isFinite, a4.value > 0 else { return nil }
        let position = 69 + 12 * rt_log2(frequency.value / a4.value)
        guard position > -1e6, position < 1e6 else { return nil }
        let nearest = rt_round(position)
        return (Note(midi: Int(nearest)), Cents(100 * (position - nearest)))
    }
}
