import TestCommands
import Testing

/// What the metronome does where the system has no thread or descriptor left for it.
@Suite(.serialized) struct ResourceTests {
    @Test func `Without a thread or a descriptor the metronome explains what is missing and ends`() throws {
        try SimulatedCard.run("") { card in
            // Signals and the stream.
            try card.expectResourceErrors("metronome", "120 -D mine --for 1s", threads: 2)
        }
    }

    @Test func `A metronome that listens needs a thread more, for the other stream`() throws {
        try SimulatedCard.run("") { card in
            // Nothing is heard on this card.
            try card.expectResourceErrors(
                "metronome", "120 -D mine --for 1s --verify --input mine", threads: 3, success: 69)
        }
    }
}
