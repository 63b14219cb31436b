import Foundation
import TestCommands
import Testing

/// When the light goes on, against when the click is heard, on the card in simulated time.
@Suite struct FlashTests {
    /// The moments at which clicks are heard, in nanoseconds of simulated time: from what the card played and what it said
    /// about its first frame.
    private func clicks(_ card: SimulatedCard, latency: Int) throws -> [Double] {
        let log = try String(contentsOf: card.folder.appending(path: "card.log"), encoding: .utf8)
        let start = try #require(log.split(separator: "\n").first).split(separator: " ").compactMap { Double($0) }
        try #require(start.count == 2)
        let data = try Data(contentsOf: card.folder.appending(path: "out.raw"))
        // One channel of 32-bit floats. A click begins where a twentieth of a second of silence ends.
        var (clicks, silence): ([Double], Int) = ([], 2_400)
        data.withUnsafeBytes { bytes in
            for (frame, sample) in bytes.bindMemory(to: Float.self).enumerated() {
                guard abs(sample) > 1e-4 else {
                    silence += 1
                    continue
                }
                if silence >= 2_400 {
                    clicks.append(start[1] + (Double(frame + latency) - start[0]) / 48_000 * 1e9)
                }
                silence = 0
            }
        }
        return clicks
    }

    @Test(arguments: [0, 9_600])
    func `A flash is written within a frame of a screen of when its click is heard`(latency: Int) throws {
        let settings =
            "channels 1 rate 48000 format FLOAT_LE latency \(latency) outfile \"@/out.raw\" logfile \"@/card.log\""
        try SimulatedCard.run(settings) { card in
            let writes = try card.terminal("metronome", "120 --flash --bars 10 -D mine")
            let clicks = try clicks(card, latency: latency)
            // A flash reverses the whole screen. Before the first one, a warning occupies one row.
            let flashes = writes.filter { $0.isLit && $0.bytes > 1_500 }
            #expect(clicks.count == 40 && flashes.count == 40, "\(clicks.count) clicks, \(flashes.count) flashes")
            let off = zip(flashes, clicks).map { ($0.nanoseconds - $1) * 1e-6 }.sorted()
            try #require(off.count == 40)
            print(
                "flash minus heard, \(latency) frames of latency: median \(off[20]) ms, \(off[2]) to \(off[37]) in 36 of 40, "
                    + "\(off[0]) to \(off[39])")
            // A frame of a screen at 60 Hz; 4 of 40 may have waited for a busy machine.
            #expect(off[2] > -16.7 && off[37] < 16.7)
        }
    }
}
