import ArgumentParser
import Figures
import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

// Measures how a metronome follows players whose beat is known, its click as loud in the microphone as they are:
//
//     swift run -c release follow --seed 1
//     swift run -c release follow --seed 1 --silent     (the follower alone, without sound)

@main struct Follow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Measures how a metronome follows a player.",
        discussion: """
            The phase error is the click minus the player's beat, which is that of the notes without their scatter. \
            The tempo told changes by at most 3 % from one interval of the clicks to the next; a jump is what a click \
            lies off beyond that. Told too, and not demanded: by how much the change from interval to interval differs from that of the \
            player's own beat at the same place (the second difference of the clicks less that of the beats). It holds \
            what any follower owes to 8 ms of scatter, and to tempi that begin to change.
            """)
    @Option(help: "The seed of players, rooms and sounds.") var seed: UInt64 = 1
    @Option(help: "How many players of each kind.") var players = 12
    @Option(help: "How loud the click is in the microphone beside a note, in decibels.") var bleed = 0.0
    @Flag(help: "The microphone does not hear the click.") var headphones = false
    @Flag(help: "Without sound: the notes are given to the follower.") var silent = false
    @Flag(help: "One line per player.") var verbose = false
    @Option(name: .customLong("limit"), help: "A limit of the follower, such as pull=0.2.") var limits: [String] = []
    @Option(help: "Only players of this kind.") var only: String?

    func run() throws {
        var constants = FollowerConstants()
        try set(limits, in: &constants, named: FollowerConstants.named)
        let click = headphones ? "not heard" : "at \(bleed) dB in the microphone"
        print("seed \(seed), \(players) players of each kind, the click \(silent ? "and all sound left out" : click)")
        var table = Table()
        table.head()
        for kind in Player.Kind.allCases where only == nil || only == kind.rawValue {
            var outcomes: [Outcome] = []
            for index in 0..<players {
                let number = seed &* 1_000_003 &+ UInt64(index)
                let player = Player(kind, seed: number)
                let session =
                    try silent
                    ? Session(silently: player, constants: constants)
                    : Session(player, seed: number, bleed: headphones ? nil : bleed, constants: constants)
                outcomes.append(Outcome(player, clicks: session.clicks))
                if verbose, let outcome = outcomes.last { table.note(Group([outcome]), "  player \(index)") }
            }
            table.note(Group(outcomes), kind.rawValue)
            table.demand(Group(outcomes), kind)
        }
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }
}
