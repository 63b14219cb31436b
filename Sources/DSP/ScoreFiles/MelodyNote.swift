package import Music

/// A note of a melody as it was played.
package struct MelodyNote: Sendable {
    /// When it begins and ends, from the start of the sound.
    package var start: Duration, end: Duration
    package var note: Note
    /// How far it was from the note in tune; positive is sharp.
    package var deviation: Cents
    /// 1 to 127.
    package var velocity: Int

    package init(start: Duration, end: Duration, note: Note, deviation: Cents, velocity: Int) {
        (self.start, self.end, self.note, self.deviation, self.velocity) = (start, end, note, deviation, velocity)
    }
}
