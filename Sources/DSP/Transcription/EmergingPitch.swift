/// A pitch that stays the one that is new while another note is still read, see `NoteDecider.emerge`.
internal struct EmergingPitch: BitwiseCopyable {
    /// In keys above MIDI's 0, and since when it has been the one that is new, in samples.
    var key = 0.0, since = 0.0
    /// Whether a note is shown for it.
    var isShown = false

    @_noLocks init() {}
}
