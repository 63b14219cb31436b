package import AudioIO
internal import TerminalUI

/// How much faster than its label a device runs. Precedence: option, stored calibration, 0.
///
/// A store that cannot be read is reported and ignored.
///
/// - Parameters:
///   - given: the option `--clock`.
///   - isVerbose: whether to report what is applied.
package func clockError(
    given: PartsPerMillion?, of format: StreamFormat, _ direction: StreamDirection, program: String, isVerbose: Bool
) -> (error: PartsPerMillion, standardError: PartsPerMillion) {
    if let given { return (given, 0.0.ppm) }
    var known: CardCalibration?
    var news = "\"\(format.device)\" is not calibrated: its nominal rate is used"
    do throws(AudioError) {
        known = try CalibrationStore().card(format.device, direction, sampleRate: format.framesPerSecond)
        if let known {
            let caveat = known.clockWasDisciplined ? "" : ", by a system clock without a time service"
            news = "\(known.text) (measured \(known.date)\(caveat)): applied"
        }
    } catch {
        news = error.message
    }
    if isVerbose { complain(program, news) }
    return (known?.rateError ?? 0.0.ppm, known?.standardError ?? 0.0.ppm)
}
