import Foundation
import TestCommands
import Testing

/// The built commands through a real sound server, in real time: that they play and hear there. How exactly is measured
/// on the card in simulated time (CardTests, LoopTests), where a busy machine changes nothing.
@Suite struct SoundServerTests {
    /// The middle one of some values.
    private func median(_ values: [Double]) -> Double {
        values.isEmpty ? .nan : values.sorted()[values.count / 2]
    }

    @Test func `The tuner reads a tone that is played into the virtual microphone`() throws {
        let wanted = 50
        let outcome = try VirtualAudio.run { audio in
            try audio.shell(
                """
                cd "${XDG_RUNTIME_DIR%/run}"
                sox -q -n -r 48000 -b 16 -c 2 tone.wav synth 100 sine 440 gain -6 || exit 3
                aplay -q -D va_feed tone.wav & player=$!
                "$BIN/tuner" --json > heard & tuner=$!
                for i in $(seq 400); do
                    [ "$(grep -c '"hz":4' heard)" -ge \(wanted) ] && break
                    sleep 0.1
                done
                kill -INT $tuner
                wait $tuner
                status=$?
                kill $player
                cat heard
                exit $status
                """)
        }
        #expect(outcome.status == 130, "\(outcome.errors)")
        let cents = try outcome.lines.compactMap { line -> Double? in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return (object["hz"] as? Double).map { 1_200 * log2($0 / 440) }
        }
        print("virtual microphone: \(cents.count) readings, median \(median(cents)) c from 440 Hz")
        #expect(cents.count >= wanted)
        // Half a cent is what is promised. The median: a server that is starved leaves holes in the tone.
        #expect(abs(median(cents)) <= 0.5)
    }

    @Test func `The metronome is heard from the virtual speaker`() throws {
        try withTemporaryFolder { folder in
            let recording = folder.appending(path: "heard.wav").path()
            let outcome = try VirtualAudio.run { audio in
                try audio.shell(
                    """
                    "$BIN/metronome" 240 --accent 4 -r 48000 > '\(folder.path())/beats' & player=$!
                    for i in $(seq 400); do [ -s '\(folder.path())/beats' ] && break; sleep 0.1; done
                    arecord -q -D va_monitor -f FLOAT_LE -r 48000 -c 2 -d 5 '\(recording)'
                    status=$?
                    kill -INT $player
                    wait $player
                    played=$?
                    [ $played = 130 ] || { echo "metronome ended with $played" >&2; exit 5; }
                    exit $status
                    """)
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            let heard = try clickOnsets(recording)
            let intervals = zip(heard, heard.dropFirst()).map { Double($1 - $0) }
            print("virtual speaker: \(heard.count) clicks, every \(median(intervals)) frames")
            // Twenty in five seconds; half of them, were the machine to starve the server.
            #expect(heard.count >= 10)
            // A quarter of a second, to a hundredth of it.
            #expect(abs(median(intervals) - 12_000) < 120)
        }
    }

    @Test func `The metronome hears itself, and the latency of a loop is measured or its breaks are reported`() throws {
        let outcome = try VirtualAudio.run { audio in
            try audio.shell(
                """
                for c in FL FR; do pw-link speaker:monitor_$c mic:input_$c; done
                export XDG_STATE_HOME=${XDG_RUNTIME_DIR%/run}/state
                "$BIN/metronome" 150 --for 4s --verify --json || exit 4
                "$BIN/metronome" calibrate latency --clicks 4
                echo "calibrated $?"
                """)
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try #require(outcome.lines.first)
        let found = try #require(try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])
        print("loop through a server: \(found)")
        // Ten are played.
        #expect(found["clicks"] as? Int ?? 0 >= 5)
        #expect(found["round_trip_ms"] as? Double ?? 0 > 1)
        let isMeasured = outcome.output.contains("round trip") && outcome.output.contains("calibrated 0")
        // A server without processor time may also transfer nothing for so long that the device counts as lost.
        let breaks = ["were interrupted", "was lost (it transfers no frames)"]
        let isTold = breaks.contains(where: outcome.errors.contains) && outcome.output.contains("calibrated 75")
        #expect(isMeasured || isTold, "\(outcome.output)\(outcome.errors)")
    }
}
