/// A note that is shown before it is decided on: it may become another one, or none.
internal struct ShownNote: BitwiseCopyable {
    /// Its number; -1 for none.
    var number = -1
    /// The key and the beginning that are shown, in keys above MIDI's 0 and in samples.
    var key = 0.0, start = 0.0

    @_noLocks init() {}

    var isActive: Bool { @_noLocks get { number >= 0 } }

    /// Whether a key is the one that is shown.
    @_noLocks func isKey(_ other: Double) -> Bool { isActive && abs(key - other) < 0.6 }
}
