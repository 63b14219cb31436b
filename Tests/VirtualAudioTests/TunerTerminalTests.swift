import Foundation
import TestCommands
import Testing

/// The tuner in a real terminal emulator (tmux) on the test card, which hears a tone of 441.5 Hz: keys typed, windows
/// resized, signals sent.
@Suite struct TunerTerminalTests {
    /// Runs a script and expects that nothing in it failed, and how many things were looked for.
    private func expectAll(
        _ count: Int, _ script: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try TestCardTerminal.run(
            "sox -n -r 48000 -c 2 -t f32 in.raw synth 100 sine 441.5 gain -6\n" + script)
        let good = outcome.lines.count { $0.hasPrefix("ok ") }
        #expect(
            good == count && outcome.status == 0 && !outcome.output.contains("FAILED"),
            "\(good) of \(count)\n\(outcome.output)\(outcome.errors)", sourceLocation: location)
    }

    @Test func `The display is right at 40, 80 and 200 columns, with and without UTF-8 and colour, and at 5 rows`()
        throws
    {
        try expectAll(
            19,
            """
            for size in '40 12' '80 24' '200 50' '80 5'; do
                set -- $size
                start $1 $2 'LANG=C.UTF-8' tuner; expect "$1x$2 UTF-8" '441[.]50 Hz'
                [ $1x$2 = 80x5 ] || expect "$1x$2 words" 'sharp'
                # The pattern below sees colours where there are some.
                [ $2 = 5 ] || tm capture-pane -e -p -t t | grep -qE $'\\x1b[[](3|9)[0-7]m' || echo "FAILED $1x$2: no colour"
                press q 'status 0'; away
                start $1 $2 'LC_ALL=C NO_COLOR=1' tuner; expect "$1x$2 ASCII" '441[.]50 Hz'
                if tm capture-pane -e -p -t t | LC_ALL=C grep -qE $'[^ -~\\x1b]|\\x1b[[](3|9)[0-7]m'; then
                    echo "FAILED $1x$2: colours, or more than ASCII"; fi
                press q 'status 0'; away
            done
            """)
    }

    @Test func `Every key does what the help says, and what it did is shown`() throws {
        try expectAll(
            40,
            """
            printf 'equal\\n12\\n100.\\n200.\\n300.\\n400.\\n500.\\n600.\\n700.\\n800.\\n900.\\n1000.\\n1100.\\n2/1\\n' > s.scl
            printf '12\\n0\\n127\\n60\\n69\\n432.0\\n12\\n0\\n1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11\\n' > k.kbm
            start 100 24 LC_ALL=C tuner --scale s.scl --mapping k.kbm; expect mapping 'A4 432[.]00 Hz'
            press A 'the mapping sets'
            start 100 24 LC_ALL=C tuner; expect heard '441[.]50 Hz'
            press A 'A4 = 441[.]00 Hz'; expect 'A heard' '[+]2[.]0'; press a 'A4 = 440[.]00 Hz'
            press Right 'A4 = 441[.]00 Hz'; press Left 'A4 = 440[.]00 Hz'
            press n 'note names: flats'; press n 'note names: german'
            press s 'view: strobe'; press s 'view: trail'; press s 'view: notes'; press s 'view: needle'
            press r 'response: slow'
            press p 'strums: strum, with an instrument'; press p 'strums: single'; press p 'strums: auto, with'
            press i 'instrument: guitar'; expect 'guitar shown' 'guitar: standard'
            press 5 'string 5 only'; press 9 'there is no string 9'; press 0 'all strings'
            press I 'instrument: all notes'; press i 'instrument: guitar'; press m 'transposition'
            press Down '< standard >'; press Right '< half step down >'; press Escape 'guitar: half step down'
            press t 't stops it'; press t 'tone off'
            press '?' 'hold or resume'; press '?' '441[.]50 Hz'; press h 'hold or resume'; press Escape '441[.]50 Hz'
            press Space held; press Space '441[.]50 Hz'
            press q 'status 0'; ended q 0
            """)
    }

    @Test func `10,000 random bytes and 1,000 random resizes later it still listens and obeys`() throws {
        try expectAll(
            5,
            """
            RANDOM=20261121; start 80 24 LC_ALL=C tuner; expect heard '441[.]50 Hz'
            for i in $(seq 100); do
                bytes=
                for j in $(seq 100); do
                    b=$((RANDOM % 256))
                    case $b in 3|26|28|113|81|116) b=65 ;; esac  # not the keys that end, pause or sound
                    bytes="$bytes $(printf %02x $b)"
                done
                tm send-keys -t t -H $bytes
            done
            for i in $(seq 1000); do tm resize-window -t t -x $((RANDOM % 250 + 1)) -y $((RANDOM % 60 + 1)); done
            tm resize-window -t t -x 80 -y 24
            press n 'note names: '; press q 'status 0'; ended q 0
            """)
    }

    @Test func `Signals, a pause, a resize and a lost terminal: always restored, nothing after the end`() throws {
        try expectAll(
            67,
            """
            for signal in 'INT 130' 'TERM 143' 'HUP 129'; do
                set -- $signal
                for view in '' --line; do
                    start 80 24 LC_ALL=C tuner $view; expect "$1 $view heard" '441[.]50 Hz'
                    kill -$1 $(process); ended "$1 $view" $2
                done
            done
            start 80 24 LC_ALL=C tuner; expect 'C-c heard' '441[.]50 Hz'; tm send-keys -t t C-c; ended C-c 130
            start 80 24 LC_ALL=C tuner; expect 'TSTP heard' '441[.]50 Hz'; pauses tuner '441[.]50 Hz'
            in_background bg '441[.]50 Hz'; press '?' 'hold or resume'; pauses help 'hold or resume'
            press q 'status 0'; ended TSTP 0
            jobs=+m start 80 24 LC_ALL=C tuner; expect 'alone heard' '441[.]50 Hz'; tm send-keys -t t C-z
            press n 'note names: '; press q 'status 0'; ended alone 0
            start 40 12 LC_ALL=C tuner; expect 'small' '441[.]50 Hz'
            tm resize-window -t t -x 200 -y 50; expect 'wide' '^.{120,}[^ ]'; expect 'wide heard' '441[.]50 Hz'
            tm resize-window -t t -x 40 -y 12; expect 'small again' '441[.]50 Hz'; kill -INT $(process); ended resize 130
            outlives tuner
            start 80 24 LC_ALL=C tuner tone A4; expect 'tone told' '^A4  440[.]00 Hz  organ  -12 dB'
            for i in $(seq 300); do [ -s out.raw ] && break; sleep 0.1; done
            kill -INT $(process); ended tone 130
            start 80 24 LC_ALL=C tuner tone -i violin --color plucked; expect 'first string' '^string 4: G3  196[.]00 Hz'
            press s '^string 3: D4'; press S '^string 4: G3'; press Up '^G#3  207[.]65 Hz'; press Down '^G3  196[.]00 Hz'
            press + ' -9 dB'; press - ' -12 dB'; press q 'status 0'; ended tone-keys 0
            """)
    }

    @Test(arguments: ["tuner", "metronome"])
    func `Commands that only print do not change the terminal, and write no escape codes`(_ command: String) throws {
        try expectAll(
            15,
            """
            for words in --help --version --nope 'config' '--generate-completion-script bash'; do
                start 80 24 LANG=C.UTF-8 \(command) $words
                status=0; [ "$words" = --nope ] && status=2
                expect "$words ends" "status $status"; ended "$words" $status
                script -qec "stty -echo; $BIN/\(command) $words" all > /dev/null < /dev/null
                if [ "$(wc -l < all)" -lt 2 ] || LC_ALL=C grep -q $'\\x1b' all; then
                    echo "FAILED $words: nothing, or escape codes"; fi
            done
            """)
    }

    @Test func `Standard input that says nothing, and a reader that goes away, do not hold it up`() throws {
        let outcome = try TestCardTerminal.run(
            """
            mkfifo in; exec 3<> in; set -m
            for signal in INT TERM HUP; do
                "$BIN/tuner" - < in & sleep 0.3; kill -$signal $!; wait $!; echo "$signal $?"
            done
            "$BIN/tuner" --json | head -n 1 | grep -c time_s; echo "closed ${PIPESTATUS[0]}"
            "$BIN/tuner" --list-instruments | head -n 1; echo "closed ${PIPESTATUS[0]}"
            """)
        #expect(
            outcome.lines == ["INT 130", "TERM 143", "HUP 129", "1", "closed 0", "guitar", "closed 0"],
            "\(outcome.output)\(outcome.errors)")
    }
}
