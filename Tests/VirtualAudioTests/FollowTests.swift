import Foundation
import TestCommands
import TestSignals
import Testing

/// `metronome --follow`: loudspeaker, room, player and microphone, in simulated time.
@Suite struct FollowTests {
    /// A loop in the air: 10 ms of it, of which the devices know nothing.
    private static let settings = "loop 1 format FLOAT_LE hidden 480 room @/room.raw player @/player.raw"
    private static let rate = 48_000.0

    /// Writes a room, and a player who plays at these seconds.
    private func begin(_ notes: [Double], seconds: Double, seed: UInt64, in folder: URL) throws {
        var random = SeededGenerator(seed: seed)
        var samples = whiteNoise(count: Int(seconds * Self.rate), rms: 3e-4, using: &random)
        addPlucks(
            at: notes.map { $0 * Self.rate }, to: &samples, sampleRate: Self.rate, amplitude: 0.3, using: &random)
        try samples.withUnsafeBytes { try Data($0).write(to: folder.appending(path: "player.raw")) }
        var response = [Float](repeating: 0, count: Int(0.25 * Self.rate))
        response[0] = 0.7
        for _ in 0..<60 {
            let delay = Double.random(in: 0.002...0.24, using: &random)
            response[Int(delay * Self.rate)] += Float(0.2 * random.normal() * pow(10, -3 * delay / 0.3))
        }
        try response.withUnsafeBytes { try Data($0).write(to: folder.appending(path: "room.raw")) }
    }

    /// Follows for some seconds; the beats told, without the summary.
    private func follow(_ card: SimulatedCard, _ words: [String], seconds: Int) throws -> [[String: Any]] {
        let outcome = try card.command(
            "metronome", words + ["--follow", "--for", "\(seconds)s", "--json", "-D", "mine", "--input", "mine"],
            inTurns: true, turn: 1_000,
            environment: ["XDG_DATA_HOME": card.folder.appending(path: "data").path()])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try outcome.lines.compactMap {
            let object = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            return object?["summary"] == nil ? object : nil
        }
    }

    private func calibrate(_ card: SimulatedCard) throws {
        let calibrated = try card.command(
            "metronome", ["calibrate", "latency", "--clicks", "8", "-D", "mine", "--input", "mine"], inTurns: true,
            turn: 1_000, environment: ["XDG_DATA_HOME": card.folder.appending(path: "data").path()])
        try #require(calibrated.status == 0, "\(calibrated.errors)")
    }

    @Test func `Through loudspeaker, room and microphone it starts on the fifth note and keeps with the player`() throws
    {
        try SimulatedCard.run(Self.settings) { card in
            let seed: UInt64 = 1_801
            print("a player of seed \(seed)")
            var random = SeededGenerator(seed: seed)
            // 8 s at 100, then 2 s of 2 BPM/s: 104; it is the beats that are told, so the notes scatter by 4 ms.
            let steady = (0..<40).map { 2 + 0.6 * Double($0) }
            let notes = steady.map { $0 + 0.004 * random.normal() }
            try begin([0.5], seconds: 4, seed: seed, in: card.folder)
            try calibrate(card)
            try begin(notes, seconds: 30, seed: seed, in: card.folder)
            let beats = try follow(card, ["--accent", "4"], seconds: 26)
            let first = try #require(beats.first)
            #expect(first["bar"] as? Int == 1 && first["beat"] as? Int == 1)
            // The first click is unknown to the canceller and may hide a note.
            #expect(beats.count >= 34, "\(beats.count)")
            let times = beats.compactMap { $0["time_s"] as? Double }
            let intervals = zip(times, times.dropFirst()).map { $1 - $0 }
            for (interval, next) in zip(intervals, intervals.dropFirst()) {
                #expect(abs(next - interval) < 0.03 * interval + 1e-4)
            }
            let late = beats.compactMap { $0["late_ms"] as? Double }
            #expect(late.count >= 26, "\(late.count) of \(beats.count) beats have a note")
            let mean = late.reduce(0, +) / Double(max(1, late.count))
            print("\(beats.count) beats, \(late.count) with a note, mean lateness \(mean) ms")
            // The standard error of the player's scatter about the click, some 7 ms, over so many beats, three times.
            #expect(abs(mean) < 4)
            for beat in beats.dropFirst(8) { #expect(abs((beat["bpm"] as? Double ?? 0) - 100) < 3) }
        }
    }

    @Test func `When the player stops it goes on for four bars, does not follow itself, and waits`() throws {
        try SimulatedCard.run(Self.settings) { card in
            let notes = (0..<12).map { 1 + 0.5 * Double($0) }
            try begin(notes, seconds: 40, seed: 1_802, in: card.folder)
            let beats = try follow(card, ["--meter", "2/4", "--accent", "2"], seconds: 30)
            // Clicks 5 to 12 with the player, and four bars of two alone. The canceller has learnt the player's notes with the
            // clicks: of 96 such players, with the room and the scatter of the clock at random, it heard 2 or 3 notes of
            // nobody after most, and 5 at most; each begins the four bars anew. Eight would be four of each sound.
            print("\(beats.count) beats")
            #expect((14...24).contains(beats.count), "\(beats)")
            #expect(beats.last?["silent_beats"] as? Int == 8)
            for beat in beats { #expect(abs((beat["bpm"] as? Double ?? 0) - 120) < 2) }
        }
    }

    @Test func `What leaves the player no lead is a usage error`() throws {
        for (words, told) in [
            (["--follow", "--step", "+5/4b..160", "100"], "--step"), (["80..160/8b", "--follow"], "one tempo"),
            (["120", "--follow", "--gap", "3:1"], "--gap"), (["120", "--follow", "--listen"], "--listen"),
            (["120", "--follow", "--render", "x.wav"], "--render"), (["120", "--follow", "--bars", "4"], "--bars"),
            (["20", "--follow"], "30 to 320"), (["--follow", "--sound", "voice"], "no two words"),
            (["120", "--follow", "--poly", "3:4"], "--poly"), (["8 3/4 120", "--follow"], "numbers of bars"),
        ] {
            let outcome = try BuiltCommand("metronome").run(words)
            #expect(outcome.status == 2 && outcome.errors.contains(told), "\(words): \(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count <= 2, "\(outcome.errors)")
        }
    }
}
