internal import FoundationEssentials

/// The calibrations of this user's devices, kept in `$XDG_STATE_HOME/well-tempered/calibration.json`.
///
/// - SeeAlso: XDG Base Directory Specification 0.8.
package struct CalibrationStore: Sendable {
    /// The file they are kept in.
    package let path: String

    private struct Content: Codable {
        var cards: [CardCalibration] = []
        var latencies: [LatencyCalibration] = []
    }

    /// The store in `folder`; `nil`: `$XDG_STATE_HOME/well-tempered`, or `~/.local/state/well-tempered`.
    package init(folder: String? = nil) {
        if let folder {
            path = "\(folder)/calibration.json"
            return
        }
        let environment = ProcessInfo.processInfo.environment
        // The specification: a path that is not absolute is to be ignored.
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        path = "\(state ?? (environment["HOME"] ?? home) + "/.local/state")/well-tempered/calibration.json"
    }

    /// How fast `device` runs at `sampleRate`; `nil` when that was never measured.
    ///
    /// One crystal usually serves all rates of a card, or one for each family (44.1 and 48 kHz): without a measurement
    /// at this rate the newest at a multiple or a fraction of it by a power of two counts.
    ///
    /// Throws `AudioError.cannotRead`.
    package func card(
        _ device: String, _ direction: StreamDirection, sampleRate: Int
    ) throws(AudioError) -> CardCalibration? {
        let known = try load().cards.filter { $0.device == device && $0.direction == direction }
        if let exact = known.first(where: { $0.sampleRate == sampleRate }) { return exact }
        return known.filter { isSameFamily($0.sampleRate, sampleRate) }.max { $0.measuredAt < $1.measuredAt }
    }

    /// How long sound takes from `output` to `input`; `nil` when that was never measured.
    ///
    /// Throws `AudioError.cannotRead`.
    package func latency(from output: String, to input: String) throws(AudioError) -> LatencyCalibration? {
        try load().latencies.first { $0.output == output && $0.input == input }
    }

    /// The newest measurement of how long sound takes from `output` to anywhere; `nil` when there is none.
    ///
    /// Throws `AudioError.cannotRead`.
    package func latency(from output: String) throws(AudioError) -> LatencyCalibration? {
        try load().latencies.filter { $0.output == output }.max { $0.measuredAt < $1.measuredAt }
    }

    /// All that is known, for a list.
    ///
    /// Throws `AudioError.cannotRead`.
    package func all() throws(AudioError) -> (cards: [CardCalibration], latencies: [LatencyCalibration]) {
        let content = try load()
        return (content.cards, content.latencies)
    }

    /// Keeps a calibration in place of an older one of the same device, direction and rate. A damaged file is replaced.
    ///
    /// Throws `AudioError.cannotWrite`.
    package func keep(_ calibration: CardCalibration) throws(AudioError) {
        try change {
            $0.cards.removeAll {
                $0.device == calibration.device && $0.direction == calibration.direction
                    && $0.sampleRate == calibration.sampleRate
            }
            $0.cards.append(calibration)
        }
    }

    /// Keeps a calibration in place of an older one of the same pair. A damaged file is replaced.
    ///
    /// Throws `AudioError.cannotWrite`.
    package func keep(_ calibration: LatencyCalibration) throws(AudioError) {
        try change {
            $0.latencies.removeAll { $0.output == calibration.output && $0.input == calibration.input }
            $0.latencies.append(calibration)
        }
    }

    /// Forgets everything about `device`; returns how many calibrations that were.
    ///
    /// Throws `AudioError.cannotRead` or `cannotWrite`.
    package func forget(_ device: String) throws(AudioError) -> Int {
        let content = try load()
        let cards = content.cards.filter { $0.device != device }
        let latencies = content.latencies.filter { $0.output != device && $0.input != device }
        let forgotten = content.cards.count - cards.count + content.latencies.count - latencies.count
        if forgotten > 0 { try save(Content(cards: cards, latencies: latencies)) }
        return forgotten
    }

    private func isSameFamily(_ first: Int, _ second: Int) -> Bool {
        guard first > 0, second > 0 else { return false }
        var low = min(first, second)
        while low < max(first, second) { low *= 2 }
        return low == max(first, second)
    }

    private func load() throws(AudioError) -> Content {
        guard let data = FileManager.default.contents(atPath: path) else {
            guard FileManager.default.fileExists(atPath: path) else { return Content() }
            throw .cannotRead(path: path, reason: "not readable")
        }
        // Figures that no device has are damage like any other: nobody behind this has to be on guard against them.
        guard let content = try? JSONDecoder().decode(Content.self, from: data),
            content.cards.allSatisfy(\.isPlausible), content.latencies.allSatisfy(\.isPlausible)
        else { throw .cannotRead(path: path, reason: "not a file of calibrations; calibrate again to replace it") }
        return content
    }

    private func change(_ body: (inout Content) -> Void) throws(AudioError) {
        var content = (try? load()) ?? Content()
        body(&content)
        try save(content)
    }

    /// Written beside and renamed: a reader sees the old file or the new one, never half of one.
    private func save(_ content: Content) throws(AudioError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try encoder.encode(content).write(to: url, options: .atomic)
        } catch let error as CocoaError {
            let reason = error.code == .fileWriteNoPermission ? "permission denied" : "the file system refused"
            throw .cannotWrite(path: path, reason: reason)
        } catch {
            throw .cannotWrite(path: path, reason: "a value that no file can hold")
        }
    }
}
