internal import ArgumentParser
internal import Configuration
internal import Notation
internal import TerminalUI
internal import Timebase

extension MetronomeProgram {
    /// The manual page; the options come from the parser.
    static var manual: ManualPage {
        ManualPage(
            name: "metronome", summary: "play exact beats, or write them to a file", date: "November 21, 2026",
            synopsis: [
                "[options] [bars] [meter] tempo [pattern]", "[options] map", "verify [options] file tempo",
                "review [options] file tempo", "tempo [options] [file]",
                "calibrate [options] [rate | latency]", "log [options]",
                "config [--example]",
            ],
            description: [
                """
                metronome plays a beat on an ALSA device, or renders it to a file. Tempi are exact fractions: beat k \
                lies on the frame nearest to k * 60 * rate / tempo for as long as it plays, and a rendered file equals \
                what is played bit for bit.
                """,
                """
                On a terminal it shows the beats of the bar with their levels, each at the moment it is heard, and \
                takes keys. In a pipe it writes one line per beat. Ctrl-C ends at once.
                """,
            ],
            examples: examples,
            commands: subcommands.map { ($0 == MetronomeCommand.self ? "" : $0._commandName, $0) },
            sections: [
                ManualPage.Section(
                    "TEMPO",
                    paragraphs: [
                        """
                        A tempo is a number from 1 to 1000: a whole number, a decimal or a fraction. It counts the beats \
                        of the meter: 7/8 140 is 140 eighths per minute. A note value before it is counted instead: 7/8 \
                        4=140 is 140 quarters per minute, 8.=96 is 96 dotted eighths. Without a meter the \
                        counted note is the beat: 2 8=140 is two bars of four eighths, also in a map that begins \
                        with #!metronome 2.
                        """,
                        """
                        A number of bars and a meter may precede the tempo, and a pattern may follow it, as in klick: \
                        \(AccentLevel.legend). klick counts quarters in every meter: to play its command line in \
                        another meter than x/4, write 4= before the tempo.
                        """,
                        """
                        80..160/32b moves evenly from one tempo to another in 32 bars; beats, s and m are other units, \
                        and :time or :exp after it choose another curve. 80-120/10 takes ten bars per beat per minute.
                        """,
                        """
                        --sub 8th, 16th and the like name note values: 8th divides a quarter in two, and leaves the \
                        eighths of 7/8 undivided. A triplet is three parts of any beat.
                        """,
                    ]),
                ManualPage.Section(
                    "TEMPO MAPS",
                    paragraphs: [
                        """
                        A map has one entry per line, [label:] bars [meter] tempo [pattern] [volume], and comments after \
                        #. The tempo counts quarters in every meter, as in klick. Additions to klick's format stand in \
                        comments before the entry, which klick skips: #: \(TempoMap.pragmas.entry). With @file after #:, \
                        comments hold for the whole map: #: @file \(TempoMap.pragmas.file).
                        """,
                        """
                        A map whose first line is #!metronome 2 may also contain * for bars without end, 2+2+3/8, 100/3, \
                        8.=96, 80..160:exp, the patterns of --accent, repeat 4 { and } on lines of their own (repeat * { \
                        repeats forever), and -> label after an entry, which jumps the first time.
                        """,
                        """
                        A #: without key= or @file is an ordinary comment. Limits: 1 to 100,000,000 bars per entry; 1 to \
                        16,384 beats per bar, down to 4,096ths; tempi up to 1,000,000 quarters per minute (after \
                        #!metronome 2: 1 to 1,000); 200,000 entries with repeats and jumps expanded. Volumes keep their \
                        proportions: if the loudest stroke would exceed full scale, the whole map plays softer.
                        """,
                    ]),
                ManualPage.Section(
                    "PRESETS AND SET LISTS",
                    paragraphs: [
                        """
                        --save keeps a plan under a name, and so does the key w while it plays; --preset plays it again, and \
                        --list-presets lists all. A preset keeps the plan, its beginning and end and its sounds, and not the \
                        device, files and display. They stand in $XDG_CONFIG_HOME/well-tempered/presets, one per line: \
                        Blackbird: 96 --accent 4 --sub 8th.
                        """,
                        """
                        A file of such lines is a set list: --setlist gig.txt plays its first entry, n and N step to the \
                        next and the one before at the next bar, and an entry that ends is followed by the next. Lines \
                        that begin with # are comments.
                        """,
                        """
                        The key e edits what plays. The left and right arrows choose meter, accents, parts of the beat, \
                        swing, sound or volume, the up and down arrows step through usual values, and any other value can \
                        be typed. Each change is heard from the next bar on.
                        """,
                    ]),
                ManualPage.Section(
                    "TABLES",
                    paragraphs: [
                        """
                        --csv writes one line per stroke: beat and bar, counted from 1 (a count-in has bars before 1), \
                        the nearest frame (sample), the level from 0 to \(AccentLevel.numbers.upperBound), the part of \
                        the beat and the voice from 0, whether it is muted, and the distance from the frame to the \
                        exact instant as a fraction of a frame. Frames count from the beginning of the plan, even with --from and --label.
                        """
                    ]),
                ManualPage.Section(
                    "SOUNDS",
                    paragraphs: [
                        """
                        --sound names a voice (--list-sounds) or sound files: \(SoundOptions.fileForms). Files \
                        are mixed to one channel, converted to the rate of the stream and cut after ten seconds. \
                        --cross-sound sets the sound of the other voices of --poly and --polymeter.
                        """,
                        """
                        --sound voice counts aloud: the number of each beat in its bar, and for parts of a beat "and", \
                        "trip let", "e and a" or "trip let and trip let"; beats of dotted notes in three parts are "one \
                        and a". Other parts tick. Above sixteen a number is its last digit, or ten. The vowel of each \
                        word lies on its beat, and its consonants before it; a rendered file begins on a beat, and so \
                        with a vowel. Each word ends where the next one begins. Of beats shorter than 200 ms (300 BPM) \
                        only the first of a bar is spoken, and of parts none that are shorter than 125 ms (16ths above \
                        120 BPM); the others tick.
                        """,
                        """
                        Most beats lie between two frames, and so do their clicks. A sound file is shifted by a filter \
                        that attenuates frequencies above 0.9 of half the rate. --whole-samples plays every sound as it \
                        is, on the nearest frame.
                        """,
                    ]),
                ManualPage.Section(
                    "CALIBRATION",
                    paragraphs: [
                        """
                        The clock of a sound card is off by some tens of parts per million: 100 ppm is a third of a \
                        second per hour. metronome calibrate measures it against the system clock, stores it, and \
                        reports whether a time service disciplined the system clock. Tempi on that device are correct \
                        from then on. --clock overrides the stored value, --verbose reports it.
                        """,
                        """
                        metronome calibrate latency plays clicks, hears them through a microphone beside the \
                        loudspeaker, and stores the delay that the devices do not report. The display then delays \
                        each beat by as much.
                        """,
                    ]),
                ManualPage.Section(
                    "VERIFICATION",
                    paragraphs: [
                        """
                        metronome verify finds the clicks of a recording by their waveform and reports lost and extra \
                        clicks, drift with its standard error, and jitter. It averages clicks that sound alike and \
                        places each by its correlation with that mean, so that MP3, OGG, a low sample rate and hiss move \
                        it by microseconds. The report tells to how many a click is placed. Sounds that it does not know \
                        are each compared with themselves; clicks that are all different are placed by their onsets, to \
                        half a millisecond. The words of --sound voice are placed one by one, if it speaks on each beat; if \
                        it also ticks, the ticks are. With options of the beat, a tempo map or an end, each click of that plan \
                        is looked for, from wherever it begins in the recording: metronome verify k.wav 90 --poly 3:4 \
                        --bars 8. A plan with muted beats needs their --seed. --verify does the same for what plays, through a loop-back or a microphone, and adds xruns and \
                        latency.
                        """
                    ]),
                listening,
                ManualPage.Section(
                    "PRACTICE LOG",
                    paragraphs: [
                        """
                        With --log, with log = true in the settings, or after log --on, each session of ten seconds or \
                        more is a row of the log: when, how long, the plan, the tempo at the beginning and the highest \
                        one, and the piece that --piece or the set list names; with --listen also notes, mean and spread. It is written after ten seconds, every \
                        half minute and at the end, so that a loss of power costs little. metronome log lists the \
                        newest sessions and sums up by week and by piece; --plot draws them, --export writes all. \
                        tuner analyze --log adds the intonation of a recording. Nothing leaves the machine.
                        """,
                        """
                        The first session of a minute or more asks whether to keep a log; the answer is kept in it. log \
                        = false in the settings wins over that answer.
                        """,
                    ]),
                ManualPage.Section("KEYS", items: keys.map { ($0.key, $0.text + ".") }),
                .files(
                    "in the tables [metronome], [metronome-calibrate], [metronome-verify], [metronome-review] and [metronome-tempo]"
                ),
                .environment("metronome", examples: "METRONOME_ACCENT=3 or METRONOME_COUNT_IN=1"),
                .exitStatus(inputs: "A tempo map, a sound or a settings file"),
                ManualPage.Section("SEE ALSO", paragraphs: ["tuner(1), aplay(1)"]),
            ])
    }

    /// The keys that it takes while it plays.
    static let keys = [
        KeyHelp("space", "stop, or start again at the first bar", "stop"),
        KeyHelp("up, down", "change the tempo by 1 beat per minute", "1 BPM"),
        KeyHelp("PgUp, PgDn", "change the tempo by 10 beats per minute", "10 BPM"),
        KeyHelp("0-9, Enter", "type a tempo; Esc cancels", "tempo"),
        KeyHelp("t", "tap the tempo; three taps set it", "tap"),
        KeyHelp("<  >", "move the beat 1 ms earlier, later", "1 ms"),
        KeyHelp("left, right", "move the beat 10 ms earlier, later", "10 ms"),
        KeyHelp("m", "mute, or sound again", "mute"),
        KeyHelp("+  -", "change the volume by 2 dB", "2 dB"),
        KeyHelp("s", "choose the next sound", "sound"),
        KeyHelp("e", "edit meter, accents, parts, swing, sound, volume", "edit"),
        KeyHelp("w", "keep what plays as a preset", "preset"),
        KeyHelp("n  N", "next, previous entry of the set list or preset", "next"),
        KeyHelp("l", "jump to the next label of the map", "label"),
        KeyHelp("b  f", "show a large number; flash", "big"),
        KeyHelp("?", "show or hide these keys", "keys"),
        KeyHelp("q", "quit", "quit"),
    ]

    /// The keys where a companion's address is shown.
    static let accompaniedKeys: [KeyHelp] = {
        var all = keys
        all.insert(KeyHelp("c", "show or hide the code of the address", "code"), at: all.count - 2)
        return all
    }()

    /// The keys of `--follow`.
    static let followingKeys = [
        KeyHelp("space", "stop, and wait for four even notes", "wait"),
        KeyHelp("m", "mute, or sound again", "mute"),
        KeyHelp("+  -", "change the volume by 2 dB", "2 dB"),
        KeyHelp("b  f", "show a large number; flash", "big"),
        KeyHelp("?", "show or hide these keys", "keys"),
        KeyHelp("q", "quit", "quit"),
    ]

    private static let examples: [(command: String, text: String)] = [
        ("metronome 120 --accent 4", "Four beats per bar, the first accented:"),
        (
            "metronome 7/8 140 --accent 3+2+2 --sub 16th --swing 60",
            "140 eighths per minute in groups, with swung 16ths:"
        ),
        ("metronome 80..160 over 32 bars --gap 3:1", "A ramp, with every fourth bar muted:"),
        ("metronome 100 --step +5/4b..160 --bounce", "A speed trainer, up and back down:"),
        ("metronome 3/4 96 X.x --count-in 1 --bars 16", "Meter, tempo and pattern in klick's order:"),
        ("metronome song.map --label verse", "A tempo map from one of its labels on:"),
        ("metronome --setlist gig.txt", "Songs in the order of a file; n steps to the next:"),
        ("metronome 96 --sub 8th --save ballad", "Keep a preset; metronome --preset ballad plays it:"),
        ("metronome 97.3 --for 2m --render click.flac", "Two minutes of clicks as a file:"),
        ("metronome 8 3/4 120-140/2 --dry-run", "The bars as text:"),
        ("metronome 96 --accent 4 --listen --plot take.svg", "How early or late you play, and a picture of it:"),
        ("metronome 80 --bars 8 --listen --until 10ms", "Eight bars, again until they are even:"),
        ("metronome review take.wav 120 --accent 4", "How a recorded player kept time:"),
        (
            "metronome tempo take.wav --render clicks.wav",
            "The tempo of a recording, and a copy with clicks on its beats:"
        ),
        ("metronome verify take.wav 120", "How well the clicks of a recording keep time:"),
        ("metronome 120 --bars 8 --verify", "How well this machine keeps time, by loop-back or microphone:"),
        ("metronome calibrate -D hw:1", "Measure the clock of a sound card, for accurate tempi:"),
        ("metronome calibrate latency --input hw:1", "Measure the delay that a loudspeaker adds, for the display:"),
    ]
}
