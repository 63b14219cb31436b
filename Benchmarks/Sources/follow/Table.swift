import Figures
import Foundation

/// The figures of several players.
struct Group {
    let errors: [Double], moving: [Double]
    let beats: Int, doubles: Int
    /// By how much each interval differs from the one before, beyond 3 % of it, and beyond the player's own change.
    let beyond: [Double], unlike: [Double]

    init(_ outcomes: [Outcome]) {
        errors = outcomes.flatMap { $0.errors.map(\.seconds) }
        moving = outcomes.flatMap { outcome in
            outcome.errors.filter { outcome.player.moves[$0.beat] }.map(\.seconds)
        }
        beats = outcomes.reduce(0) { $0 + $1.player.beats.count - 4 * $1.player.starts.count }
        doubles = outcomes.reduce(0) { $0 + $1.doubles }
        let jumps = outcomes.flatMap(\.jumps)
        beyond = jumps.map { max(0, abs($0.click) - 0.03 * $0.interval) }
        unlike = jumps.map { $0.click - $0.player }
    }
}

/// The lines that the command prints.
struct Table: FigureTable {
    var missed = 0

    func head() {
        print(
            pad("players", 14) + "beats with a click    phase error, ms: median   p95   in ramps p95    "
                + "changes unlike the player's: sd ms, over 5 ms")
    }

    func note(_ group: Group, _ name: String) {
        let far = group.unlike.filter { abs($0) > 0.005 }.count
        let phases = String(
            format: "%5d of %5d                  %5.1f  %6.1f  %6.1f", group.errors.count, group.beats,
            1_000 * quantile(0.5, group.errors), 1_000 * quantile(0.95, group.errors),
            1_000 * quantile(0.95, group.moving))
        let jumps = String(
            format: "                   %6.2f   %d of %d", 1_000 * deviation(group.unlike), far, group.unlike.count)
        print(pad(name, 14) + phases + jumps)
    }

    mutating func demand(_ group: Group, _ kind: Player.Kind) {
        if kind == .ramps {
            row("phase error in ramps of 2 BPM/s, p95", 1_000 * quantile(0.95, group.moving), atMost: 20, unit: "ms")
        }
        if kind == .steady {
            row("phase error at a steady tempo, p95", 1_000 * quantile(0.95, group.errors), atMost: 20, unit: "ms")
        }
        row("beats with a click", Double(group.errors.count) / Double(max(1, group.beats)), atLeast: 0.98)
        row("clicks nearer than half a beat", Double(group.doubles), atMost: 0, unit: "clicks")
        row(
            "jumps: clicks off by over 5 ms", Double(group.beyond.filter { $0 > 0.005 }.count), atMost: 0,
            unit: "jumps")
        row("largest jump", 1_000 * (group.beyond.max() ?? 0), atMost: 0.05, unit: "ms")
    }
}
