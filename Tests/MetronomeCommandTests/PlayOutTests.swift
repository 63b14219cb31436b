import AudioIO
import Foundation
import Music
import TestCommands
import Testing

/// How a run ends, on the card in simulated time.
@Suite struct PlayOutTests {
    /// A loudspeaker that is heard late, as by Bluetooth: 0.7 s, more than the half second from the last beat to the plan's end.
    @Test(arguments: [0.0, 0.7])
    func `Every beat is printed, also those heard after the device has played the last frame`(hidden: Double) throws {
        let played = try SimulatedCard.run("") { card in
            let state = card.folder.appending(path: "state/well-tempered").path()
            try CalibrationStore(folder: state).keep(
                LatencyCalibration(
                    output: "mine", input: "mine", hidden: .seconds(hidden), deviation: .zero, roundTrip: .seconds(1),
                    clicks: 20, measuredAt: 0))
            return try card.command(
                "metronome", ["120", "--bars", "2", "-D", "mine", "--verbose"], inTurns: true)
        }
        #expect(played.status == 0, "\(played.errors)")
        #expect(played.errors.contains("heard 700.00 ms later") == (hidden > 0), "\(played.errors)")
        #expect(played.lines.count == 8, "\(played.output)")
    }
}
