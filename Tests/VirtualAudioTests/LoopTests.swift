import Foundation
import TestCommands
import Testing

extension VirtualAudioTests {
    /// The metronome hears itself: a private PipeWire whose microphone hears its speaker.
    @Suite struct LoopTests {
        /// What a command of ours says as JSON in the loop, and how often the machine was too late for sound meanwhile.
        private func inLoop(_ command: String) throws -> (found: [String: Any], late: Int, errors: String) {
            let outcome = try VirtualAudio.run { audio in
                try audio.shell(
                    """
                    for c in FL FR; do pw-link speaker:monitor_$c mic:input_$c; done
                    export XDG_STATE_HOME=${XDG_RUNTIME_DIR%/run}/state
                    $BIN/stream-probe heartbeat --seconds 60 > ${XDG_RUNTIME_DIR%/run}/heartbeat & beating=$!
                    \(command)
                    status=$?
                    kill $beating
                    cat ${XDG_RUNTIME_DIR%/run}/heartbeat >&2
                    exit $status
                    """, limit: 60)
            }
            let lines = outcome.errors.split(separator: "\n")
            let (late, told) = (lines.filter { $0.hasPrefix("late ") }, lines.filter { !$0.hasPrefix("late ") })
            let object = outcome.lines.last.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
            return (object as? [String: Any] ?? [:], late.count, told.joined(separator: "\n"))
        }

        /// Measures again when, and only when, something is wrong and the machine was seen to be too late for sound.
        private func measure(_ command: String, _ wrong: ([String: Any]) -> [String]) throws {
            for attempt in 1...4 {
                let (found, late, errors) = try inLoop(command)
                let complaints = wrong(found)
                print("\(command): \(found) \(late) heartbeats late")
                if complaints.isEmpty { return }
                let broke = ["playback_xruns", "capture_xruns", "jumps"].contains { found[$0] as? Int ?? 0 > 0 }
                let wasStarved = late > 0 || broke || errors.contains("broke off")
                guard wasStarved, attempt < 4 else {
                    Issue.record("\(complaints.joined(separator: "; ")) \(errors)")
                    return
                }
            }
        }

        @Test func `Every click that is played is heard at its instant`() throws {
            try measure("$BIN/metronome 150 --accent 3 --for 6s --verify --json") { found in
                func number(_ key: String) -> Double { found[key] as? Double ?? .nan }
                var wrong: [String] = []
                if !(number("clicks") == 15 && number("lost") == 0 && number("extra") == 0) {
                    wrong.append("15 clicks in six seconds, and no other")
                }
                // The server copies frames: what is left is the arithmetic. A frame is 20.8 µs.
                if !(number("worst_us") < 1) { wrong.append("clicks within a twentieth of a frame") }
                if !(abs(number("drift_ppm")) < 0.05) { wrong.append("no drift between two ends of one clock") }
                if !(number("round_trip_ms") > 5 && number("round_trip_ms") < 80) { wrong.append("a round trip") }
                // Two clocks that are each known to a frame.
                if !(abs(number("hidden_ms")) < 0.05) { wrong.append("nothing hidden in a wire") }
                return wrong
            }
        }

        /// The two ends of one clock, measured once for each with an error of its own.
        @Test func `What a calibration leaves in doubt is in doubt in what is heard`() throws {
            let ends = [("playback", 0.1, 0.3), ("capture", -0.2, 0.4)].map { way, error, doubt in
                """
                {"device":"default","direction":"\(way)","sampleRate":48000,"rateError":{"value":\(error)},
                "standardError":{"value":\(doubt)},"observedSeconds":3,"clockWasDisciplined":false,"measuredAt":1}
                """
            }
            let known = "{\"cards\":[\(ends.joined(separator: ","))],\"latencies\":[]}"
            try measure(
                """
                mkdir -p $XDG_STATE_HOME/well-tempered
                echo '\(known)' > $XDG_STATE_HOME/well-tempered/calibration.json
                $BIN/metronome 150 --bars 2 --verify --json
                """
            ) { found in
                let drift = found["drift_ppm"] as? Double ?? .nan
                let doubt = found["drift_standard_error_ppm"] as? Double
                // 3, 4, 5: half a ppm, and what eight clicks in a wire add to it.
                return abs(abs(drift) - 0.3) < 0.05 && abs((doubt ?? .nan) - 0.5) < 0.05
                    ? [] : ["a drift of 0.3 ± 0.5 ppm"]
            }
        }

        @Test func `The latency of a loop is measured, kept, and applied to the display`() throws {
            let command = "$BIN/metronome calibrate latency --clicks 8 --json && $BIN/metronome 240 --bars 1 --verbose"
            try measure("{ $BIN/metronome calibrate latency --clicks 8 --json; }") { found in
                let (heard, hidden) = (found["clicks"] as? Int ?? 0, found["hidden_s"] as? Double ?? .nan)
                return heard == 8 && abs(hidden) < 50e-6 ? [] : ["eight clicks heard, nothing hidden in a wire"]
            }
            let (_, _, errors) = try inLoop(command + " > /dev/null")
            #expect(errors.contains("ms later than it says: applied") || errors.contains("broke off"), "\(errors)")
        }
    }
}
