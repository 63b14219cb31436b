import Foundation
import TestCommands
import Testing

/// Long runs on the test card in simulated time (Tests/Rigs/test_clock.c): real streams on real alsa-lib, where a day passes
/// in seconds.
@Suite(.timeLimit(.minutes(10))) struct SimulatedTimeTests {
    /// The numbers behind the words of a line of `stream-probe soak`.
    private func soak(_ arguments: String) throws -> (line: [String: Double], read: [Double]) {
        let script = repository.appending(path: "Tests/Rigs/test-card.sh").path()
        let probe = BuiltCommand("stream-probe").executable.path()
        let shell = try BuiltCommand(shell: ()).run(
            ["-c", "'\(script)' simulate '\(probe)' soak \(arguments)"], limit: 300)
        try #require(shell.status == 0, "\(shell.errors)")
        print("soak \(arguments): \(shell.output)", terminator: "")
        let words = try #require(shell.lines.first).split(separator: " ")
        var line: [String: Double] = [:]
        for (word, value) in zip(words, words.dropFirst()) {
            if let number = Double(value), line[String(word)] == nil { line[String(word)] = number }
        }
        // "pages BEFORE AFTER": the second number has no word of its own.
        if let at = words.firstIndex(of: "pages"), at + 2 < words.count { line["pagesAfter"] = Double(words[at + 2]) }
        let read = shell.lines.dropFirst().first { $0.hasPrefix("read") }
        return (line, read?.split(separator: " ").compactMap { Double($0) } ?? [])
    }

    /// The card's crystal is off by a known number and wakes the program up to 0.3 ms late, as a busy machine does.
    @Test(arguments: [("plus200", 200.0), ("minus50", -50.0), ("plus7", 7.0), ("simulated", 0.0)])
    func `A minute of sound tells how fast a card runs to a fraction of a ppm`(device: String, truth: Double) throws {
        for direction in ["", "--capture"] {
            let (line, _) = try soak("--device \(device) --seconds 60 --rate 48000 --period 512 \(direction)")
            let (ppm, scatter) = (try #require(line["ppm"]), try #require(line["+-"]))
            #expect(abs(ppm - truth) < 1, "what calibration asks for")
            // What this card allows: its position is a whole number of frames. Simulated time goes on while the machine stalls:
            // frames may be dropped because the reader stood still, and the measurement begins anew after them.
            let isWhole = line["dropped"] == 0
            #expect(abs(ppm - truth) < (isWhole ? 0.05 : max(0.05, 4 * scatter)) && (scatter < 0.05 || !isWhole))
        }
    }

    @Test func `A day of playing leaks nothing, counts every frame and keeps its place through an xrun an hour`() throws
    {
        let (line, _) = try soak("--device hourly --seconds \(24 * 3_600 + 60)")
        let (frames, xruns) = (try #require(line["frames"]), try #require(line["xruns"]))
        #expect(frames >= 24 * 3_600 * 8_000)
        // One for every 28,800,000 frames, which is an hour at 8 kHz.
        #expect(xruns == (frames / 28_800_000).rounded(.down))
        // Each throws a full buffer of 8,192 frames away; one of them had room for a few more.
        let lost = try #require(line["lost"])
        #expect(abs(lost - xruns * 8_192) < xruns * 64)
        #expect(line["dropped"] == 0 && line["reopenings"] == 0 && line["discontinuities"] == 0)
        #expect(abs(try #require(line["off"])) < 8, "a millisecond in a day, after all corrections")
        try expectFlatMemory(line)
    }

    /// A reader in a debug build takes two minutes for a day, so it runs for four hours.
    @Test func `A day of listening leaks nothing, and every frame is read or counted as lost`() throws {
        let isRelease = ProcessInfo.processInfo.environment["WELL_TEMPERED_BIN"] != nil
        let hours = isRelease ? 24.0 : 4
        let (line, read) = try soak("--device hourly --capture --seconds \(hours * 3_600 + 60)")
        let (frames, xruns) = (try #require(line["frames"]), try #require(line["xruns"]))
        #expect(frames >= hours * 28_800_000)
        #expect(xruns == ((frames - 1) / 28_800_000).rounded(.down))
        try #require(read.count == 2)
        #expect(read[0] + (line["dropped"] ?? .nan) == frames)
        #expect(read[1] >= xruns)
        #expect(line["reopenings"] == 0)
        #expect(abs(try #require(line["off"])) < 8, "a millisecond in a day: what is lost is counted to the frame")
        try expectFlatMemory(line)
    }

    /// In turn an xrun, a suspend, a broken device, an unplugged one, and half a second whose frames vanish, on a card that is
    /// fast by 500 ppm. `make soak` runs the same for 30 days.
    @Test(arguments: ["", "--capture"])
    func `Two hours with a fault in each minute leak nothing, and every frame is accounted for`(direction: String)
        throws
    {
        let (line, read) = try soak("--device minutely --seconds 7200 --ppm 500 \(direction)")
        let frames = try #require(line["frames"])
        #expect(frames >= 7_200 * 8_000)
        // 480,000 frames between two of them; five kinds in turn.
        let faults = (frames / 480_000).rounded(.down)
        let told = ["xruns", "suspensions", "reopenings", "discontinuities"].map { line[$0] ?? .nan }
        #expect(told[1] >= (faults / 5).rounded(.down) - 1, "\(line)")
        #expect(told[0] >= (faults / 5).rounded(.down) - 1, "\(line)")
        #expect(told[2] >= 2 * (faults / 5).rounded(.down) - 2, "\(line)")
        #expect(told[3] >= (faults / 5).rounded(.down) - 1, "\(line)")
        if direction != "" {
            try #require(read.count == 2)
            #expect(read[0] + (line["dropped"] ?? .nan) == frames && read[1] >= faults - 1)
        }
        // What was learnt of the crystal before each fault counts on, wherever the end falls.
        let (ppm, scatter) = (try #require(line["ppm"]), try #require(line["+-"]))
        #expect(abs(ppm - 500) < max(0.05, 4 * scatter) && scatter < 0.05, "\(ppm) +- \(scatter)")
        // A stream that has stopped has fewer than one that runs.
        #expect(try #require(line["files"]) <= 0, "no handle is left open")
        try expectFlatMemory(line)
    }

    /// A second after its 16th fault the stream has nothing else to go by than what it knew.
    @Test(arguments: [958, 960, 962])
    func `A fault does not make a stream forget its card's crystal`(seconds: Int) throws {
        let (line, _) = try soak("--device minutely --seconds \(seconds) --ppm 500 --capture")
        let (ppm, scatter) = (try #require(line["ppm"], "no rate"), try #require(line["+-"]))
        #expect(abs(ppm - 500) < max(0.05, 4 * scatter) && scatter < 0.05, "\(ppm) +- \(scatter)")
    }

    private func expectFlatMemory(_ line: [String: Double]) throws {
        let (before, after) = (try #require(line["pages"]), try #require(line["pagesAfter"]))
        // Half a megabyte: what stopping a stream and printing the line take. A leak of one byte a period would be 0.7 MB.
        #expect(after - before < 128, "\(before) pages after six hours, \(after) at the end")
    }
}
