internal import Music
internal import Rhythm

/// What is told of a note stands `correction` after its beginning: its key, its beginning, and that it is one.
extension NoteDecider {
    /// Whether what was told of the note that sounds may still be corrected.
    var mayBeCorrected: Bool { @_noLocks mutating get { seconds(since: sounding.start) <= constants.correction } }

    /// Whether the next reading comes too late for that.
    var isLastChance: Bool { @_noLocks mutating get { mayBeCorrected && isCorrectionDue(sounding.start) } }

    /// Whether the next reading comes too late to correct a note that begins there.
    @_noLocks mutating func isCorrectionDue(_ start: Double) -> Bool {
        seconds(since: start) > constants.correction - levels.hopSeconds
    }

    /// The earliest beginning that may be told now of a note that was told before, in samples.
    var oldestCorrection: Double { @_noLocks mutating get { Double(now) - constants.correction * rate } }

    /// Whether the note before is none, and the next reading comes too late to tell that.
    var isWithdrawalDue: Bool {
        @_noLocks mutating get { ended.isActive && !ended.isNote(constants, rate) && isCorrectionDue(ended.note.start) }
    }

    /// Tells the note anew where the mean of its readings has come to lie in another key than the one that was told.
    @_noLocks mutating func review() {
        guard contour.readings >= 3, mayBeCorrected, let told = sounding.told else { return }
        let offset = contour.meanKey + KeyScale.offset(reference: reference.a4.value) - Double(told.midi)
        if abs(offset) > constants.boundary { tell(.corrected) }
    }

    /// Names a note by the key that was told last: where that is near, in keys, and for good where it was told too long ago.
    @_noLocks mutating func keepTold(_ note: inout TranscribedNote, within boundary: Double) {
        guard let told = sounding.told else { return }
        let deviation = note.deviation.value + 100 * Double(note.note.midi - told.midi)
        guard sounding.isNamed || !mayBeCorrected || abs(deviation) <= 100 * boundary else { return }
        (note.note, note.deviation) = (told, Cents(deviation))
    }
}
