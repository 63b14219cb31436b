import Foundation
import TestCommands
import Testing

/// The built commands on the card inside the process, in simulated time: real alsa-lib, no server, every byte known.
@Suite struct CardTests {
    private func floats(_ url: URL) throws -> [Float] {
        let data = try Data(contentsOf: url)
        return data.withUnsafeBytes { bytes in
            (0..<data.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    @Test func `The tuner reads a known tone from the card`() throws {
        try SimulatedCard.run("format FLOAT_LE infile \"@/in.raw\"") { card in
            // 442 Hz in both channels, two seconds.
            let tone = (0..<96_000).map { Float(0.5 * sin(2 * Double.pi * 442 * Double($0) / 48_000)) }
            try tone.flatMap { [$0, $0] }.withUnsafeBytes { Data($0) }
                .write(to: card.folder.appending(path: "in.raw"))
            let outcome = try card.command(
                "tuner", ["--json", "-d", "1.5", "-r", "48000", "-c", "2", "-D", "mine"], inTurns: true)
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
            // 1.2 s at one reading per 256 frames are 225.
            #expect(count > 200)
            // Rounding to floats is -150 dB: a hundredth of a cent is a hundred times what it can do.
            #expect(worst < 0.01)
        }
    }

    @Test(arguments: [("240 --accent 3 --bars 2", 60_000), ("97.3 --accent 4 --for 30s", 1_440_000)])
    func `What the metronome plays is bit for bit what it renders, on the exact grid`(
        _ plan: String, least: Int
    ) throws {
        try SimulatedCard.run("format FLOAT_LE channels 2 outfile \"@/out.raw\"") { card in
            let words = plan.split(separator: " ").map(String.init) + ["-r", "48000"]
            let outcome = try card.command("metronome", words + ["-D", "mine"], inTurns: true)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let file = card.folder.appending(path: "click.wav").path()
            let track = try BuiltCommand("metronome").run(words + ["--render", file])
            #expect(track.status == 0, "\(track.errors)")
            let played = try floats(card.folder.appending(path: "out.raw"))
            let rendered = try samples(of: file)
            try #require(rendered.contains { abs($0) > 0.1 }, "the rendered track is not silent")
            // The card is given silence first, until its buffer is full; the track begins at the first click.
            let first = try #require(played.firstIndex { $0 != 0 }) / 2
            let start = first - (try #require(rendered.firstIndex { $0 != 0 }))
            let frames = min(rendered.count, played.count / 2 - start)
            let different = (0..<frames).count {
                played[2 * (start + $0)] != rendered[$0] || played[2 * (start + $0) + 1] != rendered[$0]
            }
            print("test card: \(frames) frames played and rendered, \(different) of them different")
            #expect(frames >= least)
            #expect(different == 0)
            guard plan.hasPrefix("97.3") else { return }
            let onsets = try clickOnsets(file)
            // Beat k at round(k * 60 * 48000 / 97.3), in integers: k * 28,800,000 / 973 with the half added.
            for (k, onset) in onsets.enumerated() {
                let exact = (2 * k * 28_800_000 + 973) / (2 * 973)
                #expect(abs(onset - exact - onsets[0]) <= 1, "the rendered track itself lies on the grid")
            }
            #expect(onsets.count == 49, "half a minute of 97.3 a minute")
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
