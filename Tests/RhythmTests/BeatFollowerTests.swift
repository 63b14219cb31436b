import Foundation
import Music
import Rhythm
import Testing
import TestSignals
import Timebase

/// Clicks that a follower makes of notes. The metronome strikes 20 ms before a click is heard, and a note is known 20 ms
/// after it began.
private func clicks(
    of follower: inout BeatFollower, after notes: [Double], until end: Double
) -> (clicks: [Double], beats: [FollowedBeat]) {
    var (clicks, beats): ([Double], [FollowedBeat]) = ([], [])
    var coming = notes.sorted()[...]
    for step in 0..<Int(end * 200) {
        let now = Double(step) / 200
        while let note = coming.first, note + 0.02 < now {
            follower.hear(48_000 * note)
            coming.removeFirst()
        }
        follower.advance(to: 48_000 * (now - 0.02))
        while let steering = follower.steering, steering.frame < 48_000 * (now + 0.02) {
            let frame = max(steering.frame, (48_000 * now).rounded())
            clicks.append(frame / 48_000)
            follower.strike(frame)
        }
        while let beat = follower.nextBeat() { beats.append(beat) }
    }
    return (clicks, beats)
}

private func follower(around hint: Int64? = nil, patience: Int = 16) throws -> BeatFollower {
    BeatFollower(sampleRate: 48.kilohertz, around: try hint.map { try Tempo($0) }, patience: patience)
}

@Suite struct BeatFollowerTests {
    @Test func `After four even notes the click comes in on the fifth, and stays on the beat`() throws {
        for tempo in [40.5, 60, 97.3, 120, 180, 239] {
            let period = 60 / tempo
            let notes = (0..<40).map { 1 + Double($0) * period }
            var follower = try follower()
            let (clicks, beats) = clicks(of: &follower, after: notes, until: 1 + 39.5 * period)
            #expect(clicks.count == 36, "\(tempo)")
            for (click, note) in zip(clicks, notes.dropFirst(4)) {
                // Half a frame: clicks lie on whole frames.
                #expect(abs(click - note) < 1.5 / 48_000, "\(tempo)")
            }
            for beat in beats { #expect(abs(beat.beatsPerMinute - tempo) < 0.02 && beat.note != nil) }
        }
    }

    @Test func `Uneven notes are no start, and taps before a pause do not count`() throws {
        var uneven = try follower()
        #expect(clicks(of: &uneven, after: [1, 1.5, 2.2, 2.7, 3.5, 3.9, 4.8], until: 8).clicks.isEmpty)
        var paused = try follower()
        #expect(clicks(of: &paused, after: [1, 1.5, 2, 6, 6.5, 7], until: 9).clicks.isEmpty)
    }

    @Test func `With a hint eighths are not taken for beats`() throws {
        let notes = (0..<40).map { 1 + Double($0) * 0.25 }
        var led = try follower(around: 120)
        var alone = try follower()
        let hinted = clicks(of: &led, after: notes, until: 10).clicks
        let fast = clicks(of: &alone, after: notes, until: 10).clicks
        #expect(abs((hinted[5] - hinted[1]) / 4 - 0.5) < 0.001)
        #expect(abs((fast[5] - fast[1]) / 4 - 0.25) < 0.001)
    }

    @Test func `Off-beat notes, missed notes and a few that belong nowhere do not move the click`() throws {
        let beats = (0..<60).map { 1 + Double($0) * 0.5 }
        var notes = Array(beats.enumerated().filter { $0.offset < 8 || $0.offset % 5 != 0 }.map(\.element))
        notes += beats.dropFirst(4).map { $0 + 0.25 } + [7.12, 11.31, 16.4, 21.13]
        var follower = try follower()
        let (clicks, _) = clicks(of: &follower, after: notes, until: 30)
        for (click, beat) in zip(clicks, beats.dropFirst(4)) { #expect(abs(click - beat) < 0.004) }
    }

    @Test func `A grace note before the beat does not hide the note on the beat`() throws {
        let seed: UInt64 = 4_713
        print("players from seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for player in 0..<100 {
            let period = 60 / Double.random(in: 60...160, using: &random)
            let beats = (0..<40).map { 1 + Double($0) * period }
            var notes = beats.map { $0 + 0.003 * random.normal() }
            // Two beats running, after eight that are clean.
            let first = Int.random(in: 8..<30, using: &random)
            let ahead = Double.random(in: 0.08...0.2, using: &random) * period
            notes += [beats[first] - ahead, beats[first + 1] - ahead]
            var follower = try follower()
            let (clicks, _) = clicks(of: &follower, after: notes, until: (beats.last ?? 0) - 0.5 * period)
            #expect(clicks.count == 35, "player \(player)")
            for (beat, click) in zip(4..., clicks) where beat >= first {
                // Four standard deviations of a note. A click that is struck before the second note may follow the first
                // by 3 % of the period, at both beats.
                let tolerance = 0.012 + (beat < first + 4 ? 0.06 * period : 0)
                #expect(abs(click - beats[beat]) < tolerance, "player \(player), beat \(beat - first) from the first")
            }
        }
    }

    /// 120 to 150 at 2 beats per minute in a second: phase(t) = 2 t + t² / 60.
    @Test func `It keeps with a ramp, without a lag in its middle`() throws {
        let lead = (0..<16).map { Double($0) * 0.5 }
        let ramp = (0..<33).map { beat -> Double in
            let root = (1 + Double(beat) / 60).squareRoot()
            return 8 + 60 * (root - 1)
        }
        var follower = try follower()
        let (clicks, _) = clicks(of: &follower, after: lead + ramp, until: 23)
        let pairs = Array(zip(clicks, (lead + ramp).dropFirst(4)))
        for (click, beat) in pairs.suffix(20) { #expect(abs(click - beat) < 0.01) }
    }

    @Test func `When the player stops it keeps the tempo for its patience, then waits, and starts anew`() throws {
        let first = (0..<20).map { 1 + Double($0) * 0.5 }
        let second = (0..<20).map { 30 + Double($0) * 0.6 }
        var follower = try follower(patience: 8)
        let (clicks, beats) = clicks(of: &follower, after: first + second, until: 41)
        let alone = clicks.filter { $0 > 10.75 && $0 < 30 }
        #expect(alone.count == 8)
        for (n, click) in alone.enumerated() { #expect(abs(click - (11 + 0.5 * Double(n))) < 0.001) }
        #expect(beats.contains { $0.silentBeats == 8 && $0.note == nil } && follower.starts == 2)
        let anew = clicks.filter { $0 > 30 }
        #expect(abs((anew.first ?? 0) - 32.4) < 0.001)
    }

    /// Random tempi, ramps, sudden changes, scatter, missed and extra notes.
    @Test func `No player makes it double a click or change an interval by more than 3 %`() throws {
        let seed: UInt64 = 4_711
        print("players from seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for player in 0..<150 {
            var (time, tempo) = (1.0, Double.random(in: 50...200, using: &random))
            var (slope, notes): (Double, [Double]) = (0, [])
            while time < 30 {
                if notes.count < 4 || Double.random(in: 0..<1, using: &random) > 0.1 {
                    notes.append(time + 0.008 * random.normal())
                }
                if Double.random(in: 0..<1, using: &random) < 0.2 {
                    notes.append(time + Double.random(in: 0..<60 / tempo, using: &random))
                }
                if Double.random(in: 0..<1, using: &random) < 0.05 { slope = Double.random(in: -3...3, using: &random) }
                if Double.random(in: 0..<1, using: &random) < 0.01 {
                    tempo *= Double.random(in: 0.8...1.25, using: &random)
                }
                tempo = min(220, max(45, tempo + slope * 60 / tempo))
                time += 60 / tempo
            }
            var follower = try follower()
            let (clicks, _) = clicks(of: &follower, after: notes, until: 34)
            var interval: Double?
            for (click, next) in zip(clicks, clicks.dropFirst()) {
                #expect(next - click > 0.1, "player \(player)")
                // A new start may come at any time; it is told from a beat by the pause of four notes.
                if let interval, next - click < 2.5 * interval {
                    #expect(
                        abs(next - click - interval) <= 0.03 * interval + 2.0 / 48_000 || follower.starts > 1,
                        "player \(player) at \(click)")
                }
                interval = next - click
            }
        }
    }

    @Test func `After a sudden change of up to 10 % it is back on the beat within twelve beats`() throws {
        let seed: UInt64 = 4_712
        print("players from seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for player in 0..<100 {
            let period = 60 / Double.random(in: 70...160, using: &random)
            let other = period * Double.random(in: 0.9...1.1, using: &random)
            let beats = (0..<24).map { Double($0) * period } + (0..<30).map { 24 * period + Double($0) * other }
            let notes = beats.map { 1 + $0 + 0.003 * random.normal() }
            var follower = try follower()
            let (clicks, _) = clicks(of: &follower, after: notes, until: notes[53] + 0.1)
            for beat in beats.dropFirst(37).dropLast() {
                let error = clicks.map { abs($0 - 1 - beat) }.min() ?? .infinity
                #expect(error < 0.02, "player \(player), \(60 / period) to \(60 / other): \(error) at beat \(beat)")
            }
        }
    }

    /// From a distance d the quickest way in steps of the limit L takes 2 √(d / L) beats: 8 for half a beat and 3 %. Before,
    /// the player has to be missed for three beats and to count four.
    @Test func `A player who goes on a part of a beat later is met again without a jump or a new start`() throws {
        for (tempo, part) in [(120.0, 0.5), (120, 0.35), (90, 0.4), (160, 0.5), (75, 0.65)] {
            let period = 60 / tempo
            let first = (0..<24).map { 1 + Double($0) * period }
            let second = (0..<40).map { 1 + (24 + part + Double($0)) * period }
            var follower = try follower()
            let (clicks, _) = clicks(of: &follower, after: first + second, until: 1 + 63.2 * period)
            #expect(follower.starts == 1, "\(tempo), \(part)")
            let intervals = zip(clicks, clicks.dropFirst()).map { $1 - $0 }
            for (interval, next) in zip(intervals, intervals.dropFirst()) {
                // Two roundings to whole frames.
                #expect(abs(next - interval) <= 0.03 * interval + 2.0 / 48_000, "\(tempo), \(part)")
            }
            for beat in second.dropFirst(3 + 4 + 8 + 3).dropLast() {
                let error = clicks.map { abs($0 - beat) }.min() ?? .infinity
                #expect(error < 0.002, "\(tempo), \(part): \(error) at \(beat)")
            }
        }
    }
}
