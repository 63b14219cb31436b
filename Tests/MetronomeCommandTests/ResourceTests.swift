import TestCommands
import Testing

/// What the metronome does if the system has no thread or descriptor left for it.
@Suite(.serialized) struct ResourceTests {
    /// Its threads: signals and the stream.
    @Test func `Without a thread or a descriptor the metronome explains what is missing and ends`() throws {
        try SimulatedCard.run("") { card in
            let complaints = try card.resourceComplaints("metronome", "120 -D mine --for 1s", threads: 2)
            #expect(complaints == [])
        }
    }

    /// One thread more, for the other stream. Nothing is heard on this card.
    @Test func `A metronome that listens explains what is missing for either stream`() throws {
        try SimulatedCard.run("") { card in
            let arguments = "120 -D mine --for 1s --verify --input mine"
            let complaints = try card.resourceComplaints("metronome", arguments, threads: 3, success: 69)
            #expect(complaints == [])
        }
    }
}
