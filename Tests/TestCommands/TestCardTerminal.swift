import Foundation

/// Commands of ours in a real terminal emulator, playing to the card inside the process: `Tests/Rigs/terminal.sh` tells
/// what a script can do there.
public enum TestCardTerminal {
    /// Runs a script; returns its output, one line for each thing that was expected.
    public static func run(_ script: String, limit: Double = 150) throws -> BuiltCommand.Outcome {
        try withTemporaryFolder { folder in
            let rigs = repository.appending(path: "Tests/Rigs")
            let bin = BuiltCommand("tuner").executable.deletingLastPathComponent().path()
            return try BuiltCommand(shell: ()).run(
                [
                    rigs.appending(path: "test-card.sh").path(), "run", "bash", "-c",
                    "cd \"$TEST_CARD_DIR\" && . '\(rigs.path())/terminal.sh'\n" + script,
                ],
                environment: ["TEST_CARD_DIR": folder.path(), "BIN": bin], limit: limit)
        }
    }
}
