/// Whether two frequencies, or two periods, are those of the same note: within 3 %, half a semitone.
///
/// A vibrato of ± 100 cents at 8 Hz, wider and faster than any that is played, comes to 30 cents in the longest step, and a
/// stiff string's period lies up to 30 cents from that of its first partial. The nearest other note is 100 cents away.
@inline(__always) @_noLocks func isSameNote(_ one: Double, _ other: Double) -> Bool { abs(one / other - 1) < 0.03 }
