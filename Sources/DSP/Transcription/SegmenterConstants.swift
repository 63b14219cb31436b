/// The limits of a note segmenter, to measure what each does. Times are in seconds, levels in decibels, pitches in keys.
///
/// Found with the sound font TimGM6mb on the melodies of `Benchmarks/onset-sounds/melodies.py`; the command
///
///     notes FOLDER --limit NAME=VALUE
///
/// tells what another value does.
@_spi(Measurement) public struct SegmenterConstants: Sendable, BitwiseCopyable {
    // What an onset begins.

    /// Readings sooner than that after an onset are those of the note before.
    public var blind = 0.016
    /// How many readings of a new pitch make a note after an onset.
    public var agreeing = 3.0
    /// When the new sound is looked at, and a note is shown by it: 14 ms before it would be late.
    public var patience = 0.066
    /// When it is looked at first, and a note is shown where the new sound is `plain`: a slow attack is told to begin up to 25 ms
    /// late. Six milliseconds less and one sustained note in 100 more is wrong: the harmonics of low notes run together.
    public var glance = 0.054
    /// The share of the power that must be new for that; from 0.1 to 0.4 nothing is lost or won but time, and with 0.1 one note
    /// in 200 more is shown as another one at first.
    public var plain = 0.15
    /// When it is looked at for the first time, and again with each reading until `patience`, to show a note for now: a slow attack
    /// is told up to 70 ms late. What is decided does not depend on it. With 30 ms, 95 in 100 recorded notes are shown after
    /// 79 ms instead of 76, and 21 in 100 as another key at first instead of 24.
    public var glimpse = 0.02
    /// The same after an onset whose time is known to the millisecond, where no reading tells the pitch too: earlier, one note
    /// in 40 more is shown as another one at first.
    public var unhurried = 0.048
    /// How many periods must have sounded for that to tell a pitch alone, so that a Hann window all but parts harmonics: with 4 the
    /// low notes of a bass are shown 20 ms later, with 3 the latest of all notes 1 to 2 ms.
    public var resolved = 2.5
    /// For how long readings must agree for a note without an onset to be shown for now. With one reading fewer, half as many
    /// again come to nothing.
    public var shownFor = 0.0105
    /// How long after an onset another pitch may still come to light under one that rings.
    public var search = 0.2
    /// How far the mean of the readings may lie from the note that was told before the one it lies in is told: half a semitone,
    /// and as much as the mean of a few readings scatters, so that a pitch between two keys does not waver.
    public var boundary = 0.52
    /// How long a note's key and beginning may be corrected.
    public var correction = 0.2
    /// The evidence that tells the onset detector one, less than it asks for by itself: a weak one counts only where the
    /// pitch changes.
    public var certain = 0.22
    /// The evidence at which a hop may belong to an onset, in the same proportion.
    public var noticed = 0.16

    // The same note again.

    /// The evidence for it: rise, fall and strength together, see `PendingNote.repeats`.
    public var again = 1.5
    /// The rise that counts as much as one neper of an onset's strength.
    public var riseUnit = 6.0
    /// The fall that counts as much.
    public var fallUnit = 4.0
    /// A fall of less than that is the decay of the note itself.
    public var freeFall = 3.0

    /// Two onsets of one pitch that are nearer than this are one attack, of breath and then of tone: nobody repeats a note
    /// 13 times a second.
    public var fastest = 0.075

    /// For how long a note may only rise, so that what is heard meanwhile is its own attack: with 0 F of recorded melodies is 0.884
    /// instead of 0.891, with 0.3 0.890.
    public var speaking = 0.2
    /// The key below which the harmonics of the new sound run together, C3, and how many keys off it is there: with 0 F of recorded
    /// melodies is 0.873 instead of 0.891, with a `vague` of 0.6 0.881.
    public var unresolved = 48.0, vague = 1.4

    /// The strength, in nepers, from which an onset is a stroke of its own and not the second part of a soft attack: those of low
    /// strings and violins are heard again with 0.6 to 0.8. With 2, F of recorded and of rendered melodies is the same.
    public var stroke = 1.0
    /// How long the attack of one note may be heard again, when its pitch is not read: nine times a second nobody plays softly. With
    /// 0.2, F of recorded melodies is higher by 0.003, and sixteenths at 140 beats a minute, 0.107 s, are taken for one.
    public var rearing = 0.104
    /// For how long such a pitch may have been read: with 0 F of sustained recorded notes is lower by 0.002.
    public var hardly = 0.03

    /// By how many nepers a tone breaks off, see `ToneBreak`, that tell neither: from 0.9 to 1.4 F of recorded melodies changes by
    /// 0.001.
    public var broken = 1.3
    /// The most that it counts for or against. With 0, F of sustained recorded melodies is 0.931 instead of 0.937, of plucked ones
    /// 0.973 instead of 0.977, and of rendered ones 0.962 instead of 0.964; from 0.7 to 1.5 it is the same.
    public var breakMost = 1.0
    /// For how long the note before may be heard under one that has begun, so that its fall is none of the new one. With 0, F of
    /// sustained recorded melodies is 0.935 instead of 0.938; from 0.05 to 0.1 it is the same.
    public var fading = 0.05

    /// For how long a note that its new sound tells may go unread, as one does that is plucked softly on a body that rings:
    /// with 0.2 F of plucked notes is lower by 0.012 on recordings and by 0.007 on rendered melodies, from 0.4 to 0.6 nothing
    /// changes.
    public var unread = 0.4

    /// For how long such a note may have been read at first, two readings: a flute is read as it sets in, and again 0.1 s later.
    /// With 0, F of rendered melodies is 0.951 instead of 0.953; from 0.006 to 0.03 nothing changes but one note in 1,000.
    public var scarce = 0.0121

    /// The key below which a period is longer than the windows that look for onsets, 21 ms, and may be heard as a stroke: half
    /// a semitone above F#1. There the level has to rise by `pulse` decibels above what was before, or by `shallow` out of a
    /// dip, for a note to be struck again. With 0 and 2 a steady sawtooth of E1 and of B0 is a note for each tenth and fourth
    /// period. With 1.5 and 4 F of low notes that are struck again is lower by 0.002 and 0.003.
    public var pulsing = 30.5, pulse = 0.5, shallow = 3.0

    // Notes that no reading has told after 0.2 s, see `NoteDecider.hearAll`.

    /// The share of the power nearer to the harmonics of a tone than to the middle between them: of 576 looks at noise as wide
    /// as that of claps and gusts none has more than 0.706, of 53 at tones out of silence two have less than 0.74.
    public var tonal = 0.72
    /// The share at the harmonics, as a band of noise that is a third of an octave wide has it only by chance: of the same
    /// tones two have less than 0.59.
    public var pure = 0.55
    /// The share from which a pitch is the only one: with 0.95 one nylon string is told a twelfth low.
    public var clear = 0.98
    /// By how many decibels a low note has grown since its first 0.1 s where that was the scratch of its bow: all by 2 or more,
    /// and no other one by more than 1.
    public var growing = 1.5
    /// By how many decibels a clap has fallen by then: tones that are plucked have by 16 at most.
    public var clapping = 18.0

    // The new sound, see `FreshPitch`.

    /// The share of the power that must be new for its pitch to count.
    public var newness = 0.15
    /// The log of the odds below which it does not count, see `FreshPitch.trust`: without a limit F of recorded notes that are
    /// played again is 0.962, with -0.5 0.960, with -3 0.975.
    public var trust = -3.0
    /// How many readings that pitch counts for.
    public var freshWeight = 4.0
    /// What readings of the note before count for once another pitch is known.
    public var ringing = 0.1
    /// The rise with which a note drowns the one before, so that what is read is its own: from 10 to 15 the same notes are
    /// found, with 6 one in 200 is lost.
    public var masking = 12.0
    /// How long a reading that a note before would explain is doubted: with 0.26 one plucked note in 100 more is told an octave
    /// off over strings that ring, and with 1 one sustained note in 200 that was struck again keeps the wrong key.
    public var doubt = 0.5
    /// The same where the new sound is trusted less than `sure`, the log of even odds: F of recorded notes that are played again is
    /// 0.981 and 0.975 without, of the melodies of FluidR3 0.949 and 0.952.
    public var briefDoubt = 0.1, sure = 0.0
    /// How long after its end a note may ring and be read again: from 0.3 to 1.5 nothing changes but one note in 1,000.
    public var rings = 0.7

    // Where a note begins whose onset was not heard, or not sharply.

    /// The dip in the level that parts a note from the one that swells out of it: from 3 to 9 nothing changes.
    public var dip = 6.0
    /// How long before the level rises again such a note may begin: with 0.03 one sustained note in 100 is told too late.
    public var lead = 0.08
    /// How long before its first reading that dip may lie: as long as a pitch may be corrected.
    public var yielding = 0.2
    /// How long after its beginning the own partials of a note are looked at whose onset is soft or was not heard, see
    /// `ToneRise`: then its attack has bent. From 0.08 to 0.11 F of sustained notes is the same, to 0.001.
    public var placing = 0.09
    /// By how much a soft onset may be late: what began earlier was another note. From 0.07 to 0.11 F of sustained notes is the
    /// same.
    public var swelling = 0.09
    /// By how much the partials must tell another beginning: one step of their amplitudes. With 0.02 F of sustained notes is 0.931
    /// instead of 0.938.
    public var leastShift = 0.006

    /// By how much a soft onset may be heard after the level has begun to rise: half of a slow attack. With 0.045 F of sustained
    /// recorded melodies is lower by 0.001, with 0.09 that of rendered ones, where the dip of the note before is found.
    public var lag = 0.06
    /// The dip that the level must have for that, and for an octave to be another note: with 2 three notes in 1,000 are lost
    /// on one set of four, with 4.5 one.
    public var dent = 3.0

    /// How long before a soft onset the level may have begun to rise: half of the attack of a section of violins. With 0.1 F of
    /// sustained recorded notes is lower by 0.001, without all this by 0.013.
    public var swellReach = 0.13
    /// How long before the level rises such a note begins: it is 30 dB below what it becomes by then. With 0.02 nothing changes.
    public var swellLead = 0.01
    /// The dip that parts it from the note before: a viola's vibrato dips by 6 to 10, and with 6 F of sustained
    /// recorded notes is lower by 0.002 on one set of two.
    public var swellDip = 10.0
    /// How deep below the note the dip may be for what rises to be its own: at 40 it begins.
    public var swellDepth = 30.0

    /// By how much a note must begin after the onset that it was taken for to be the next one, which had none.
    public var overslept = 0.05

    /// When the beginning is looked for again of a note that has become louder by `outgrown` since it was first: a trombone's tube
    /// rumbles before it speaks. Without, F of sustained recorded melodies is 0.938 instead of 0.941; with 0.18 s, and from 6 to
    /// 15 dB, it is the same.
    public var grown = 0.15, outgrown = 10.0

    // Notes that come out under the one before, see `NoteDecider.emerge`.

    /// How long a note has sounded under which another may come out: before, its own attack is new.
    public var settled = 0.12
    /// How far the level may have fallen: below, the room is what is new.
    public var outweighed = 24.0
    /// How long one pitch must stay the one that is new, two readings: with three, one sustained note in 60 more is shown late,
    /// and one in 130 fewer comes to nothing.
    public var steadfast = 0.005
    /// The share of the power that must be new for a note to be shown: with 0.1 the latest are shown 2 ms later.
    public var faint = 0.07
    /// The log of the odds, see `FreshPitch.trust`, from which a note is shown: without this limit one note in 200 more comes to
    /// nothing.
    public var credible = -4.0
    /// The log of the odds and the share of the power from which what is new is a note: of 640 such pitches 28 were none, most of
    /// them thumps in rests. From 1 to 5, and to 0.45, F of sustained notes changes by 0.003; where none is evident, it is lower
    /// by 0.010.
    public var evident = 3.0, outright = 0.2
    /// How long a pitch must have stayed to be evident, three hops of 5 ms or four readings: of 48 notes at the ends of glides of
    /// 0.2 s it makes 51, and with two readings 55. With 0.032 F of sustained notes is lower by 0.003.
    public var lasting = 0.0145
    /// How long after an attack it is a note: sooner, it is the one that sounds, which was misread. With 0.05 one sustained note
    /// in 300 more is an octave off.
    public var mature = 0.1

    // Notes without an onset.

    /// How far from a note's mean a reading lies that begins to leave it.
    public var departure = 0.65
    /// How long another pitch must hold still to be a note of its own after a glide.
    public var legato = 0.055
    /// The same after a leap.
    public var leap = 0.032
    /// The same after a leap to what the new sound tells too: two witnesses, two readings.
    public var confirmed = 0.005
    /// The same an octave or a twelfth away, where a misreading lies.
    public var octave = 0.12
    /// Within what range it holds still: a vibrato of a semitone turns for 42 ms.
    public var still = 0.3
    /// How late a pitch that changed without an onset is read: half a window, and until the new note outweighs the one before,
    /// which rings on while a bowed or sung one still swells.
    public var readingDelay = 0.07

    /// How long a young note must have been read as one pitch, which nothing before it explains, to be a note: when it then
    /// changes, another begins. Else what was read was the attack. As long as a pitch that is slurred to has to hold still.
    public var proven = 0.055

    // Vibratos, see `PitchSway`.

    /// The log of the odds per reading from which a pitch sways and does not step. Within 0.18 s none of 96 slurs reached 0.15,
    /// and 99 in 100 of 364 vibratos of 50 to 80 cents reach it. With 0.75 F of tones that sway by 60 cents is 0.84 instead of
    /// 0.92.
    public var swaying = 0.25
    /// The same beside two steps: up and down again is a mordent, too. With 0.4 F of alternations of semitones with slurs of 40 ms is
    /// 0.86 instead of 0.95.
    public var swayingBeside = 0.7
    /// Seconds in which two steps are looked for: with less no mordent has been seen whole. With 0 F of tones that sway by 60 cents is
    /// 0.85 instead of 0.92.
    public var mordent = 0.22
    /// The log of the odds from which a pitch sways, whatever two steps explain: a period in 0.25 s looks like them. Slurs
    /// reach 1.7 in 1 of 50 cases, vibratos 2.5 in 99 of 100. With 1.8 F of slurred figures is 0.92 instead of 0.95, with 3 F
    /// of tones that sway by 60 and 80 cents is the same.
    public var swayingSurely = 2.3
    /// The widest vibrato, in keys to either side: singers sway by up to one. With 1.6 F of tones that sway by 1.2 is 0.65 instead
    /// of 0.51, and that of whole tones that alternate, with slurs of 40 ms, 0.96 instead of 1.
    public var widest = 1.2
    /// For how many seconds a vibrato goes on after a turn that was seen: a period of 2.5 Hz. With 0 F of tones that sway by 100 cents is
    /// 0.72 instead of 0.78.
    public var swinging = 0.4

    // Ends.

    /// How long there must be no pitch for a note to be over: three periods of the lowest note.
    public var gap = 0.064
    /// A release: a fall of so much within `releaseTime`, and twice as fast as before.
    public var release = 7.0
    /// The time in which the level falls by `release`.
    public var releaseTime = 0.064
    /// The end is where the level has left its course by this.
    public var knee = 1.5
    /// How young a note may be released: before that its attack decays.
    public var releaseAge = 0.07
    /// How long a note may dip before it is over, see `fade`: the voices of a choir are quiet for 50 ms and no one tone for 120.
    /// With 0.12, F of sustained notes is lower by 0.001.
    public var dipping = 0.2
    /// How long it must be back, by `release`, to go on.
    public var regained = 0.04
    /// The deepest dip below its level: from 11 to 18 one note in 1,000 changes.
    public var deepest = 14.0
    /// How old a note may be to dip: longer than the attack of the slowest choir. With 10, two repeated notes in 2,700 are taken
    /// for one, and as many swells are not told apart.
    public var unsettled = 0.4
    /// Notes shorter than this are none.
    public var shortest = 0.04

    // Readings.

    /// The lowest key, half a semitone below A0: a reading below is a misreading.
    public var lowestKey = 20.5
    /// The highest key, half a semitone above F8: as far up as `TunerEngine` reads.
    public var highestKey = 113.5
    /// The largest standard error of a reading.
    public var leastError = 0.5

    /// Those that the segmenter uses.
    @_noLocks public init() {}
}
