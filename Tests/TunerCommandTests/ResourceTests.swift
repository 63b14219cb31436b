import TestCommands
import Testing

/// What the tuner does if the system has no thread or descriptor left for it.
@Suite(.serialized) struct ResourceTests {
    /// Its threads: signals, capture and analysis.
    @Test func `Without a thread or a descriptor the tuner explains what is missing and ends`() throws {
        try SimulatedCard.run("") { card in
            let complaints = try card.resourceComplaints("tuner", "-D mine -d 0.2 --json", threads: 3)
            #expect(complaints == [])
        }
    }

    /// Their threads: signals and the stream.
    @Test(arguments: ["tone -D mine --for 0.1", "calibrate -D mine --for 3 --json"])
    func `Without a thread or a descriptor no tone sounds and no clock is measured`(arguments: String) throws {
        try SimulatedCard.run("") { card in
            let complaints = try card.resourceComplaints("tuner", arguments, threads: 2)
            #expect(complaints == [])
        }
    }
}
