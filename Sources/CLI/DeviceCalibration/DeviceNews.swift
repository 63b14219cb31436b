package import AudioIO

/// One sentence for the user each time a device goes away or comes back.
package struct DeviceNews: Sendable {
    /// Whether the last sentence reported a loss.
    package private(set) var isLost = false
    private let device: String
    private var hasWarned = false
    /// How often the device had come back at the last look.
    private var knownReopenings = 0

    /// News of the device with this name, which is there.
    package init(of device: String) { self.device = device }

    /// The sentence for the oldest change without one. Call it until it returns `nil`.
    ///
    /// - Parameters:
    ///   - report: the stream's newest. A device that went and came back since the last one is reported as well.
    ///   - loss: why the device was lost.
    package mutating func next(_ report: StreamReport, because loss: AudioError?) -> String? {
        let wasAway = report.statistics.reopenings > knownReopenings
        knownReopenings = report.statistics.reopenings
        switch (wasAway && !isLost ? .lost : report.state, isLost) {
        case (.lost, false):
            isLost = true
            var reason = ""
            if case .lost(_, let words) = loss { reason = " (\(words))" }
            return "the sound device \"\(device)\" is lost\(reason): waiting for it to come back"
        case (.running, true):
            isLost = false
            return "the sound device \"\(device)\" is back"
        default: break
        }
        guard report.statistics.needsLargerPeriod, !hasWarned else { return nil }
        hasWarned = true
        return "the sound device \"\(device)\" underruns often: choose a larger period"
    }
}
