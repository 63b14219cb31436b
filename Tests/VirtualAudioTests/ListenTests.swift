import Foundation
import TestCommands
import TestSignals
import Testing

/// Somebody who plays along with the metronome in a room, on the card that hears itself.
private struct Player {
    static let rate = 48_000.0
    /// In seconds.
    var late: [Double] = []
    private var samples: [Float]
    private var random: SeededGenerator

    init(seconds: Double, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        samples = whiteNoise(count: Int(seconds * Self.rate), rms: 3e-4, using: &random)
    }

    /// Plays at these seconds from the first click, each so much later.
    mutating func play(at times: [Double], late: (Int, inout SeededGenerator) -> Double) {
        let delays = times.indices.map { late($0, &random) }
        self.late += delays
        addPlucks(
            at: zip(times, delays).map { ($0 + $1) * Self.rate }, to: &samples, sampleRate: Self.rate,
            amplitude: 0.3, using: &random)
    }

    mutating func begin(in folder: URL) throws {
        try samples.withUnsafeBytes { try Data($0).write(to: folder.appending(path: "player.raw")) }
    }

    /// The direct sound, and echoes that fall by 60 dB in 0.3 s.
    mutating func furnish(_ folder: URL) throws {
        var response = [Float](repeating: 0, count: Int(0.25 * Self.rate))
        response[0] = 0.7
        for _ in 0..<60 {
            let delay = Double.random(in: 0.002...0.24, using: &random)
            response[Int(delay * Self.rate)] += Float(0.2 * random.normal() * pow(10, -3 * delay / 0.3))
        }
        try response.withUnsafeBytes { try Data($0).write(to: folder.appending(path: "room.raw")) }
    }

    var mean: Double { late.reduce(0, +) / Double(late.count) }

    var spread: Double {
        (late.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(late.count - 1)).squareRoot()
    }
}

/// `metronome --listen`: loudspeaker, room, player and microphone, in simulated time.
@Suite struct ListenTests {
    /// A loop in the air: 10 ms of it, of which the devices know nothing.
    private static let settings = "loop 1 format FLOAT_LE hidden 480 room @/room.raw player @/player.raw"

    private func listen(
        _ card: SimulatedCard, _ words: [String]
    ) throws -> (notes: [[String: Any]], summary: [String: Any], errors: String) {
        let outcome = try card.command(
            "metronome", words + ["--listen", "--json", "-D", "mine", "--input", "mine"], inTurns: true, turn: 1_000,
            environment: ["XDG_DATA_HOME": card.folder.appending(path: "data").path()])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let objects = try outcome.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let summary = try #require(objects.last?["summary"] as? [String: Any])
        return (objects.dropLast(), summary, outcome.errors)
    }

    @Test func `Through loudspeaker, room and microphone the mean lateness is told within half a millisecond`() throws {
        try SimulatedCard.run(Self.settings) { card in
            var player = Player(seconds: 30, seed: 1_701)
            try player.furnish(card.folder)
            let calibrated = try card.command(
                "metronome", ["calibrate", "latency", "--clicks", "8", "-D", "mine", "--input", "mine"], inTurns: true,
                turn: 1_000)
            try #require(calibrated.status == 0, "\(calibrated.errors)")
            // After two bars of the count-in.
            player.play(at: (8..<56).map { Double($0) * 0.5 }) { _, random in 0.009 + 0.005 * random.normal() }
            try player.begin(in: card.folder)
            let plot = card.folder.appending(path: "take.svg").path()
            let (notes, summary, _) = try listen(
                card, ["120", "--accent", "4", "--bars", "12", "--log", "--plot", plot])
            #expect(summary["absolute"] as? Bool == true)
            try #require(notes.count == 48, "\(notes.count) of 48")
            let told = try #require(summary["mean_ms"] as? Double)
            print("told \(told) ms, true \(1_000 * player.mean) ms, \(notes.count) of 48 notes")
            #expect(abs(told - 1_000 * player.mean) < 0.5, "told \(told), true \(1_000 * player.mean)")
            let spread = try #require(summary["spread_ms"] as? Double)
            #expect(abs(spread - 1_000 * player.spread) < 0.5, "told \(spread), true \(1_000 * player.spread)")
            #expect(try String(contentsOfFile: plot, encoding: .utf8).contains(">beat 4<"))
            // The row of the practice log has the same figures.
            let log = try card.command(
                "metronome", ["log", "--export", "json"],
                environment: ["XDG_DATA_HOME": card.folder.appending(path: "data").path()])
            let line = try #require(log.lines.last)
            let row = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(abs((row["mean_ms"] as? Double ?? .nan) - told) < 0.01)
            #expect(abs((row["spread_ms"] as? Double ?? .nan) - spread) < 0.01)
        }
    }

    @Test func `Without a calibrated latency it says so, and tells spread, tendency and muted bars`() throws {
        try SimulatedCard.run(Self.settings) { card in
            var player = Player(seconds: 30, seed: 1_702)
            try player.furnish(card.folder)
            // Bars 3 and 4 of four are muted, and there the player slows down by 2 ms a beat.
            player.play(at: (8..<40).map { Double($0) * 0.5 }) { index, random in
                index % 16 < 8 ? 0.002 * random.normal() : 0.002 * Double(index % 16 - 7)
            }
            try player.begin(in: card.folder)
            let (notes, summary, errors) = try listen(
                card, ["120", "--accent", "4", "--bars", "8", "--gap", "2:2"])
            #expect(errors.contains("is not calibrated"))
            #expect(summary["absolute"] as? Bool == false && summary["mean_ms"] == nil)
            #expect(notes.count >= 30)
            let runs = try #require(summary["muted_runs"] as? [[String: Any]])
            #expect(runs.count == 2)
            for run in runs {
                // The mean of 16 notes at heard beats is known to half a millisecond.
                #expect(abs((run["late_at_end_ms"] as? Double ?? .nan) - 16) < 2, "\(run)")
            }
        }
    }

    @Test func `A speed trainer raises the tempo only when the last bars were even enough`() throws {
        try SimulatedCard.run(Self.settings) { card in
            var player = Player(seconds: 40, seed: 1_703)
            try player.furnish(card.folder)
            // At 100: two bars unevenly, the same again evenly; then at 120.
            player.play(at: (8..<16).map { Double($0) * 0.6 }) { index, _ in index % 2 == 0 ? -0.03 : 0.03 }
            player.play(at: (16..<24).map { Double($0) * 0.6 }) { _, random in 0.002 * random.normal() }
            player.play(at: (0..<8).map { 24 * 0.6 + Double($0) * 0.5 }) { _, random in 0.002 * random.normal() }
            try player.begin(in: card.folder)
            let outcome = try card.command(
                "metronome",
                [
                    "100", "--accent", "4", "--step", "+20/2b..120", "--until", "10ms", "--bars", "4", "--listen",
                    "--csv", "-", "-D", "mine", "--input", "mine",
                ], inTurns: true, turn: 1_000)
            try #require(outcome.status == 0, "\(outcome.errors)")
            let bars = outcome.lines.dropFirst().map { $0.split(separator: ",")[1] }
            var order: [Substring] = []
            for bar in bars where order.last != bar { order.append(bar) }
            #expect(order == ["1", "2", "1", "2", "3", "4"], "\(order)")
        }
    }

    @Test func `An even section ends after its first round`() throws {
        try SimulatedCard.run(Self.settings) { card in
            var player = Player(seconds: 20, seed: 1_704)
            try player.furnish(card.folder)
            player.play(at: (8..<24).map { Double($0) * 0.5 }) { _, random in 0.004 * random.normal() }
            try player.begin(in: card.folder)
            let outcome = try card.command(
                "metronome",
                [
                    "120", "--accent", "4", "--bars", "4", "--until", "10ms", "--listen", "-D", "mine", "--input",
                    "mine",
                ], inTurns: true, turn: 1_000)
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("round 1: spread") && outcome.errors.contains("below 10.0 ms: done"))
            #expect(outcome.output.contains("16 at a beat, 0 missed, 0 extra"), "\(outcome.output)")
        }
    }

    @Test func `An echo canceller is noticed by what it does to the click, and an honest path is not`() throws {
        for (fading, isTold) in [("fading 4", true), ("", false)] {
            try SimulatedCard.run(Self.settings + " " + fading) { card in
                var player = Player(seconds: 8, seed: 1_705)
                try player.furnish(card.folder)
                try player.begin(in: card.folder)
                let outcome = try card.command(
                    "metronome", ["120", "--bars", "2", "--listen", "-D", "mine", "--input", "mine"], inTurns: true,
                    turn: 1_000)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("dB softer to \"mine\" in the count-in") == isTold, "\(outcome.errors)")
            }
        }
    }

    @Test func `What listening excludes is a usage error`() throws {
        for (words, told) in [
            (["120", "--until", "10ms"], "--until needs --listen"), (["120", "--headphones"], "needs --listen"),
            (["120", "--listen", "--until", "soon", "--bars", "4"], "--until 'soon'"),
            (["120", "--listen", "--until", "10ms"], "has no end"), (["120", "--listen", "--verify"], "--verify"),
            (["120", "--listen", "--sound", "voice"], "no two words"), (["120", "--listen", "--dry-run"], "--dry-run"),
        ] {
            let outcome = try BuiltCommand("metronome").run(words)
            #expect(outcome.status == 2 && outcome.errors.contains(told), "\(words): \(outcome.errors)")
        }
    }
}
