import Foundation

/// How one real note was heard.
public struct RealNoteOutcome {
    /// A reading of the steady part: seconds, log2 of the hertz, standard error in cents.
    struct SteadyReading {
        var time, octave: Double
        var error: Double?
    }

    /// Milliseconds from the onset until all readings of the next 100 ms lie within 50 and 5 cents.
    var lock: Double?
    var fineLock: Double?
    /// Readings before the lock that lie more than 50 cents off.
    var wrong: Double?
    /// Percent of the readings from 150 ms on.
    var gross: Double?
    var missed: Double?
    let steady: [SteadyReading]
    let truth: RealNoteTruth
    let family: String
    let variant: RealNoteVariant
    let note: String
    let noteHertz: Double

    /// The readings of a sound compared with what is known of it; `nil` where less than 50 ms of it can be heard.
    ///
    /// - Parameter pitch: what the detector tells.
    public init?(_ readings: [NoteReading], of sound: RealNoteSound, telling pitch: RealNoteTruth.Pitch) throws {
        guard let truth = try sound.truth(of: pitch) else { return nil }
        self.truth = truth
        (family, variant, note, noteHertz) = (sound.family, sound.variant, sound.name, sound.hertz)
        let (times, hertz) = (readings.map(\.time), readings.map(\.hertz))
        let near = zip(times, hertz).map { $1 > 0 ? truth.distance(of: $1, at: $0) : .infinity }
        func isCounted(_ n: Int) -> Bool {
            if truth.isMelody {
                return [0, 0.05, 0.1].allSatisfy { truth.sounds(at: times[n] - $0) }
            }
            return times[n] > truth.onset + 0.15 && times[n] < truth.end && truth.sounds(at: times[n] - 0.02)
                && truth.sounds(at: times[n])
        }
        let counted = times.indices.filter(isCounted)
        let voiced = counted.filter { hertz[$0] > 0 }
        if counted.count > 10 {
            gross = 100 * Double(voiced.count { near[$0] > 50 }) / Double(max(1, voiced.count))
            missed = 100 * Double(counted.count - voiced.count) / Double(counted.count)
        }
        var steady = voiced
        if !truth.isMelody {
            steady = times.indices.filter {
                hertz[$0] > 0 && times[$0] > truth.onset + 0.3 && times[$0] < min(truth.onset + 1.2, truth.end)
                    && truth.sounds(at: times[$0])
            }
            func locked(within cents: Double) -> Double {
                for n in times.indices where times[n] > truth.onset && times[n] < min(truth.onset + 1, truth.end) {
                    let until = min(times[n] + 0.1, truth.end)
                    if times.indices[n...].prefix(while: { times[$0] <= until }).allSatisfy({ near[$0] < cents }) {
                        return 1_000 * (times[n] - truth.onset)
                    }
                }
                return .infinity
            }
            let lock = locked(within: 50)
            (self.lock, fineLock) = (lock, locked(within: 5))
            let end = truth.onset + (lock == .infinity ? 0.5 : lock / 1_000)
            wrong = Double(
                times.indices.count {
                    guard hertz[$0] > 0, times[$0] > truth.audible, times[$0] < end, near[$0] > 50 else { return false }
                    let isOld = sound.previous > 0 && abs(log2(hertz[$0] / sound.previous)) < 50 / 1_200.0
                    return !(isOld && times[$0] < truth.onset + 0.05)
                })
        }
        self.steady = steady.map {
            SteadyReading(time: times[$0], octave: log2(hertz[$0]), error: readings[$0].standardError)
        }
    }

    /// Errors of the steady part in cents, against the pitch `lag` seconds before.
    func errors(lag: Double) -> [Double] {
        steady.count < 30 ? [] : steady.map { 1_200 * ($0.octave - truth.octave(at: $0.time - lag)) }
    }

    /// Root mean square of the steady errors below 50 cents.
    func rms(lag: Double) -> Double? {
        let good = errors(lag: lag).filter { abs($0) < 50 }
        return good.count < 30 ? nil : (good.reduce(0) { $0 + $1 * $1 } / Double(good.count)).squareRoot()
    }

    /// Root mean square of the error's change from one reading to the next.
    func jitter(lag: Double) -> Double? {
        let errors = errors(lag: lag)
        guard errors.count(where: { abs($0) < 50 }) >= 30 else { return nil }
        let changes = errors.indices.dropFirst().filter {
            abs(errors[$0]) < 50 && abs(errors[$0 - 1]) < 50 && steady[$0].time - steady[$0 - 1].time < 0.02
        }.map { errors[$0] - errors[$0 - 1] }
        return (changes.reduce(0) { $0 + $1 * $1 } / Double(max(1, changes.count))).squareRoot()
    }

    /// Percent of the steady readings within `factor` standard errors.
    func honest(within factor: Double, lag: Double) -> Double? {
        let errors = errors(lag: lag)
        guard rms(lag: lag) != nil, steady.allSatisfy({ $0.error != nil }) else { return nil }
        let within = zip(errors, steady).count { abs($0) <= factor * ($1.error ?? 0) }
        return 100 * Double(within) / Double(errors.count)
    }

    var medianError: Double? {
        let told = steady.compactMap(\.error)
        return told.count < 30 ? nil : percentile(told, 0.5)
    }
}
