internal import Configuration

extension MetronomeProgram {
    /// What the manual page says about hearing a player.
    static var listening: ManualPage.Section {
        ManualPage.Section(
            "LISTENING",
            paragraphs: [
                """
                --listen hears you through a microphone (--input) and tells how much earlier or later than its beat \
                each note is, on a scale of 50 ms below the beats: early on the left, late on the right. It takes \
                its own click out of what it hears, which it learns in the count-in: two bars, unless --count-in says \
                otherwise. With headphones there is nothing to take out; --headphones says so. Switch echo \
                cancellation and automatic gain of the microphone off.
                """,
                """
                A note belongs to the nearest beat, part of a beat (--sub, --swing) or stroke of another voice \
                (--poly), if it is near enough: a fifth of the way to the next one, 50 ms at least and 100 ms at \
                most. Others are extra. To play eighths to a click in quarters, use --sub 2:10: the second part is \
                silent. A place in the bar that you play at least every second time has missed notes.
                """,
                """
                The spread is the standard deviation of the notes, the tendency the change of their lateness from bar \
                to bar; within two standard errors it is called steady. Notes in muted bars (--gap, --mute) are \
                told apart. Bowed and blown notes begin softly: of those it tells a trend.
                """,
                """
                How late you are on average is known only with a calibrated latency: run metronome calibrate \
                latency with the same two devices. Without it, the report tells spread and tendency, and lateness \
                relative to the mean. --json and --csv write one line per note, --plot draws the session.
                """,
                """
                --until 10ms repeats the section of --bars until the spread of its notes is below 10 ms. With \
                --step, the tempo rises only when the bars before the step were as even as that; otherwise they are \
                repeated.
                """,
                """
                metronome review tells the same of a recording. It looks for the clicks of this metronome in it and \
                takes them out; lateness is then relative to the click. Without a click it lays the grid where the \
                notes fit best, takes the first note for the first beat, and says if another place fits nearly as \
                well; --first-beat gives the place and makes lateness absolute.
                """,
                """
                --follow turns it round: the metronome keeps with you. It is silent until it has heard four even notes, \
                taps or claps; the click comes in on the fifth, as the first beat of a bar, and then follows your tempo, \
                each interval within 3 % of the one before. A tempo given is about the one of the start, and lets you \
                begin with notes between the beats. In rests it keeps the last tempo; after four bars without a note \
                on the beat it falls silent, and waits for four notes again, as it does after the space bar. Meter, \
                accents, --sub, --swing and sounds are as always. --json writes a line for each beat: its bpm, \
                and how much later than the click you were. The click is heard by the microphone as well and \
                taken out, unless you wear --headphones; calibrate the latency, or it comes late.
                """,
                """
                metronome tempo needs no tempo: it follows the beat of a recording, or of what the microphone hears, and                 tells it 70 ms after it sounds. It tells the tempo with its standard error, its drift and sway, and the scatter: the                 standard deviation of a beat about the course of its neighbours. Half or twice the tempo is the same                 rhythm; --around chooses. A beat without a note is where it has to be, and counts in no figure.
                """,
            ])
    }
}
