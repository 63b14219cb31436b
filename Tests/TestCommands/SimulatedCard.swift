public import Foundation

/// The built commands on a sound card in simulated time (Tests/Rigs/test_clock.c): real alsa-lib, no server. A minute passes
/// in a fraction of a second, whatever the load of the machine.
public struct SimulatedCard: Sendable {
    /// The folder of the card's files and of the commands' state.
    public let folder: URL

    /// Runs `body` with a new card named `mine`.
    ///
    /// - Parameter settings: of the card, as Tests/Rigs/pcm_testcard.c lists them; `@` stands for its folder.
    public static func run<Result>(_ settings: String, _ body: (SimulatedCard) throws -> Result) throws -> Result {
        try withTemporaryFolder { folder in
            let built = try BuiltCommand(shell: ()).run([script, "build", folder.path()])
            guard built.status == 0 else { throw CannotRun(path: script, reason: built.errors) }
            let configuration = folder.appending(path: "asound.conf")
            let text = try String(contentsOf: configuration, encoding: .utf8)
            let own = settings.replacing("@", with: folder.path())
            try Data("\(text)pcm.mine { type testcard virtual 1 jitter 300 \(own) }\n".utf8).write(to: configuration)
            return try body(SimulatedCard(folder: folder))
        }
    }

    /// Runs a command there.
    ///
    /// - Parameters:
    ///   - inTurns: whether time waits for the command's threads; otherwise it passes as fast as possible.
    ///   - turn: the microseconds between two such waits.
    ///   - environment: set over the test's own.
    public func command(
        _ name: String, _ arguments: [String], inTurns: Bool = false, turn: Int = Self.turn,
        environment: [String: String] = [:], limit: Double = 60
    ) throws -> BuiltCommand.Outcome {
        try run([BuiltCommand(name).executable.path()] + arguments, inTurns ? turn : nil, environment, limit)
    }

    /// Runs a bash script there, with the path of a command as `$0`.
    public func shell(
        _ script: String, with name: String, inTurns: Bool = false, limit: Double = 60
    ) throws -> BuiltCommand.Outcome {
        try run(["bash", "-c", script, BuiltCommand(name).executable.path()], inTurns ? Self.turn : nil, [:], limit)
    }

    /// A fiftieth of a second: as often as a display is drawn.
    public static let turn = 20_000

    private func run(
        _ words: [String], _ turn: Int?, _ environment: [String: String], _ limit: Double
    ) throws -> BuiltCommand.Outcome {
        var environment = environment
        environment["TEST_CARD_DIR"] = folder.path()
        environment["XDG_STATE_HOME"] = environment["XDG_STATE_HOME"] ?? folder.appending(path: "state").path()
        if let turn { environment["TEST_CLOCK_TURNS"] = "\(turn)" }
        return try BuiltCommand(shell: ()).run(
            [Self.script, "simulate"] + words, environment: environment,
            limit: limit)
    }

    /// Runs a command there in a terminal of 80 columns and 24 rows; time waits for its threads.
    ///
    /// - Returns: the writes to the terminal: the simulated time in nanoseconds, the number of bytes, and whether they
    ///   contain reverse video.
    public func terminal(
        _ name: String, _ arguments: String, limit: Double = 60
    ) throws -> [(nanoseconds: Double, bytes: Int, isLit: Bool)] {
        let writes = folder.appending(path: "writes.log")
        try? FileManager.default.removeItem(at: writes)
        // Only the command itself runs in simulated time.
        let line =
            "script -qec \"stty cols 80 rows 24; '\(Self.script)' simulate env TEST_CLOCK_TURNS=\(Self.turn) "
            + "TEST_CLOCK_WRITES='\(writes.path())' '\(BuiltCommand(name).executable.path())' \(arguments)\" /dev/null"
        let outcome = try BuiltCommand(shell: ()).run(
            ["-c", line], environment: ["TEST_CARD_DIR": folder.path(), "TERM": "xterm"], limit: limit)
        guard outcome.status == 0 else { throw CannotRun(path: line, reason: outcome.output + outcome.errors) }
        return try String(contentsOf: writes, encoding: .utf8).split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            return numbers.count == 3 ? (numbers[0], Int(numbers[1]), numbers[2] == 1) : nil
        }
    }

    private static var script: String { repository.appending(path: "Tests/Rigs/test-card.sh").path() }
}
