import Foundation
import TestCommands
import Testing

/// The first frame of each sound that follows 20 ms of silence.
func onsets(_ samples: [Float], sampleRate: Int) -> [Int] {
    var quiet = sampleRate
    var onsets: [Int] = []
    for (frame, sample) in samples.enumerated() {
        if sample == 0 {
            quiet += 1
        } else {
            if quiet > sampleRate / 50 { onsets.append(frame) }
            quiet = 0
        }
    }
    return onsets
}

@Suite struct RenderTests {
    private let metronome = BuiltCommand("metronome")

    @Test func `Ten minutes at 97.3 beats per minute come out with every click on its exact frame`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.wav").path()
            let outcome = try metronome.run(["97.3", "--accent", "4", "--render", file, "--for", "10m", "-r", "44100"])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            let samples = try samples(of: file)
            #expect(samples.count == 26_460_000)
            // round(k · 60 · 44,100 / 97.3) in integers: k · 26,460,000 / 973 with the half added.
            let exact = (0..<973).map { k in (2 * k * 26_460_000 + 973) / (2 * 973) }
            let found = onsets(samples, sampleRate: 44_100)
            let misplaced = zip(found, exact).count { $0 != $1 } + abs(found.count - exact.count)
            print("97.3 BPM, 10 minutes at 44,100 Hz: \(found.count) clicks, \(misplaced) misplaced")
            #expect(misplaced == 0)
        }
    }

    @Test(arguments: ["click.flac", "click.ogg", "click.mp3", "click.wav"])
    func `The ending of the name chooses the format`(name: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: name).path()
            let outcome = try metronome.run(["120", "--bars", "2", "--render", file, "-c", "2", "-v"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("8 beats"))
            let samples = try samples(of: file)
            // An MP3 may be longer by what its blocks are filled up with.
            #expect(samples.count >= 192_000 && samples.count < 196_000)
            #expect((samples.map(abs).max() ?? 0) > 0.3)
        }
    }

    @Test func `The bits of a sample can be chosen where the format has a choice`() throws {
        try withTemporaryFolder { folder in
            for (name, bits, size) in [("a.wav", 16, 192_044), ("b.wav", 24, 288_044), ("c.wav", 32, 384_044)] {
                let file = folder.appending(path: name).path()
                #expect(try metronome.run(["120", "--bars", "1", "--render", file, "--bits", "\(bits)"]).status == 0)
                let bytes = try Data(contentsOf: URL(filePath: file)).count
                // 96,000 frames and a header, which is up to 56 bytes longer than the shortest.
                #expect(bytes >= size && bytes < size + 57)
            }
            let flac = folder.appending(path: "d.flac").path()
            let refused = try metronome.run(["120", "--render", flac, "--bits", "32"])
            #expect(refused.status == 2 && refused.errors.contains("--bits 32"))
        }
    }

    @Test func `Without a length a minute is written`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.wav").path()
            #expect(try metronome.run(["60", "--render", file]).status == 0)
            let samples = try samples(of: file)
            #expect(samples.count == 60 * 48_000)
            #expect(onsets(samples, sampleRate: 48_000).count == 60)
        }
    }

    @Test func `A render from the middle is as long as was asked`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "click.wav").path()
            #expect(try metronome.run(["120", "--from", "101", "--for", "3s", "--render", file]).status == 0)
            let samples = try samples(of: file)
            #expect(samples.count == 144_000)
            #expect(onsets(samples, sampleRate: 48_000) == (0..<6).map { $0 * 24_000 })
        }
    }

    @Test func `Standard output gets the same samples as a file, and may be closed early`() throws {
        try withTemporaryFolder { folder in
            let (file, stream) = (folder.appending(path: "a.wav").path(), folder.appending(path: "b.wav").path())
            #expect(try metronome.run(["97.3", "--bars", "8", "--render", file]).status == 0)
            let shell = BuiltCommand(shell: ())
            let command = metronome.executable.path()
            let piped = try shell.run([
                "-c", "'\(command)' 97.3 --bars 8 --render - | cat > '\(stream)'; exit ${PIPESTATUS[0]}",
            ])
            #expect(piped.status == 0 && piped.errors.isEmpty)
            let (whole, same) = (try samples(of: file), try samples(of: stream))
            #expect(whole == same && whole.count > 900_000)
            let closed = try shell.run([
                "-c", "'\(command)' 120 --for 1h --render - | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}",
            ])
            #expect(closed.status == 0 && closed.errors.isEmpty)
        }
    }
}
