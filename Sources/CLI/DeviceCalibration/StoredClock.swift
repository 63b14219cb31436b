package import AudioIO
package import Music
internal import TerminalUI

/// How much faster than its label a device runs: as the user says, or else as it was measured once.
///
/// A store that cannot be read is told and passed over: music goes on without it.
///
/// - Parameters:
///   - given: the option `--clock`, in ppm; it goes over what was measured.
///   - format: what the device granted.
///   - direction: which end of the device.
///   - program: who asks, for messages.
///   - isVerbose: whether to tell what is applied.
/// - Returns: that, and its standard error; 0 where nothing is known.
package func clockError(
    given: Double?, of format: StreamFormat, _ direction: StreamDirection, program: String, isVerbose: Bool
) -> (error: PartsPerMillion, standardError: PartsPerMillion) {
    if let given { return (given.ppm, 0.0.ppm) }
    do throws(AudioError) {
        guard let known = try CalibrationStore().card(format.device, direction, sampleRate: format.sampleRate) else {
            if isVerbose {
                complain(program, "\"\(format.device)\" is not calibrated: its rate is taken as its label says")
            }
            return (0.0.ppm, 0.0.ppm)
        }
        if isVerbose {
            let doubt = known.clockWasDisciplined ? "" : ", by a system clock that no time service held"
            complain(program, "\(known.text) (measured \(known.date)\(doubt)): applied")
        }
        return (known.rateError, known.standardError)
    } catch {
        if isVerbose { complain(program, error.message) }
        return (0.0.ppm, 0.0.ppm)
    }
}
