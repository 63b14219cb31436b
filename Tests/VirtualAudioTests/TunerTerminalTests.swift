import Foundation
import TestCommands
import Testing

extension VirtualAudioTests {
    /// The tuner in a real terminal emulator (tmux), listening to a tone of 441.5 Hz; keys typed, windows resized.
    @Suite struct TunerTerminalTests {
        /// Runs a script with the tuner's pane ready; its output is the captures, each after a line `=== name`.
        private func session(_ script: String) throws -> [String: String] {
            try withTemporaryFolder { folder in
                let outcome = try VirtualAudio.run { audio in
                    try audio.shell(
                        """
                        cd '\(folder.path())'
                        tm() { tmux -L wt$$ -f /dev/null "$@"; }
                        start() { # columns rows environment
                            tm new-session -d -s t -x $1 -y $2 "stty -g > before; env XDG_CONFIG_HOME=/no/such $3 '$BIN/tuner' $4;
                                echo status \\$?; stty -g > after; sleep 60"
                            sleep 1.5
                        }
                        shot() { echo "=== $1"; tm capture-pane -p -t t; }
                        keys() { tm send-keys -t t "$@"; sleep 0.4; }
                        ended() { sleep 0.4; echo "=== $1"; tm capture-pane -p -t t | head -n 3
                            tm display -p -t t 'alternate #{alternate_on} cursor #{cursor_flag}'
                            cmp -s before after && echo keyboard restored; tm kill-server; sleep 0.2; }
                        sox -q -n -r 48000 -b 16 -c 2 tone.wav synth 60 sine 441.5 gain -6 || exit 3
                        aplay -q -D va_feed tone.wav & player=$!
                        trap 'kill $player 2> /dev/null; tm kill-server 2> /dev/null' EXIT
                        \(script)
                        """)
                }
                var shots: [String: String] = [:]
                for part in outcome.output.components(separatedBy: "=== ").dropFirst() {
                    let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                    shots[String(lines[0])] = lines.count > 1 ? String(lines[1]) : ""
                }
                return shots
            }
        }

        @Test func `The display is right at 40, 80 and 200 columns, with and without UTF-8 and colour, and at 5 rows`()
            throws
        {
            let shots = try session(
                """
                for size in '40 12' '80 24' '200 50' '80 5'; do
                    set -- $size
                    start $1 $2 'LANG=C.UTF-8'; shot "$1x$2 UTF-8"; tm kill-server; sleep 0.2
                    start $1 $2 'LC_ALL=C NO_COLOR=1'; shot "$1x$2 ASCII"; tm kill-server; sleep 0.2
                done
                start 80 24 'LC_ALL=C NO_COLOR=1'; echo '=== escapes'; tm capture-pane -e -p -t t; tm kill-server
                """)
            #expect(shots.count == 9)
            for (name, text) in shots where name != "escapes" {
                #expect(
                    text.contains("441.50 Hz") && (text.contains("sharp") || name.hasSuffix("UTF-8")),
                    "\(name)\n\(text)")
                if name.hasSuffix("ASCII") { #expect(text.utf8.allSatisfy { $0 < 128 }) }
                if name.hasPrefix("80x24") { #expect(text.contains("441.50 Hz") && text.contains("level")) }
            }
            let escapes = try #require(shots["escapes"])
            #expect(!escapes.contains("\u{1B}[31m") && !escapes.contains("\u{1B}[33m"))
        }

        @Test func `Every key does what the help says, and q puts the terminal back`() throws {
            let shots = try session(
                """
                start 100 24 LC_ALL=C
                keys A; shot A; keys a; shot a; keys n; shot n; keys s; shot s; keys i; shot i; keys 5; shot 5
                keys t; shot t; keys t; shot t2; keys '?'; shot help; keys '?'; keys Space; shot hold
                keys Space; keys q; ended q
                """)
            for (name, words) in [
                ("A", "A4 = 441.00 Hz"), ("a", "A4 = 440.00 Hz"), ("n", "note names: flats"), ("s", "view: strobe"),
                ("i", "instrument: guitar"), ("5", "string 5 only"), ("t", "t ends it"), ("t2", "tone off"),
                ("help", "hold the display"), ("hold", "held"), ("q", "status 0"), ("q", "alternate 0 cursor 1"),
                ("q", "keyboard restored"),
            ] {
                #expect(shots[name]?.contains(words) == true, "\(name): \(words)\n\(shots[name] ?? "nothing")")
            }
        }

        @Test
        func
            `10,000 random bytes and 1,000 random resizes later it still listens, and every signal restores the terminal`()
            throws
        {
            let shots = try session(
                """
                RANDOM=20261121; start 80 24 LC_ALL=C
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
                tm resize-window -t t -x 80 -y 24; sleep 1; shot alive; keys q; ended q
                for signal in INT TERM HUP; do
                    start 80 24 LC_ALL=C; pkill -$signal -f "^$BIN/tuner"; ended $signal
                done
                start 80 24 LC_ALL=C; keys C-c; ended C-c
                """)
            #expect(shots["alive"]?.contains("Hz") == true, "\(shots["alive"] ?? "nothing")")
            for (name, status) in [("q", 0), ("INT", 130), ("TERM", 143), ("HUP", 129), ("C-c", 130)] {
                let text = shots[name] ?? "nothing"
                #expect(text.contains("status \(status)") && text.contains("alternate 0 cursor 1"), "\(name): \(text)")
                #expect(text.contains("keyboard restored"), "\(name): \(text)")
            }
        }
    }
}
