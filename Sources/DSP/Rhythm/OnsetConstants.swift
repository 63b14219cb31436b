/// The limits of an onset detector, to measure what each does.
@_spi(Measurement) public struct OnsetConstants: Sendable, BitwiseCopyable {
    /// Evidence at which a hop may belong to an onset, in nepers of power.
    public var noticed: Float = 0.22
    /// Evidence that tells an onset where nothing has stirred before. Under clicks as loud as the playing 0.32 has 7 false ones beside
    /// 533 drum notes of TimGM6mb and loses no note, 0.34 has 4, and 0.36 has 2 and loses one drum note, one guitar note and one of
    /// a piano.
    public var certain: Float = 0.34
    /// How much more is asked for the mean evidence of the last 200 ms: cymbals and bows make some all the time.
    public var unrestWeight: Float = 1.5
    /// The rise from which on a note is told at once, in nepers of power. Below, its partials have to move too.
    public var audible: Float = 0.1
    /// The share of the amplitude at new frequencies that confirms a note.
    public var moved: Float = 0.03
    /// What is asked beyond that right after another note, less and less until `settled`: bows and tongues make more than one
    /// sound at the beginning of a note.
    public var doubt: Float = 0.6
    /// Seconds after a note.
    public var settled: Float = 0.12
    /// What noise is multiplied by: 6 dB above its mean it seldom rises within a band.
    public var noiseMargin: Float = 4
    /// The same of what a canceller may have left of clicks: 8 dB, as an error there is no stationary noise.
    public var clickMargin: Float = 6
    /// 37 dB below the loudest of the last second: fainter changes are those of the note that sounds.
    public var least: Float = 2e-4
    /// How much the predictor's rise counts beside that of the bands.
    public var predictorWeight: Float = 0.35
    /// 9 dB in 2 ms above 5 kHz: the high band then tells the time of a note better than the low one.
    public var gate: Float = 8
    /// The level that is expected of a note in the high band, as a power of its largest.
    public var highExponent: Float = 0.8
    /// The same in the low band alone, whose largest comes late.
    public var lowExponent: Float = 0.4
    /// How much the low band counts beside the high one.
    public var lowWeight: Float = 0.3
    /// Seconds that the predictor's residual alone lags by, as an attack below 4 kHz begins before it stands out.
    public var lag: Float = 0.000_5
    /// The rise of the residual from which on that lag becomes less, with the amplitude: what is clearer stands out sooner.
    public var clear: Float = 300
    /// The rise of what was not foretold below 900 Hz that may be a note, in nepers of power; 0 leaves such notes out.
    public var foretold: Float = 1.5
    /// One that is clear.
    public var clearForecast: Float = 2
    /// The share of the sound that is new in such a note; a flute's breath and vibrato have 0.03.
    public var new: Float = 0.4
    /// The same 16 ms later.
    public var still: Float = 0.15
    /// Both of a soft note under a loud one that goes on.
    public var part: Float = 0.1
    /// By how much the power may fall while that begins: 4 dB.
    public var damped: Float = 0.4
    /// Seconds of standard error from which on the forecast tells the time of a soft note.
    public var vague: Float = 0.008
    /// The share of the power of 10 ms up to which they are the sound before, moved. Of 2,339 looks at vibratos of up to a semitone
    /// to either side one in 1,000 has more than 0.02; those at bowed and blown notes that begin without a rise have 0.2 in the
    /// median, and are looked at again 6 ms later. With 0.05 as many of them are found as with 0.02. With 0 no tone moves.
    public var moving: Float = 0.05
    /// The same where the forecast has heard a note in a tone that moved before: a soft one is at least `part` of the sound. Asked of
    /// any tone, it takes 10 of 92 soft notes under a string that rings.
    public var movingLow: Float = 0.02
    /// The same where the beginning of a note is sought: with 0.008 a flute's are told 2 ms late.
    public var followed: Float = 0.003
    /// The rise up to which that is asked, in nepers of power: a vibrato of 3 dB rises by 0.1.
    public var risen: Float = 0.2
    /// 40 dB below the loudest of the last second, what a forecast misses of a string that rings.
    public var leastForecast: Float = 1e-4

    /// The share of the sound at new frequencies from which on a change of pitch is a note; 0 leaves such notes out. With 0.02
    /// and 0.05 one sustained note in 200 more or less is found, with 0.1 one in 60 less.
    public var pitched: Float = 0.03
    /// The same where no partial of its own is seen to rise: of 72 such notes with 0.03, 15 are none, cymbals' among them.
    public var pitchedAlone: Float = 0.1
    /// Seconds for which a new pitch holds still: three readings. Two find one note in 100 more, and twice as many that are none.
    public var heldPitch: Float = 0.02
    /// The same where the pitch did not leap but moved there: a step, not the turn of a vibrato.
    public var heldStep: Float = 0.08
    /// The same an octave or a twelfth away, where a misreading lies: with 0.06 one note in 50 more is none.
    public var heldOctave: Float = 0.12
    /// Seconds by which a pitch is read late: half a window, and until a note that swells outweighs the one before.
    public var readLate: Float = 0.11
    /// Seconds from another note to one that is told by its pitch. What changes sooner is the attack of that note.
    public var settledPitch: Float = 0.1

    /// Decibels by which all bands together have risen, beyond what beats have, where a soft note begins under others; 0 leaves such
    /// notes out. Under clicks at -10 dB 45 finds 188 of 194 notes of FluidR3's piano, 32 and 25 find 191; at 0 dB 32 finds 187 and
    /// 25 finds 189.
    public var emerged: Float = 25
    /// How much of the power is new where a soft note begins, at least, as a share of what others have lost: of 50 strings that are
    /// damped none reaches 0.012, and soft piano notes have 0.017 and more.
    public var splash: Float = 0.014
    /// The share of the partials' power that has left its place, at most: the others ring on. Under clicks as loud as the playing
    /// 0.2 finds one of 194 piano notes more than 0.1, and one more with 25 dB than with 32.
    public var ringing: Float = 0.2
    /// Seconds from another note to one that is told by its partials alone: for so long that one's own emerge.
    public var settledPartials: Float = 0.12

    /// Those that the detector uses.
    @_noLocks public init() {}

    /// All of them by name.
    public static var named: [(name: String, path: any WritableKeyPath<OnsetConstants, Float> & Sendable)] {
        [
            ("noticed", \.noticed), ("certain", \.certain), ("unrestWeight", \.unrestWeight),
            ("audible", \.audible), ("moved", \.moved), ("doubt", \.doubt), ("settled", \.settled),
            ("noiseMargin", \.noiseMargin), ("clickMargin", \.clickMargin), ("least", \.least),
            ("predictorWeight", \.predictorWeight),
            ("gate", \.gate), ("highExponent", \.highExponent), ("lowExponent", \.lowExponent),
            ("lowWeight", \.lowWeight), ("lag", \.lag), ("clear", \.clear),
            ("foretold", \.foretold), ("clearForecast", \.clearForecast), ("new", \.new), ("still", \.still),
            ("part", \.part), ("damped", \.damped), ("leastForecast", \.leastForecast), ("vague", \.vague),
            ("moving", \.moving),
            ("movingLow", \.movingLow), ("followed", \.followed), ("risen", \.risen),
            ("pitched", \.pitched), ("pitchedAlone", \.pitchedAlone), ("heldPitch", \.heldPitch),
            ("heldStep", \.heldStep), ("heldOctave", \.heldOctave), ("readLate", \.readLate),
            ("settledPitch", \.settledPitch),
            ("emerged", \.emerged), ("splash", \.splash), ("ringing", \.ringing),
            ("settledPartials", \.settledPartials),
        ]
    }
}
