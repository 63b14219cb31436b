import Foundation
import TestCommands
import Testing

/// The metronome in a real terminal emulator (tmux) on the test card: keys typed, windows resized, signals sent.
@Suite struct MetronomeTerminalTests {
    /// Runs a script and expects that nothing in it failed, and how many things were looked for.
    private func expectAll(
        _ count: Int, _ script: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try TestCardTerminal.run(script)
        let good = outcome.lines.count { $0.hasPrefix("ok ") }
        #expect(
            good == count && outcome.status == 0 && !outcome.output.contains("FAILED"),
            "\(outcome.output)\(outcome.errors)", sourceLocation: location)
    }

    @Test func `Every key does what the help says, and what it did is shown`() throws {
        // Bars of half a second, so that the next one is soon there; the tempo is read off the beats that are heard.
        try expectAll(
            62,
            """
            printf 'a: 900 2/4 240\\nb: 900 2/4 240\\n' > song.map
            start 100 24 LC_ALL=C metronome song.map
            expect heard 'beat [12]/2 +bar [0-9]+ +240 BPM'; expect label 'a [0-9]+/900'
            press Up '241 BPM from the next beat'; expect 'Up heard' 'bar [0-9]+ +241 BPM'
            press Down '240 BPM from'; expect 'Down heard' 'bar [0-9]+ +240 BPM'
            press PPage '250 BPM from'; expect 'PgUp heard' 'bar [0-9]+ +250 BPM'
            press NPage '240 BPM from'; expect 'PgDn heard' 'bar [0-9]+ +240 BPM'
            press 1 'tempo: 1_'; press 9 'tempo: 19_'; press BSpace 'tempo: 1_'; press 5 'tempo: 15_'
            press 0 'tempo: 150_'; press , 'tempo: 150[.]_'; press 5 'tempo: 150[.]5_'
            press Enter '150[.]5 BPM from'; expect 'tempo heard' 'bar [0-9]+ +150[.]5 BPM'
            press 9 'tempo: 9_'; press Escape 'tempo as before'
            press 0 'tempo: 0_'; press Enter 'use 1 to 1000 beats'
            press t tap; for i in $(seq 40); do tm send-keys -t t t; sleep 0.3; screen | grep -q 'taps: ' && break; done
            expect taps '[0-9]+ taps: [0-9.]+ BPM'
            press '<' '1 ms earlier'; press '>' '1 ms later'; press Left '10 ms earlier'; press Right '10 ms later'
            press m 'sound *muted|wood *muted'; expect 'muted beats' '[(]1[)]|[(]2[)]'; press m 'sound again'
            press - 'volume -2 dB'; press - 'volume -4 dB'; press + 'volume -2 dB'; press = 'volume 0 dB'
            press s 'sound: clave'; press s 'sound: beep'; press s 'sound: cowbell'; press s 'sound: hihat'
            press s 'sound: soft'; press s 'sound: rim'; press s 'sound: tick'; press s 'sound: triangle'
            press s 'sound: tom'; press s 'sound: voice'; press s 'sound: wood'
            press l 'b at the next bar'; expect 'label b' 'b [0-9]+/900'; press l 'a at the next bar'
            press b '####'; press b '[[][12][]]'
            press f 'flash: 3 a second at most'; press f 'no flash'
            press '?' 'three taps set it'; press '?' '[[][12][]]'
            press Space 'stopped: space starts'; press Space started; expect 'again from bar 1' 'bar 1 '
            press q status; ended q 0
            """)
    }

    @Test func `Meter, accents, parts, sound and volume are edited while it plays, and heard from the next bar`() throws
    {
        try expectAll(
            25,
            """
            start 100 24 LC_ALL=C metronome 4/4 300
            expect heard 'beat [1-4]/4 +bar [0-9]+ +300 BPM'
            press e '[[]meter 4/4[]]'; press Up 'meter 5/4 from the next bar on'; expect 'five' 'beat [1-5]/5 '
            press Down 'meter 4/4 from the next bar on'; expect 'four' 'beat [1-4]/4 '
            sleep 2; press Right '[[]accents'; press 2 '[[]accents 2_'; press Enter 'accents 2 from'
            sleep 2; press Right '[[]parts 1[]]'; press Up 'parts 8th from'; press Up 'parts triplet from'
            sleep 2; press Right '[[]swing'; press Right '[[]sound wood[]]'; press Up 'sound: clave from the next bar on'
            sleep 2; press Right '[[]volume 0 dB[]]'; press Down 'volume -2 dB from the next bar on'
            sleep 2; press 9 '[[]volume 9_[]]'; press Enter 'is no volume'; press Escape 'volume -2 dB'
            press Escape help; press Up '301 BPM'; press q 'status 0'; ended q 0
            """)
    }

    @Test func `A preset is kept and recalled by name, and a set list steps with a key`() throws {
        try expectAll(
            22,
            """
            mkdir settings; printf 'One: 4/4 300\nTwo: 3/4 240 --sound clave\nThree: 2/4 400 --bars 2\nFour: 5/4 250\n' > gig
            start 100 24 "LC_ALL=C XDG_CONFIG_HOME=$PWD/settings" metronome --setlist gig
            expect title '1/4 One'; expect one 'beat [1-4]/4 .* 300 BPM'
            press n 'Two at the next bar|2/4 Two'; expect two 'beat [1-3]/3 .* 240 BPM'; expect sound 'clave'
            press N 'One at the next bar|1/4 One'; expect 'one again' 'beat [1-4]/4 .* 300 BPM'
            press n 'Two at the next bar|2/4 Two'; press n 'Three at the next bar|3/4 Three'
            expect 'four by itself' 'beat [1-5]/5 .* 250 BPM'
            press w 'keep this as preset: Four_'; press 2 'Four2_'; press Enter 'kept: metronome --preset'
            press q 'status 0'; ended q 0
            grep -q '^Four2: 5/4 250 ' settings/well-tempered/presets && echo 'ok kept'
            start 100 24 "LC_ALL=C XDG_CONFIG_HOME=$PWD/settings" metronome --preset four2
            expect preset '1/1 Four2'; expect recalled 'beat [1-5]/5 .* 250 BPM'; press q 'status 0'; ended q 0
            """)
    }

    @Test func `The display is right at 40, 80 and 200 columns, with and without UTF-8 and colour, and at 5 rows`()
        throws
    {
        try expectAll(
            19,
            """
            for size in '40 12' '80 24' '200 50' '80 5'; do
                set -- $size
                start $1 $2 'LANG=C.UTF-8' metronome 7/8 150 --accent 3+2+2 --gap 3:1
                expect "$1x$2 UTF-8" '█+|[[][●○·][]]'
                [ $1x$2 = 80x5 ] || expect "$1x$2 gap" 'muted in [123] bar'
                # The pattern below sees colours where there are some.
                [ $2 = 5 ] || tm capture-pane -e -p -t t | grep -q $'\\x1b[[]32m' || echo "FAILED $1x$2: no colour"
                press q 'status 0'; away
                start $1 $2 'LC_ALL=C NO_COLOR=1' metronome 7/8 150 --accent 3+2+2 --gap 3:1
                expect "$1x$2 ASCII" 'beat [1-7]/7.* 150 BPM'
                if tm capture-pane -e -p -t t | LC_ALL=C grep -qE $'[^ -~\\x1b]|\\x1b[[](3|9)[0-7]m'; then
                    echo "FAILED $1x$2: colours, or more than ASCII"; fi
                press q 'status 0'; away
            done
            """)
    }

    @Test func `10,000 random bytes and 1,000 random resizes later it still plays and obeys`() throws {
        try expectAll(
            6,
            """
            # After a minute it would ask at `q` whether it shall keep a practice log.
            mkdir -p quiet/well-tempered; printf '[metronome]\\nlog = false\\n' > quiet/well-tempered/config.toml
            RANDOM=20261121; start 80 24 "LC_ALL=C XDG_CONFIG_HOME=$PWD/quiet" metronome 120 --flash
            expect plays 'BPM'
            for i in $(seq 100); do
                bytes=
                for j in $(seq 100); do
                    b=$((RANDOM % 256))
                    case $b in 3|26|28|113|81) b=65 ;; esac  # not the keys that end or pause
                    bytes="$bytes $(printf %02x $b)"
                done
                tm send-keys -t t -H $bytes
            done
            # A random key may have begun an edit.
            tm send-keys -t t Escape; sleep 0.2; tm send-keys -t t Escape; sleep 0.2
            press '<' '1 ms earlier'
            for i in $(seq 1000); do tm resize-window -t t -x $((RANDOM % 250 + 1)) -y $((RANDOM % 60 + 1)); done
            tm resize-window -t t -x 80 -y 24
            press '>' '1 ms later'; press q 'status 0'; ended q 0
            """)
    }

    @Test func `Signals, a pause and a lost terminal: always restored, nothing after the end`()
        throws
    {
        try expectAll(
            41,
            """
            for signal in 'INT 130' 'TERM 143' 'HUP 129'; do
                set -- $signal
                start 80 24 LC_ALL=C metronome 120; expect "$1 plays" 'BPM'
                kill -$1 $(process); ended $1 $2
            done
            start 80 24 LC_ALL=C metronome 120; expect 'C-c plays' 'BPM'; tm send-keys -t t C-c; ended C-c 130
            start 80 24 LC_ALL=C metronome 120 --line; expect 'line plays' '[[].[]].*BPM'; tm send-keys -t t C-c
            ended 'line C-c' 130
            start 80 24 LC_ALL=C metronome 120; expect 'TSTP plays' 'bar [0-9]+ +120 BPM'
            pauses metronome 'bar [0-9]+ +120 BPM'; in_background bg 'bar [0-9]+ +120 BPM'
            press q 'status 0'; ended TSTP 0
            jobs=+m start 80 24 LC_ALL=C metronome 120; expect 'alone plays' 'BPM'; tm send-keys -t t C-z
            press '?' 'tap the tempo'; press q 'status 0'; ended alone 0
            start 40 12 LC_ALL=C metronome 120; expect small 'BPM'; tm resize-window -t t -x 200 -y 50
            expect wide '^.{60,}BPM'; tm resize-window -t t -x 40 -y 12; expect 'small again' '^.{0,39}BPM'
            kill -INT $(process); ended resize 130
            outlives metronome 120
            """)
    }

    @Test func `A pipe gets plain lines, a closed pipe ends it without a message, a full disk is an error`() throws {
        let outcome = try TestCardTerminal.run(
            """
            "$BIN/metronome" 240 | head -n 3; echo "pipe ${PIPESTATUS[0]}"
            "$BIN/metronome" 240 > /dev/full; echo "full $?"
            "$BIN/tuner" | head -n 2 > /dev/null; echo "tuner ${PIPESTATUS[0]}"
            "$BIN/tuner" > /dev/full; echo "tuner full $?"
            """)
        let lines = outcome.lines
        try #require(lines.count == 7, "\(outcome.output)\(outcome.errors)")
        #expect(lines[0].hasSuffix("bar 1  beat 1/4  accent  240.0 BPM") && !outcome.output.contains("\u{1B}"))
        #expect(lines[3...] == ["pipe 0", "full 73", "tuner 0", "tuner full 73"], "\(outcome.output)")
    }
}
