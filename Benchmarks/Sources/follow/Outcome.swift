import Foundation

/// What clicks made of a player's beat.
struct Outcome {
    let player: Player
    /// The clicks in seconds, and with which start each of them came.
    let clicks: [Double]

    /// The click minus the player's beat, for each beat with a click within half a period; the first is the fifth beat.
    private(set) var errors: [(beat: Int, seconds: Double)] = []
    /// For three clicks in a row: how much their intervals differ, the same of the beats there, and the interval.
    private(set) var jumps: [(click: Double, player: Double, interval: Double)] = []
    /// Two clicks nearer than half a period.
    private(set) var doubles = 0

    init(_ player: Player, clicks: [Double]) {
        (self.player, self.clicks) = (player, clicks)
        let beats = player.beats
        // A rest is no period.
        func period(_ beat: Int) -> Double {
            let before = beat > 0 ? beats[beat] - beats[beat - 1] : .infinity
            return min(before, beat + 1 < beats.count ? beats[beat + 1] - beats[beat] : .infinity)
        }
        func nearest(_ time: Double) -> Int {
            beats.indices.min { abs(beats[$0] - time) < abs(beats[$1] - time) } ?? 0
        }
        for (index, beat) in beats.enumerated() {
            let since = index - (player.starts.last { $0 <= index } ?? 0)
            guard since >= 4, let click = clicks.min(by: { abs($0 - beat) < abs($1 - beat) }) else { continue }
            if abs(click - beat) < min(1, period(index)) / 2 { errors.append((index, click - beat)) }
        }
        for n in 1..<max(1, clicks.count) where clicks[n] - clicks[n - 1] < period(nearest(clicks[n])) / 2 {
            doubles += 1
        }
        for n in 2..<max(2, clicks.count) {
            let (a, b, c) = (clicks[n - 2], clicks[n - 1], clicks[n])
            // A rest of the metronome is no interval.
            guard c - b < 2.5, b - a < 2.5 else { continue }
            let beat = nearest(b)
            var own = 0.0
            if beat > 0, beat + 1 < beats.count { own = beats[beat + 1] - 2 * beats[beat] + beats[beat - 1] }
            if abs(own) > 0.5 { own = 0 }
            jumps.append((c - 2 * b + a, own, b - a))
        }
    }
}

/// The quantile of the magnitudes.
func quantile(_ share: Double, _ values: [Double]) -> Double {
    let sorted = values.map(abs).sorted()
    guard let last = sorted.last else { return .nan }
    let place = Int((share * Double(sorted.count)).rounded(.up)) - 1
    return place < sorted.count ? sorted[max(0, place)] : last
}

func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, values.count - 1))).squareRoot()
}
