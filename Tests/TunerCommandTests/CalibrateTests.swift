import Foundation
import TestCommands
import TestSignals
import Testing

/// `tuner calibrate` on cards with known errors, in simulated time.
@Suite(.serialized) struct CalibrateTests {
    private func objects(_ outcome: BuiltCommand.Outcome) throws -> [[String: Any]] {
        try outcome.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    /// The worst distance from 440 Hz of what the tuner reads, in cents.
    private func worst(_ card: SimulatedCard, _ options: [String]) throws -> (cents: Double, shown: Double) {
        let outcome = try card.command(
            "tuner", ["-D", "mine", "-r", "48000", "-c", "1", "-d", "1.2", "--json"] + options, inTurns: true,
            limit: 300)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let readings = try objects(outcome).filter { ($0["time_s"] as? Double ?? 0) > 0.4 && $0["hz"] is Double }
        try #require(readings.count > 50, "a tone is heard: \(readings.count) readings")
        let errors = readings.compactMap { ($0["hz"] as? Double).map { 1_200 * log2($0 / 440) } }
        let shown = readings.compactMap { $0["cents"] as? Double }
        let worst = { (values: [Double]) in values.max { abs($0) < abs($1) } ?? .nan }
        return (worst(errors), worst(shown))
    }

    @Test(arguments: [200.0, -50, 7])
    func `A minute or less measures a card's error to 1 ppm, and the tuner then reads 440 Hz`(ppm: Double) throws {
        try SimulatedCard.run("ppm \(Int(ppm)) infile \"@/in.raw\"") { card in
            let calibrated = try card.command(
                "tuner", ["calibrate", "-D", "mine", "-r", "48", "--json"], inTurns: true)
            #expect(calibrated.status == 0, "\(calibrated.errors)")
            let lines = try objects(calibrated)
            let result = try #require(lines.last)
            let found = try #require(result["ppm"] as? Double)
            let seconds = try #require(result["seconds"] as? Double)
            print("card of \(ppm) ppm: found \(found) ± \(result["standard_error_ppm"] ?? "?") in \(seconds) s")
            #expect(abs(found - ppm) < 1, "what calibration asks for")
            #expect(abs(found - ppm) < 0.3, "six times the standard error of ten seconds on this card")
            #expect(seconds <= 60 && seconds >= 10)
            #expect(lines.count >= 8, "a line a second")

            // 440 Hz in the air: a card that is fast takes more samples of each period.
            let tone = sine(frequency: 440 / (1 + ppm * 1e-6), sampleRate: 48_000, count: 144_000, amplitude: 0.5)
            try tone.withUnsafeBytes { Data($0) }.write(to: card.folder.appending(path: "in.raw"))
            let (cents, shown) = try worst(card, [])
            print("440 Hz through that card: worst \(cents) c, shown \(shown) c")
            #expect(abs(cents) < 0.01 && abs(shown) < 0.01)

            // An option goes over what was measured: with 0 the card's error is there again, in cents.
            let error = 1_200 * log2(1 / (1 + ppm * 1e-6))
            let (raw, _) = try worst(card, ["--clock", "0"])
            #expect(abs(raw - error) < 0.01, "\(raw) c for \(error) c")
            let other = try card.command(
                "tuner", ["calibrate", "--show"], environment: ["XDG_STATE_HOME": "/nonexistent"])
            #expect(other.output == "no device has been calibrated yet\n")
        }
    }

    @Test func `A measurement is shown, reported under --verbose, and removed`() throws {
        try SimulatedCard.run("ppm -50") { card in
            _ = try card.command("tuner", ["calibrate", "-D", "mine"], inTurns: true)
            let shown = try card.command("tuner", ["calibrate", "--show"])
            #expect(shown.output.hasPrefix("\"mine\", listening at 48000 Hz, runs "), "\(shown.output)")
            #expect(shown.output.contains(" ppm slow ± 0."), "\(shown.output)")
            let verbose = try card.command("tuner", ["-D", "mine", "-d", "0.2", "--verbose"], inTurns: true)
            #expect(verbose.errors.contains("ppm slow") && verbose.errors.contains("): applied"), "\(verbose.errors)")
            // The end that plays has not been measured.
            let metronome = try card.command(
                "metronome", ["240", "--bars", "1", "-D", "mine", "--verbose"])
            #expect(metronome.errors.contains("\"mine\" is not calibrated"), "\(metronome.errors)")
            let forgotten = try card.command("tuner", ["calibrate", "--forget", "-D", "mine"])
            #expect(forgotten.output == "\"mine\": 1 calibration removed\n")
            #expect(try card.command("tuner", ["calibrate", "--show"]).output == "no device has been calibrated yet\n")
        }
    }

    @Test func `A result that cannot be stored is printed all the same`() throws {
        try SimulatedCard.run("ppm -50") { card in
            for options in [[], ["--json"]] {
                let outcome = try card.command(
                    "tuner", ["calibrate", "-D", "mine"] + options, inTurns: true,
                    environment: ["XDG_STATE_HOME": "/proc/nowhere"])
                #expect(outcome.status == 73 && outcome.errors.contains("/proc/nowhere"), "\(outcome)")
                let found: Double?
                if options.isEmpty {
                    let said = outcome.output.firstMatch(of: /"mine", listening at 48000 Hz, runs ([0-9.]+) ppm slow/)
                    found = said.flatMap { Double($0.1) }.map { -$0 }
                } else {
                    found = try objects(outcome).last?["ppm"] as? Double
                }
                // Six times the standard error of ten seconds on this card.
                #expect(abs((found ?? .nan) + 50) < 0.3, "\(outcome.output)")
                #expect(!outcome.output.contains("stored"), "\(outcome.output)")
            }
        }
    }

    /// What one press of Ctrl-C too early leaves must not take the place of a good measurement.
    @Test func `Interrupted, it keeps nothing`() throws {
        try SimulatedCard.run("ppm 7") { card in
            _ = try card.command("tuner", ["calibrate", "-D", "mine"], inTurns: true)
            let before = try card.command("tuner", ["calibrate", "--show"]).output
            #expect(before.contains("\"mine\""))
            let script = "\"$0\" calibrate -D mine --precision 0.001 & sleep 0.5; kill -INT $!; wait $!"
            let outcome = try card.shell(script, with: "tuner", inTurns: true)
            #expect(outcome.status == 130 && outcome.errors.contains("nothing is stored"), "\(outcome)")
            #expect(try card.command("tuner", ["calibrate", "--show"]).output == before)
        }
    }

    /// Fifty times as fast as it says: its clock is not the one that its frames are counted by.
    @Test func `A device that is no card's is not measured`() throws {
        try SimulatedCard.run("speed 50") { card in
            let outcome = try card.command("tuner", ["calibrate", "-D", "mine", "--for", "5"], inTurns: true)
            #expect(outcome.status == 69 && outcome.errors.contains("nothing is stored"), "\(outcome)")
            #expect(try card.command("tuner", ["calibrate", "--show"]).output == "no device has been calibrated yet\n")
        }
    }

    @Test func `The environment goes over what was measured, an option over that`() throws {
        try SimulatedCard.run("infile \"@/in.raw\"") { card in
            let tone = sine(frequency: 440, sampleRate: 48_000, count: 144_000, amplitude: 0.5)
            try tone.withUnsafeBytes { Data($0) }.write(to: card.folder.appending(path: "in.raw"))
            func cents(_ words: [String], _ environment: [String: String]) throws -> Double {
                let outcome = try card.command(
                    "tuner", ["-D", "mine", "-r", "48000", "-c", "1", "-d", "0.8", "--csv"] + words,
                    inTurns: true, environment: environment)
                let rows = outcome.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
                let column = try #require(rows.first?.firstIndex(of: "cents"))
                return try #require(rows.last.flatMap { Double($0[column]) })
            }
            #expect(abs(try cents([], ["TUNER_CLOCK": "1000"]) - 1.730) < 0.01)
            #expect(abs(try cents(["--clock", "-1000"], ["TUNER_CLOCK": "1000"]) + 1.732) < 0.01)
        }
    }

    @Test(arguments: [
        (["--precision", "0"], 2, "--precision"), (["--for", "1"], 2, "--for"), (["--show", "--forget"], 2, "exclude"),
        (["-D", "nosuch"], 69, "nosuch"), (["-D", "busy"], 75, "in use"),
    ])
    func `What cannot be done is one sentence`(_ words: [String], _ status: Int32, _ hint: String) throws {
        try SimulatedCard.run("") { card in
            let outcome = try card.command("tuner", ["calibrate"] + words, inTurns: true)
            #expect(outcome.status == status && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("tuner: ") && outcome.errors.contains(hint), "\(outcome.errors)")
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    /// Three seconds are too short for a ppm, and enough for something.
    @Test func `An end that the user sets keeps what was reached, and says how good it is`() throws {
        try SimulatedCard.run("ppm 7 jitter 2000") { card in
            let outcome = try card.command(
                "tuner", ["calibrate", "-D", "mine", "--precision", "0.001", "--for", "6", "--json"], inTurns: true)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let result = try #require(try objects(outcome).last)
            let (found, error) = (result["ppm"] as? Double ?? .nan, result["standard_error_ppm"] as? Double ?? .nan)
            #expect(error > 0.0005 && abs(found - 7) < 5 * error, "\(found) ± \(error)")
            let short = try card.command(
                "tuner", ["calibrate", "-D", "mine", "--for", "3"], inTurns: true,
                environment: ["XDG_STATE_HOME": card.folder.appending(path: "other").path()])
            #expect(short.status == 0)
        }
    }
}
