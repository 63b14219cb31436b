internal import FoundationEssentials
internal import Glibc

/// The calibrations of a user's devices, stored in `$XDG_STATE_HOME/well-tempered/calibration.json`.
///
/// - SeeAlso: XDG Base Directory Specification 0.8.
package struct CalibrationStore: Sendable {
    /// The file they are stored in.
    package let path: String

    private struct Content: Codable {
        var cards: [CardCalibration] = []
        var latencies: [LatencyCalibration] = []
    }

    /// The store in `folder`. `nil`: `$XDG_STATE_HOME/well-tempered`, or `~/.local/state/well-tempered`.
    package init(folder: String? = nil) {
        if let folder {
            path = "\(folder)/calibration.json"
            return
        }
        let environment = ProcessInfo.processInfo.environment
        // By the specification a path that is not absolute is ignored.
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        path = "\(state ?? (environment["HOME"] ?? home) + "/.local/state")/well-tempered/calibration.json"
    }

    /// How fast `device` runs at `sampleRate`; `nil` if that was never measured.
    ///
    /// A card usually has one crystal for all rates, or one for each family (44.1 and 48 kHz). So without a measurement at
    /// this rate the newest one counts that differs from it by a power of two.
    package func card(
        _ device: String, _ direction: StreamDirection, sampleRate: Int
    ) throws(AudioError) -> CardCalibration? {
        let known = try load().cards.filter { $0.device == device && $0.direction == direction }
        if let exact = known.first(where: { $0.sampleRate == sampleRate }) { return exact }
        return known.filter { isSameFamily($0.sampleRate, sampleRate) }.max { $0.measuredAt < $1.measuredAt }
    }

    /// The latency from `output` to `input`; `nil` if that was never measured.
    package func latency(from output: String, to input: String) throws(AudioError) -> LatencyCalibration? {
        try load().latencies.first { $0.output == output && $0.input == input }
    }

    /// The newest latency measured from `output` to any input; `nil` if there is none.
    package func latency(from output: String) throws(AudioError) -> LatencyCalibration? {
        try load().latencies.filter { $0.output == output }.max { $0.measuredAt < $1.measuredAt }
    }

    /// All calibrations.
    package func all() throws(AudioError) -> (cards: [CardCalibration], latencies: [LatencyCalibration]) {
        let content = try load()
        return (content.cards, content.latencies)
    }

    /// Stores a calibration in place of an older one of the same device, direction and rate. Replaces a damaged file.
    package func keep(_ calibration: CardCalibration) throws(AudioError) {
        try change {
            $0.cards.removeAll {
                $0.device == calibration.device && $0.direction == calibration.direction
                    && $0.sampleRate == calibration.sampleRate
            }
            $0.cards.append(calibration)
        }
    }

    /// Stores a calibration in place of an older one of the same devices. Replaces a damaged file.
    package func keep(_ calibration: LatencyCalibration) throws(AudioError) {
        try change {
            $0.latencies.removeAll { $0.output == calibration.output && $0.input == calibration.input }
            $0.latencies.append(calibration)
        }
    }

    /// Removes the calibrations of `device`; returns how many there were.
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

    /// The longest file that is read, in bytes: 5,000 calibrations.
    private static let longest = 1 << 20

    private func load() throws(AudioError) -> Content {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .cannotRead(path: path, reason: "not readable") }
            return Content()
        }
        // A pipe would be waited for.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .cannotRead(path: path, reason: "not a regular file; move it away")
        }
        guard status.st_size <= Self.longest else {
            throw .cannotRead(path: path, reason: "too long for a file of calibrations; calibrate again to replace it")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .cannotRead(path: path, reason: "not readable")
        }
        // Implausible figures count as damage, so that callers need not check for them.
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

    /// Writes another file and renames it, so that a reader sees the old file or the new one.
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
            // Foundation does not tell that a file could not be opened for want of a descriptor.
            let probe = open("/dev/null", O_RDONLY)
            if probe < 0, errno == EMFILE || errno == ENFILE { throw .outOfResources("file descriptor") }
            if probe >= 0 { close(probe) }
            let reason = error.code == .fileWriteNoPermission ? "permission denied" : "the file system refused"
            throw .cannotWrite(path: path, reason: reason)
        } catch {
            throw .cannotWrite(path: path, reason: "a value that no file can hold")
        }
    }
}
