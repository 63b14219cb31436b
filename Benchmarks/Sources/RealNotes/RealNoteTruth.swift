import Foundation

/// What is known of a real note whose pitch was laid down exactly: when it sounds, and its pitch at every moment.
public struct RealNoteTruth {
    /// What a detector tells: the frequency of the first partial, or the rate at which the waveform repeats. On a stiff
    /// string they differ.
    public enum Pitch: Int, Sendable { case firstPartial = 1, period }

    /// Seconds of the first sample of the harmonic part (40 dB below its peak), and of all sound 20 dB below the peak.
    let audible: Double
    let onset: Double
    /// Seconds until which the note sounds.
    let end: Double
    let isMelody: Bool
    private let start: Double
    private let step: Double
    /// log2 of the pitch in hertz, and whether the note sounds, every `step` seconds.
    private let octaves: [Double]
    private let sounds: [Bool]

    /// Reads a truth file: time_s, f0_hz, period_hz, level_db.
    ///
    /// - Parameter least: decibels below the note's peak down to which it must be heard.
    /// - Returns: `nil` where less than 50 ms of the note can be heard.
    init?(file: String, pitch: Pitch, audible: Double, onset: Double, isMelody: Bool, least: Double) throws {
        let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst().map {
            $0.split(separator: ",").compactMap { Double($0) }
        }
        let times = rows.map { $0[0] }
        let sounds = rows.map { $0.count == 4 && $0[1] > 0 && $0[3] > least }
        let heard = sounds.indices.filter { sounds[$0] }
        guard heard.count >= 20, let last = heard.last else { return nil }
        (self.audible, self.onset, self.isMelody, self.sounds) = (audible, onset, isMelody, sounds)
        start = times[0]
        step = (times[times.count - 1] - times[0]) / Double(times.count - 1)
        var octaves = zip(rows, sounds).map { $1 ? log2($0[pitch.rawValue]) : 0 }
        for n in 0..<heard[0] { octaves[n] = octaves[heard[0]] }
        for (a, b) in zip(heard, heard.dropFirst()) where b > a + 1 {
            for n in (a + 1)..<b {
                octaves[n] = octaves[a] + (octaves[b] - octaves[a]) * Double(n - a) / Double(b - a)
            }
        }
        for n in last..<octaves.count { octaves[n] = octaves[last] }
        self.octaves = octaves
        // A note has gone past a hole of more than 50 ms.
        var end = times[last]
        if !isMelody {
            for (a, b) in zip(heard, heard.dropFirst()) where times[a] > onset + 0.1 && times[b] - times[a] > 0.05 {
                end = times[a]
                break
            }
        }
        self.end = end
    }

    /// log2 of the pitch at a time.
    func octave(at time: Double) -> Double {
        let place = (time - start) / step
        if place <= 0 { return octaves[0] }
        let index = Int(place)
        if index + 1 >= octaves.count { return octaves[octaves.count - 1] }
        return octaves[index] + (place - Double(index)) * (octaves[index + 1] - octaves[index])
    }

    /// Whether the note sounds at a time.
    func sounds(at time: Double) -> Bool {
        let place = (time - start) / step
        guard place >= 0, Int(place) + 1 < sounds.count else { return false }
        return sounds[Int(place)] && sounds[Int(place) + 1]
    }

    /// Cents from the pitch of the last 50 ms, whichever moment of them is nearest.
    func distance(of hertz: Double, at time: Double) -> Double {
        var nearest = Double.infinity
        for delay in stride(from: 0.0, through: 0.0501, by: 0.005) {
            nearest = min(nearest, abs(log2(hertz) - octave(at: max(time - delay, audible))))
        }
        return 1_200 * nearest
    }
}
