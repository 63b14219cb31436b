internal import ArgumentParser
internal import Configuration
internal import TerminalUI

extension MetronomeProgram {
    /// The manual page: options from the parser, the rest from here.
    static var manual: ManualPage {
        ManualPage(
            name: "metronome", summary: "play exact beats, or write them to a file", date: "November 21, 2026",
            synopsis: [
                "[options] [bars] [meter] tempo [pattern]", "[options] map", "verify [options] file tempo",
                "calibrate [options] [rate | latency]",
                "config [--example]",
            ],
            description: [
                """
                metronome plays a beat on an ALSA device, or renders it to a file. Tempi are exact fractions: beat k \
                lies on the frame nearest to k * 60 * rate / tempo for as long as it plays, and what is rendered is \
                bit for bit what is played.
                """,
                """
                On a terminal it shows the beats of the bar with their levels, the current one at the moment it is \
                heard, and takes keys. In a pipe each beat is a line of its own. Ctrl-C ends at once.
                """,
            ],
            examples: examples,
            commands: subcommands.map { ($0 == MetronomeCommand.self ? "" : $0._commandName, $0) },
            sections: [
                ManualPage.Section(
                    "TEMPO",
                    paragraphs: [
                        """
                        A tempo is a number from 1 to 1000, a decimal or a fraction; with a note value before it (8.=96) \
                        that note is counted. Before it may stand a number of bars and a meter, after it a pattern of \
                        X (accent), o (medium), x (normal) and . (silent), as klick has them.
                        """,
                        """
                        80..160/32b goes evenly from one tempo to another in 32 bars; also beats, s and m, and :time or \
                        :exp behind it for the shape of the way. 80-120/10 takes ten bars for each beat a minute.
                        """,
                    ]),
                ManualPage.Section(
                    "TEMPO MAPS",
                    paragraphs: [
                        """
                        A map has one entry a line, [label:] bars [meter] tempo [pattern] [volume], and comments after \
                        #. What klick does not have stands in a comment that it skips, before the entry: \
                        #: swing=2:1 sub=8th poly=3:4 gap=3:1 curve=time accent=3+2+2. The same with @file in front \
                        holds for the whole map and also knows mute, countin and seed.
                        """,
                        """
                        A map whose first line is #!metronome 2 is ours alone, and may have * for bars without end, \
                        2+2+3/8, 100/3, 8.=96, 80..160:exp, the patterns of --accent, repeat 4 { and } on lines of their \
                        own (repeat * { for ever), and -> label behind an entry, which is taken the first time.
                        """,
                        """
                        A #: that no key= or @file follows is a comment like any other. \
                        Bounds: 1 to 100,000,000 bars an entry, 1 to 16,384 beats a bar, down to 4,096ths; tempi of \
                        up to 1,000,000 quarters a minute (after #!metronome 2 from 1 to 1,000); 200,000 entries with \
                        repeats and jumps written out. Volumes above 1 keep their proportions: where the loudest stroke \
                        would pass full scale, the whole map is played softer.
                        """,
                    ]),
                ManualPage.Section(
                    "TABLES",
                    paragraphs: [
                        """
                        --csv has a line for each stroke: beat and bar from 1 (a count-in before them), the nearest frame \
                        (sample), the level from 0 to 3, the part of the beat and the voice from 0, whether it is muted, \
                        and the fraction of a frame from there to its instant. Frames count from the beginning of the \
                        plan: with --from and --label the first is not 0, whereas a file of --render begins with it.
                        """
                    ]),
                ManualPage.Section("KEYS", items: keys.map { ($0.key, $0.text + ".") }),
                .files("in the tables [metronome], [metronome-calibrate] and [metronome-verify]"),
                .environment("metronome", examples: "METRONOME_ACCENT=3 or METRONOME_COUNT_IN=1"),
                .exitStatus(inputs: "A tempo map, a sound or a settings file"),
                ManualPage.Section("SEE ALSO", paragraphs: ["tuner(1), aplay(1)"]),
            ])
    }

    /// Keys while it plays, for the page and the display.
    static let keys = [
        KeyHelp("space", "stop; start again with the first bar", "stop"),
        KeyHelp("up, down", "one beat a minute faster, slower", "1 BPM"),
        KeyHelp("PgUp, PgDn", "ten beats a minute faster, slower", "10 BPM"),
        KeyHelp("0-9, Enter", "type a tempo; Esc: leave it", "tempo"),
        KeyHelp("t", "tap the tempo: it holds from the third tap on", "tap"),
        KeyHelp("<  >", "move the beat 1 ms earlier, later", "1 ms"),
        KeyHelp("left, right", "move the beat 10 ms earlier, later", "10 ms"),
        KeyHelp("m", "mute: go on counting in silence; sound again", "mute"),
        KeyHelp("+  -", "louder, softer by 2 dB", "2 dB"),
        KeyHelp("s", "next sound", "sound"),
        KeyHelp("l", "go on with the next label of the map", "label"),
        KeyHelp("b  f", "large number; flash", "big"),
        KeyHelp("?", "these keys, away again", "away"),
        KeyHelp("q", "quit", "quit"),
    ]

    private static let examples: [(command: String, text: String)] = [
        ("metronome 120 --accent 4", "Four in a bar, the first one accented:"),
        ("metronome 7/8 140 --accent 3+2+2 --sub 8th --swing 60", "Seven eighths in groups, swung:"),
        ("metronome 80..160 over 32 bars --gap 3:1", "Faster and faster, every fourth bar in your head:"),
        ("metronome 100 --step +5/4b..160 --bounce", "A speed trainer, up and back down:"),
        ("metronome 3/4 96 X.x --count-in 1 --bars 16", "Meter, tempo and pattern as klick has them:"),
        ("metronome song.map --label verse", "A tempo map from one of its labels on:"),
        ("metronome 97.3 --for 2m --render click.flac", "The same click as a file:"),
        ("metronome 8 3/4 120-140/2 --dry-run", "What would be played, as text:"),
        ("metronome verify take.wav 120", "How well the clicks of a recording kept time:"),
        ("metronome 120 --bars 8 --verify", "How well they keep time here, heard by loop-back or microphone:"),
        ("metronome calibrate -D hw:1", "How fast a sound card really runs, kept for true tempi:"),
    ]
}
