import ArgumentParser
import Configuration
import TakeReports
import TerminalUI
internal import TunerUI

extension TunerCommand {
    /// The manual page. The parser adds the options.
    static var manual: ManualPage {
        ManualPage(
            name: "tuner", summary: "show the note you play and its deviation in cents", date: "November 22, 2026",
            synopsis: [
                "[options] [file ... | -]", "analyze [options] file ...",
                "transcribe [options] [file ... | -]", "tone [options] [note ...]",
                "calibrate [options]", "config [--example]",
            ],
            description: [
                """
                tuner listens to an ALSA device, or reads recordings (WAV, FLAC, OGG, MP3) or raw sound on standard \
                input. It shows the note, its deviation in cents with the standard error, and its frequency.
                """,
                """
                On a terminal it fills the screen and takes keys. In a pipe each reading is one line without escape \
                codes. Ctrl-C stops it.
                """,
            ],
            examples: examples,
            commands: subcommands.map { ($0 == Listen.self ? "" : $0._commandName, $0) },
            sections: [
                ManualPage.Section(
                    "JSON",
                    paragraphs: ["The fields of a reading, null where unknown. With several files, file comes first."],
                    items: ReadingField.all.map { ($0.name, $0.meaning) }),
                ManualPage.Section(
                    "STRUMS",
                    paragraphs: [
                        """
                        With an instrument of 3 to 12 strings (2 with --strum) one strum shows all strings side by side, \
                        from 0.3 seconds after it on and ever more exactly until 2 seconds after it; a single string \
                        brings the note back. \
                        --strum shows the strings always, the key p switches. Each string has its cents, their \
                        standard error and a word; strings in tune get their ticks. A string that is muted, missing or \
                        more than 60 cents off is not heard.
                        """,
                        """
                        Without --tuning a strum that does not fit the instrument's usual tuning is tried in its others, \
                        such as open D or DADGAD on a guitar, and with a capo. A second after the strum the one that fits is named, and its \
                        strings are tuned until another fits better, or a string is heard that only the usual tuning has: \
                        a chord of E minor sounds as open E minor does. In files the readings of a strum are no notes: \
                        their state is several notes. With raw sound on standard input they are only so with --strum.
                        """,
                        """
                        In files and pipes --strum prints a line for each string of each strum: seconds, strum, string, \
                        note, cents with their standard error, hertz and the word. The tuning and --capo apply; without \
                        --instrument the strings are a guitar's. tuner analyze with an instrument lists strums apart \
                        from single notes. With --json or --csv the fields of a string are these, null where it is not \
                        heard. With several files, file comes first. tuner analyze --csv with an instrument has a row for each \
                        string of a strum after those of the notes: mean_cents is its deviation, and columns for strings \
                        follow, which are empty for a note; start_s is when the strum began.
                        """,
                    ], items: StrumField.all.map { ($0.name, $0.meaning) }),
                ManualPage.Section(
                    "ANALYSIS OF A MELODY",
                    paragraphs: [
                        """
                        A recording of five notes or more is a melody, unless an instrument is given, whose strings are then \
                        told. tuner analyze sums it up, then tells intonation by degree of the key, lateness by place in the \
                        bar, and both with loudness by bar. The key is that of the notes found, or of --key. The beats are \
                        those that the sound and all the notes tell, in 6/8, 9/8 and 12/8 each of three eighths; the first \
                        note is on the first beat of bar 1, or less than half a beat before it. What begins with a longer \
                        upbeat is told by --upbeat, as in --upbeat 1/4: bar 0 is then that before bar 1. Notes stand for beats, halves, thirds or \
                        quarters of beats, whichever the player uses.
                        """,
                        """
                        Beats that are heard follow the player: a curve through the notes of the 24 beats round each, or \
                        the line through the whole take where the tempo is steady. With --tempo they do not follow. Lateness is relative to \
                        the mean of the notes, below zero early. Where no tempo is found with confidence, timing is left \
                        out. With --json, and in CSV with --notes, the fields of a note are these, null or empty where unknown.
                        """,
                    ], items: MelodySummary.meanings.map { ($0.name, $0.meaning) }),
                ManualPage.Section(
                    "TRANSCRIPTION",
                    paragraphs: [
                        """
                        tuner transcribe writes a line for each note once it has ended, or with --events also when it \
                        begins, 35 ms after its onset in the median. Durations in the score are rounded to --shortest; \
                        a short gap between two notes is articulation and no rest. A note that rings on ends where the next \
                        one begins, as one sounds at a time. The key signature is that of the \
                        notes found, the clef is treble or bass by their range, or --clef; for an instrument that does not sound \
                        whole octaves away it is treble. A quarter in which more notes \
                        begin on thirds than on halves and quarters of it is a triplet of eighths. An upbeat (--upbeat) \
                        stands in a short bar before bar 1. With --transpose the score is written for that instrument; MIDI \
                        sounds as was played. In a tuning without the twelve keys both have the nearest keys. MIDI has \
                        the times that were played, or with --quantize those of the score. With --json or --csv the fields of a note are these. \
                        The note has its octave here, as with --summary and in tuner analyze; in a reading the octave stands \
                        beside it. midi is the same in all.
                        """
                    ], items: NoteRow.meanings.map { ($0.name, $0.meaning) }),
                ManualPage.Section(
                    "CALIBRATION",
                    paragraphs: [
                        """
                        The clock of a sound card is off by some tens of parts per million: 100 ppm is 0.17 cents. tuner \
                        calibrate measures it against the system clock until two standard errors are below --precision, \
                        stores it, and reports whether a time service disciplined the system clock. Cents and hertz \
                        on that device are correct from then on. --clock overrides the stored value, --verbose reports \
                        it, --show lists what is stored and --forget removes it.
                        """
                    ]),
                ManualPage.Section(
                    "KEYS",
                    paragraphs: [
                        """
                        The arrow keys choose and change the settings of the menu. While tuner tone plays on a terminal, up \
                        and down move the tone by a note, page up and page down by an octave; + and - change the level, s \
                        and S go to the next string of the instrument and back, q ends it.
                        """
                    ], items: keys.map { ($0.key, $0.text + ".") }),
                ManualPage.Section(
                    "SPREAD AND STANDARD ERROR",
                    paragraphs: [
                        """
                        The number after ± on the display is the standard error of the cents: how exactly the pitch of this \
                        moment is known. The true pitch lies within two standard errors 19 times out of 20. In summaries, \
                        the spread of a note is half the range of the middle half of its readings: how much the player moved \
                        it. sd is the standard deviation of all readings of a note name.
                        """,
                        """
                        The word and the number are means over half a second, a cycle of vibrato (--response steady); the \
                        needle shows every reading. A note is in tune up to --tolerance, and out of tune from half as much \
                        again.
                        """,
                    ]),
                ManualPage.Section(
                    "WHAT IS NOT SHOWN",
                    paragraphs: [
                        """
                        With an instrument chosen, a pitch more than seven semitones from every string is no string. Several \
                        notes at once are no note, except as a strum of the instrument. Steady mains hum (50, 60, 100 or \
                        120 Hz below -40 dB) is not taken for a note; --verbose tells of it.
                        """
                    ]),
                .files(
                    "in the tables [tuner], [tuner-analyze], [tuner-transcribe], [tuner-tone] and [tuner-calibrate]; your own instruments "
                        + "in tables below [instruments]"),
                .environment("tuner", examples: "TUNER_A4=442"),
                .exitStatus(inputs: "A recording, a scale or a settings file"),
                ManualPage.Section("SEE ALSO", paragraphs: ["metronome(1), arecord(1)"]),
            ])
    }

    /// The keys, for the manual page and the display.
    static let keys = [
        KeyHelp("space", "hold or resume the display", "hold"),
        KeyHelp("s", "show the next view: needle, strobe, trail, notes", "view"),
        KeyHelp("p", "all strings after a strum (auto), always (strum), never (single)", "strums"),
        KeyHelp("m", "tuning, capo, temperament, key, transposition", "menu"),
        KeyHelp("r", "follow the pitch fast, steady or slow", "response"),
        KeyHelp("a  A", "lower or raise A4 by 1 Hz", "A4 1 Hz"), KeyHelp("n", "use the next note names", "names"),
        KeyHelp("i  I", "choose the next or last instrument", "instrument"),
        KeyHelp("t", "play the note, or stop it", "tone"),
        KeyHelp("1-9, 0", "tune this string only; 0 for all strings", "string"),
        KeyHelp("?", "show or hide these keys", "hide"), KeyHelp("q", "quit", "quit"),
    ]

    private static let examples: [(command: String, text: String)] = [
        ("tuner -i guitar", "Tune a guitar; strings in tune are ticked off:"),
        ("tuner -i guitar --tuning DADGAD --capo 2", "Use another tuning, and a capo:"),
        ("tuner --strum take.flac", "Print all strings of each strum of a recording:"),
        ("tuner --view notes --tolerance 10", "Sing: the trail on an axis of notes, in tune within 10 cents:"),
        ("tuner --a4 415 --temperament vallotti --key C", "Use another A4 and another temperament:"),
        ("tuner --summary take.flac solo.wav", "Print one line for each note of two recordings:"),
        ("tuner --json take.flac", "Print one object for each reading, for scripts:"),
        ("arecord -q -t raw -f cd | tuner - -f cd", "Read raw sound in a format that arecord names:"),
        (
            "tuner analyze take.flac --plot take.svg",
            "Sum up a take: intonation by degree and bar, timing, dynamics; and draw it to print:"
        ),
        ("tuner analyze take.flac --from 0.5 --to 2 --csv", "The intonation of each note in a part of it:"),
        ("tuner analyze take.flac --around 97 --meter 3/4 --notes", "Each note of a waltz, early or late:"),
        ("tuner transcribe take.flac --midi take.mid --bend", "Write a melody to a MIDI file, with its intonation:"),
        (
            "tuner transcribe take.flac --musicxml take.musicxml --tempo 97 --meter 3/4",
            "Write its score, to open in a notation program:"
        ),
        ("tuner tone A4 --color organ", "Play a reference tone:"),
        ("tuner tone D3 A3", "Play a fifth to practise over:"),
        ("tuner calibrate -D hw:1", "Measure a sound card's clock and store the result:"),
    ]
}
