import Foundation
import TestCommands
import Testing

/// Which channels of an interface the metronome plays on.
@Suite struct ChannelTests {
    @Test(arguments: ["FLOAT_LE", "S16_LE", "S24_3LE", "S32_LE"])
    func `Only the chosen channel sounds, in every format`(format: String) throws {
        try SimulatedCard.run("format \(format) channels 4 outfile \"@/out.raw\"") { card in
            let outcome = try card.command("metronome", ["240", "--bars", "1", "-D", "mine", "--channel", "3"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let data = try Data(contentsOf: card.folder.appending(path: "out.raw"))
            let bytes = ["S16_LE": 2, "S24_3LE": 3][format] ?? 4
            var sounding = [0, 0, 0, 0]
            for sample in 0..<(data.count / bytes) {
                let at = sample * bytes
                if data[at..<(at + bytes)].contains(where: { $0 != 0 }) { sounding[sample % 4] += 1 }
            }
            print("\(format): samples that are not zero, by channel: \(sounding)")
            #expect(sounding[2] > 1_000 && sounding[0] == 0 && sounding[1] == 0 && sounding[3] == 0)
        }
    }

    @Test func `A channel that the card does not have is a sentence`() throws {
        try SimulatedCard.run("channels 2") { card in
            let outcome = try card.command("metronome", ["240", "--bars", "1", "-D", "mine", "--channel", "3"])
            #expect(outcome.status == 2 && outcome.errors.contains("there is no channel 3"), "\(outcome)")
            let zero = try card.command("metronome", ["240", "--bars", "1", "-D", "mine", "--channel", "0"])
            #expect(zero.status == 2 && zero.errors.contains("--channel"), "\(zero)")
        }
    }
}
