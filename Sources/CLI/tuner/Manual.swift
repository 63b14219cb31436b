import ArgumentParser
import Configuration
import TerminalUI

extension TunerCommand {
    /// The manual page: options from the parser, the rest from here.
    static var manual: ManualPage {
        ManualPage(
            name: "tuner", summary: "tells the note you play and how many cents it is off", date: "November 21, 2026",
            synopsis: [
                "[options] [file ... | -]", "analyze [options] file ...", "tone [options] [note]",
                "calibrate [options]", "config [--example]",
            ],
            description: [
                """
                tuner listens to an ALSA device, or reads recordings (WAV, FLAC, OGG, MP3) or raw sound on standard \
                input, and tells the note, its deviation in cents with the standard error of it, and its frequency.
                """,
                """
                On a terminal it fills the screen and takes keys. In a pipe each reading is a line of its own, without \
                escape codes. Ctrl-C ends at once.
                """,
            ],
            examples: examples,
            commands: subcommands.map { ($0 == Listen.self ? "" : $0._commandName, $0) },
            sections: [
                ManualPage.Section(
                    "JSON",
                    paragraphs: [
                        """
                        Each object has time_s, note, octave, midi, cents, standard_error_cents, hz, target_hz, \
                        confidence, level_db and state; null where there is no pitch.
                        """
                    ]),
                ManualPage.Section("KEYS", items: keys.map { ($0.key, $0.text + ".") }),
                .files(
                    "in the tables [tuner], [tuner-analyze], [tuner-tone] and [tuner-calibrate]; instruments of your "
                        + "own in tables below [instruments]"),
                .environment("tuner", examples: "TUNER_A4=442"),
                .exitStatus(inputs: "A recording, a scale or a settings file"),
                ManualPage.Section("SEE ALSO", paragraphs: ["metronome(1), arecord(1)"]),
            ])
    }

    /// Keys while it listens, for the page and the display.
    static let keys = [
        KeyHelp("space", "hold the display, go on", "hold"), KeyHelp("s", "needle, strobe, trail", "view"),
        KeyHelp("a  A", "A4 down or up by 1 Hz", "A4 1 Hz"), KeyHelp("n", "next way to name notes", "names"),
        KeyHelp("i", "next instrument", "instrument"), KeyHelp("t", "sound the note, be quiet", "tone"),
        KeyHelp("1-9, 0", "this string only; all strings", "string"),
        KeyHelp("?", "these keys, away again", "away"), KeyHelp("q", "quit", "quit"),
    ]

    private static let examples: [(command: String, text: String)] = [
        ("tuner --instrument guitar --tuning DADGAD", "Listen to a guitar; strings tick off as they come in tune:"),
        ("tuner --a4 415 --temperament vallotti --key C", "Another A, another temperament:"),
        ("tuner --summary take.flac solo.wav", "One line for each note of two recordings:"),
        ("tuner --json take.flac", "One object for each reading, for scripts:"),
        ("arecord -q -t raw -f cd | tuner - -f cd", "Raw sound, spelled as arecord spells it:"),
        ("tuner analyze take.flac --plot take.svg", "Intonation, drift and the A4 that fits best; a picture to print:"),
        ("tuner tone A4 --color organ", "A reference tone:"),
        ("tuner calibrate -D hw:1", "How fast a sound card really runs, kept for true cents:"),
    ]
}
