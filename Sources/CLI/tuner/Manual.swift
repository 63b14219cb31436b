import ArgumentParser
import Configuration
import TerminalUI

extension TunerCommand {
    /// The manual page. The parser adds the options.
    static var manual: ManualPage {
        ManualPage(
            name: "tuner", summary: "show the note you play and its deviation in cents", date: "November 21, 2026",
            synopsis: [
                "[options] [file ... | -]", "analyze [options] file ...", "tone [options] [note]",
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
                ManualPage.Section("KEYS", items: keys.map { ($0.key, $0.text + ".") }),
                .files(
                    "in the tables [tuner], [tuner-analyze], [tuner-tone] and [tuner-calibrate]; your own instruments "
                        + "in tables below [instruments]"),
                .environment("tuner", examples: "TUNER_A4=442"),
                .exitStatus(inputs: "A recording, a scale or a settings file"),
                ManualPage.Section("SEE ALSO", paragraphs: ["metronome(1), arecord(1)"]),
            ])
    }

    /// The keys, for the manual page and the display.
    static let keys = [
        KeyHelp("space", "hold or resume the display", "hold"),
        KeyHelp("s", "show the next view: needle, strobe, trail", "view"),
        KeyHelp("a  A", "lower or raise A4 by 1 Hz", "A4 1 Hz"), KeyHelp("n", "use the next note names", "names"),
        KeyHelp("i", "choose the next instrument", "instrument"), KeyHelp("t", "play the note, or stop it", "tone"),
        KeyHelp("1-9, 0", "tune this string only; 0 for all strings", "string"),
        KeyHelp("?", "show or hide these keys", "hide"), KeyHelp("q", "quit", "quit"),
    ]

    private static let examples: [(command: String, text: String)] = [
        ("tuner --instrument guitar --tuning DADGAD", "Tune a guitar; strings in tune are ticked off:"),
        ("tuner --a4 415 --temperament vallotti --key C", "Use another A4 and another temperament:"),
        ("tuner --summary take.flac solo.wav", "Print one line for each note of two recordings:"),
        ("tuner --json take.flac", "Print one object for each reading, for scripts:"),
        ("arecord -q -t raw -f cd | tuner - -f cd", "Read raw sound in a format that arecord names:"),
        (
            "tuner analyze take.flac --plot take.svg",
            "Print intonation, drift and the A4 that fits best, and draw a picture:"
        ),
        ("tuner tone A4 --color organ", "Play a reference tone:"),
        ("tuner calibrate -D hw:1", "Measure a sound card's clock and store the result:"),
    ]
}
