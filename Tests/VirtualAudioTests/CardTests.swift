import Foundation
import TestCommands
import Testing

/// The built commands on the card inside the process: real alsa-lib, no server, every byte known.
@Suite(.serialized) struct CardTests {
    /// Runs a line of shell where the test card is `default`: it hears `$TEST_CARD_DIR/in.raw` and writes `out.raw`.
    private func onCard(_ line: String, in folder: URL) throws -> BuiltCommand.Outcome {
        let script = repository.appending(path: "Tests/Rigs/test-card.sh").path()
        let bin = BuiltCommand("tuner").executable.deletingLastPathComponent().path()
        return try BuiltCommand(shell: ()).run(
            [script, "run", "bash", "-c", line], environment: ["TEST_CARD_DIR": folder.path(), "BIN": bin])
    }

    private func floats(_ url: URL) throws -> [Float] {
        let data = try Data(contentsOf: url)
        return stride(from: 0, to: data.count - 3, by: 4).map { at in
            Float(bitPattern: data[at..<at + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
    }

    @Test func `The tuner reads a known tone from the card`() throws {
        try withTemporaryFolder { folder in
            // 442 Hz in both channels, two seconds, as the card's frames: 32-bit floats.
            var tone = Data()
            for n in 0..<96_000 {
                let sample = Float(0.5 * sin(2 * Double.pi * 442 * Double(n) / 48_000))
                for _ in 0..<2 { withUnsafeBytes(of: sample.bitPattern.littleEndian) { tone.append(contentsOf: $0) } }
            }
            try tone.write(to: folder.appending(path: "in.raw"))
            let outcome = try onCard("\"$BIN/tuner\" --json -d 1.5 -r 48000 -c 2", in: folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            var worst = 0.0
            var count = 0
            for line in outcome.lines {
                let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                guard let hertz = object["hz"] as? Double, let seconds = object["time_s"] as? Double, seconds > 0.3
                else { continue }
                worst = max(worst, abs(1_200 * log2(hertz / 442)))
                count += 1
            }
            print("test card: \(count) readings, worst \(worst) c from 442 Hz")
            #expect(count > 100)
            // Rounding to floats is -150 dB: a hundredth of a cent is a hundred times what it can do.
            #expect(worst < 0.01)
        }
    }

    @Test func `What the metronome plays is bit for bit what it renders`() throws {
        try withTemporaryFolder { folder in
            let outcome = try onCard(
                """
                "$BIN/metronome" 240 --accent 3 --bars 2 -r 48000 -c 2 > "$TEST_CARD_DIR/beats" || exit 3
                "$BIN/metronome" 240 --accent 3 --bars 2 -r 48000 --render "$TEST_CARD_DIR/click.wav" || exit 4
                """, in: folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let played = try floats(folder.appending(path: "out.raw"))
            let rendered = try samples(of: folder.appending(path: "click.wav").path())
            try #require(rendered.contains { abs($0) > 0.1 }, "the rendered track is not silent")
            // The card is given silence first, until its buffer is full; the track begins at the first click.
            let first = try #require(played.firstIndex { $0 != 0 }) / 2
            let start = first - (try #require(rendered.firstIndex { $0 != 0 }))
            let frames = min(rendered.count, played.count / 2 - start)
            var different = 0
            for n in 0..<frames
            where played[2 * (start + n)] != rendered[n] || played[2 * (start + n) + 1] != rendered[n] {
                different += 1
            }
            print("test card: \(frames) frames played and rendered, \(different) of them different")
            // Two bars of three beats at 240 are a second and a half.
            #expect(frames >= 60_000)
            #expect(different == 0)
        }
    }

    @Test(arguments: ["INT", "TERM"])
    func `A tuner that waits for input that never comes, or for a reader, still ends on a signal`(
        _ signal: String
    ) throws {
        try withTemporaryFolder { folder in
            let sample = repository.appending(path: "samples/cello-c2.flac").path()
            let outcome = try BuiltCommand(shell: ()).run(
                [
                    "-c",
                    """
                    cd "$1"; mkfifo in out; sleep 30 > in & sleep 30 < out & exec 4<>out
                    "$0" - < in & reading=$!
                    "$0" --json "$2" "$2" "$2" "$2" > out & writing=$!
                    sleep 2
                    kill -\(signal) $reading $writing
                    wait $reading; echo $?
                    wait $writing; echo $?
                    kill %1 %2
                    """, BuiltCommand("tuner").executable.path(), folder.path(), sample,
                ], limit: 20)
            let status = signal == "INT" ? "130" : "143"
            #expect(outcome.lines == [Substring(status), Substring(status)], "\(outcome.errors)")
        }
    }
}
