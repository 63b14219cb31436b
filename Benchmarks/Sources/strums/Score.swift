import CAllocationProbe
import Foundation
import WellTempered

/// What one strum was found to be.
struct Outcome {
    /// Per string: the error in cents, and over the standard error.
    var errors: [Double] = [], relative: [Double] = []
    /// With its sign, and the standard error, in cents.
    var signed: [Double] = [], standardErrors: [Double] = []
    /// Of recorded strings: of the first partial and of the period, each for itself, in cents.
    var firstErrors: [Double] = [], periodErrors: [Double] = []
    var isHeard: [Bool] = []
    var isStrum = false
    /// By the engine: how nearly the sound repeats as a note does, and the share of it that the strings explain.
    var clarity = Double.nan, explained = Double.nan
    /// Whether there was a picture at all.
    var isFound = false
    /// Where the strum begins by the engine, in seconds.
    var onset = Double.nan
    /// How many sounds began, and whether any of their pictures was one of a strum.
    var soundCount = 0
    /// The sample of each.
    var onsets: [Int64] = []
    var hasStrum = false
    /// Whether any picture of a strum has no string that is heard.
    var hasSilentStrum = false
    /// Whether three strings are heard within 12 dB of the loudest and explain the sound, and nothing else sounds, or but one
    /// string is not heard: with `--strum` that is enough.
    var isExplained = false
    /// Which tuning the strum is in by the engine, and when it says so for the first time, in seconds after the onset.
    var tuning = 0
    var named = 0.0
    /// Process time in seconds, and how many pictures.
    var cost = 0.0
    var pictures = 0
    /// Whether the first picture is one of a strum, and the share of the strings that it has within 25 cents.
    var firstIsStrum = false
    var firstShare = 0.0
    /// Seconds from the onset to the first picture, and the longest call of `refine`.
    var firstPicture = Double.nan
    var longestStep = 0.0
    /// Heap calls of the engine after its `init`.
    var heapCalls = 0
}

extension Outcome {
    /// Runs the engine over a sound, up to a window of so many seconds.
    ///
    /// - Parameters:
    ///   - truth: the frequency of each string in hertz.
    ///   - isPeriod: whether the truth is the frequency of the period. Then the error is 0 between the first partial and the
    ///     period, which are two definitions of one string's pitch.
    ///   - recorded: what each string has in its own recording. Then the error is that of the first partial or that of the
    ///     period, whichever is less: each is compared with itself.
    ///   - after: seconds before which no strum counts.
    init(
        _ samples: [Float], rate: Double, strings: [Double], truth: [Double], window: Double, isPeriod: Bool = false,
        recorded: [RecordedPitch]? = nil, after: Double = 0, others: [[Double]] = []
    ) throws {
        var engine = try StrumEngine(
            strings: strings.map { $0.hertz }, others: others.map { $0.map(\.hertz) }, sampleRate: rate.hertz)
        onsets.reserveCapacity(1_024)
        let begin = clock()
        allocation_probe_reset()
        var start = 0
        var readings: [StringReading] = []
        while start < samples.count && !isFound {
            let end = min(samples.count, start + Int(0.01 * rate))
            engine.process(samples.span.extracting(start..<end))
            while true {
                let before = clock()
                guard let picture = engine.refine() else { break }
                let step = Double(clock() - before) / Double(CLOCKS_PER_SEC)
                soundCount = max(soundCount, picture.strum)
                if onsets.last != picture.onset { onsets.append(picture.onset) }
                hasStrum = hasStrum || picture.isStrum
                look(at: picture, of: engine)
                if picture.tuning != tuning {
                    (tuning, named) = (picture.tuning, Double(end - Int(picture.onset)) / rate + step)
                }
                longestStep = max(longestStep, step)
                if pictures == 0 {
                    firstPicture = Double(end - Int(picture.onset)) / rate + step
                    let isRight = strings.indices.count {
                        abs(Cents(from: truth[$0].hertz, to: engine.reading(of: $0).frequency).value) < 25
                    }
                    (firstIsStrum, firstShare) = (picture.isStrum, Double(isRight) / Double(strings.count))
                }
                pictures += 1
                guard Double(picture.window) > 0.99 * window * rate, Double(picture.onset) >= after * rate else {
                    continue
                }
                (isFound, isStrum) = (true, picture.isStrum)
                (clarity, explained) = (picture.clarity, picture.explained)
                onset = Double(picture.onset) / rate
                heapCalls = max(0, allocation_probe_count())
                readings = strings.indices.map { engine.reading(of: $0) }
                break
            }
            start = end
        }
        cost = Double(clock() - begin) / Double(CLOCKS_PER_SEC)
        guard isFound else {
            errors = strings.map { _ in .infinity }
            relative = errors
            isHeard = strings.map { _ in false }
            return
        }
        for course in Self.courses(strings) {
            var order = Array(course)
            // Which of two strings of one pitch is which nobody can tell.
            if order.count == 2,
                (readings[order[0]].frequency < readings[order[1]].frequency) != (truth[order[0]] < truth[order[1]])
            {
                order.swapAt(0, 1)
            }
            for (string, found) in zip(course, order) {
                let reading = readings[found]
                var error = Cents(from: truth[string].hertz, to: reading.frequency).value
                if isPeriod {
                    let other = Cents(from: truth[string].hertz, to: reading.periodicity).value
                    error = error * other < 0 ? 0 : abs(error) < abs(other) ? error : other
                }
                if let pitch = recorded?[string] { error = compare(reading, pitch) }
                signed.append(error)
                standardErrors.append(reading.standardError.value)
                errors.append(abs(error))
                relative.append(abs(error) / max(1e-9, reading.standardError.value))
                isHeard.append(reading.isHeard)
            }
        }
    }

    /// - Returns: the lesser of the errors of the first partial and of the period, with its sign, in cents.
    private mutating func compare(_ reading: StringReading, _ pitch: RecordedPitch) -> Double {
        let first = Cents(from: pitch.first.hertz, to: reading.frequency).value
        let period = Cents(from: pitch.period.hertz, to: reading.periodicity).value
        firstErrors.append(abs(first))
        periodErrors.append(abs(period))
        return abs(first) < abs(period) ? first : period
    }

    /// Takes in which strings a picture has, without a heap call.
    mutating func look(at picture: StrumPicture, of engine: borrowing StrumEngine) {
        var (heard, loud, loudest) = (0, 0, -Double.infinity)
        for string in 0..<engine.stringCount where engine.reading(of: string).isHeard {
            heard += 1
            loudest = max(loudest, engine.reading(of: string).level.value)
        }
        for string in 0..<engine.stringCount {
            let reading = engine.reading(of: string)
            if reading.isHeard && reading.level.value > loudest - 12 { loud += 1 }
        }
        if picture.isStrum && heard == 0 { hasSilentStrum = true }
        let isOnlyTheirs = !picture.hasForeignLines || heard == engine.stringCount - 1
        isExplained = picture.explained > 0.6 && isOnlyTheirs && loud >= 3
    }

    /// For people: where each string is by truth, the error and the standard error, in cents.
    func summary(_ strings: [Double], _ truth: [Double]) -> String {
        let fields = signed.indices.map { i in
            String(
                format: "%.1f:%.3f±%.3f%@", Cents(from: strings[i].hertz, to: truth[i].hertz).value, signed[i],
                standardErrors[i], isHeard[i] ? "" : "?")
        }
        let dates = String(format: "%.3f ", onset) + "\(onsets.map { $0 / 48 }) "
        return (isStrum ? "strum " : "note ") + dates + fields.joined(separator: " ")
    }

    /// Neighbours of one pitch belong together.
    private static func courses(_ strings: [Double]) -> [Range<Int>] {
        var (result, start) = ([Range<Int>](), 0)
        while start < strings.count {
            let isPair = start + 1 < strings.count && abs(strings[start + 1] / strings[start] - 1) < 1e-4
            result.append(start..<(start + (isPair ? 2 : 1)))
            start += isPair ? 2 : 1
        }
        return result
    }
}

/// The figures of several strums together.
struct Score {
    private let outcomes: [Outcome]
    init(_ outcomes: [Outcome]) { self.outcomes = outcomes }
    init(_ parts: Score...) { self.init(joining: parts) }
    init(joining parts: [Score]) { outcomes = parts.flatMap(\.outcomes) }

    var errors: [Double] { outcomes.flatMap(\.errors) }
    var standardErrors: [Double] { outcomes.flatMap(\.standardErrors) }
    var median: Double { percentile(errors, 0.5) }
    var p95: Double { percentile(errors, 0.95) }
    var largest: Double { errors.max() ?? .nan }
    /// Of all strings: heard, and within so many cents.
    func found(within cents: Double) -> Double {
        let good = outcomes.reduce(0) { sum, one in
            sum + zip(one.errors, one.isHeard).count { $0.0 < cents && $0.1 }
        }
        return Double(good) / Double(max(1, errors.count))
    }
    func within(_ cents: Double) -> Double { Double(errors.count { $0 < cents }) / Double(max(1, errors.count)) }
    /// The share of errors within two standard errors.
    var covered: Double { Double(outcomes.flatMap(\.relative).count { $0 <= 2 }) / Double(max(1, errors.count)) }
    var taken: Double { Double(outcomes.count { $0.isStrum }) / Double(max(1, outcomes.count)) }
    /// Counted for itself: 1 less 0.99 is more than 0.01.
    var takenForNote: Double { Double(outcomes.count { !$0.isStrum }) / Double(max(1, outcomes.count)) }
    /// Of the first pictures: those that are of a strum, and the share of strings within 25 cents.
    var firstTaken: Double { Double(outcomes.count { $0.firstIsStrum }) / Double(max(1, outcomes.count)) }
    var firstFound: Double { outcomes.reduce(0) { $0 + $1.firstShare } / Double(max(1, outcomes.count)) }
    /// The latest first picture, the longest step in seconds, and all heap calls.
    var firstPicture: Double { outcomes.map(\.firstPicture).max() ?? .nan }
    var longestStep: Double { outcomes.map(\.longestStep).max() ?? .nan }
    var heapCalls: Int { outcomes.reduce(0) { $0 + $1.heapCalls } }
    /// The share in which any picture is one of a strum, and how many sounds began in all.
    var everStrummed: Double { Double(outcomes.count { $0.hasStrum }) / Double(max(1, outcomes.count)) }
    var sounds: Double { Double(outcomes.reduce(0) { $0 + $1.soundCount }) }
    /// The share of strums that are found, as strums, and not more than so many seconds from where they begin.
    func dated(at start: Double, within limit: Double) -> Double {
        Double(outcomes.count { $0.isStrum && abs($0.onset - start) <= limit }) / Double(max(1, outcomes.count))
    }
    /// The error that 95 % of the dates of strums keep within, in seconds.
    func dateError(of start: Double) -> Double {
        percentile(outcomes.filter(\.isFound).map { abs($0.onset - start) }, 0.95)
    }
    /// Process time per strum, in seconds.
    var cost: Double { outcomes.reduce(0) { $0 + $1.cost } / Double(max(1, outcomes.count)) }
}

/// The value below which the share lies.
func percentile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
}
