import Figures
import Foundation
import WellTempered

/// The figures of several recordings together.
struct Score {
    /// Minutes.
    let length: Double
    let truths: Int, heard: Int, hits: Int
    /// In milliseconds: lateness of each hit, and how long after its true onset it was told.
    let errors: [Double], first: [Double], final: [Double]
    /// |error - bias| over the uncertainty that was told.
    let relative: [Double]

    init(_ outcomes: [Outcome]) {
        length = outcomes.reduce(0) { $0 + $1.length }
        truths = outcomes.reduce(0) { $0 + $1.truths.count }
        heard = outcomes.reduce(0) { $0 + $1.heard.count }
        hits = outcomes.reduce(0) { $0 + $1.pairs.count }
        errors = outcomes.flatMap { outcome in outcome.pairs.map(outcome.error) }
        let delays = outcomes.flatMap { outcome in
            outcome.pairs.map { pair in
                let (truth, report) = (outcome.truths[pair.truth], outcome.heard[pair.heard])
                return (report.first - truth, Double(report.onset.toldAt) / outcome.rate - truth)
            }
        }
        (first, final) = (delays.map { 1_000 * $0.0 }, delays.map { 1_000 * $0.1 })
        let uncertainties = outcomes.flatMap { outcome in
            outcome.pairs.map { outcome.heard[$0.heard].onset.uncertainty / .milliseconds(1) }
        }
        relative = zip(errors, uncertainties).map { abs($0) / max(1e-3, $1) }
    }

    var precision: Double { Double(hits) / Double(max(1, heard)) }
    var recall: Double { Double(hits) / Double(max(1, truths)) }
    /// The harmonic mean of both.
    var f: Double { 2 * Double(hits) / Double(max(1, heard + truths)) }
    /// Notes that were not played, a minute.
    var falseNotes: Double { Double(heard - hits) / max(1e-9, length) }
    /// The median error.
    var bias: Double { percentile(errors, 0.5) }
    /// 1.4826 times the median distance from the bias: the standard deviation of normal errors, whatever the outliers.
    var sigma: Double { 1.482_6 * percentile(errors.map { abs($0 - bias) }, 0.5) }
    /// Of the distance from the bias.
    var p95: Double { percentile(errors.map { abs($0 - bias) }, 0.95) }
    /// Of the error itself.
    var p95Absolute: Double { percentile(errors.map(abs), 0.95) }
    /// The share of hits within two of their uncertainties.
    var covered: Double { Double(relative.count { $0 <= 2 }) / Double(max(1, relative.count)) }

    func firstDelay(_ share: Double) -> Double { percentile(first, share) }
    func finalDelay(_ share: Double) -> Double { percentile(final, share) }
}
