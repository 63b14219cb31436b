import TestCommands
import Testing

/// What the tuner does where the system has no thread or descriptor left for it.
@Suite(.serialized) struct ResourceTests {
    @Test func `Without a thread or a descriptor the tuner explains what is missing and ends`() throws {
        try SimulatedCard.run("") { card in
            // Signals, capture and analysis.
            try card.expectResourceErrors("tuner", "-D mine -d 0.2 --json", threads: 3)
        }
    }

    @Test func `Without a thread or a descriptor no tone sounds and no clock is measured`() throws {
        try SimulatedCard.run("") { card in
            // Signals and the stream.
            try card.expectResourceErrors("tuner", "tone -D mine --for 0.1", threads: 2)
            try card.expectResourceErrors("tuner", "calibrate -D mine --for 3 --json", threads: 2)
        }
    }
}
