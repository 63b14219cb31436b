internal import CLinuxCalls
internal import CSoundFile
internal import Glibc

/// A sound file held open by libsndfile; closed when its owner goes away.
internal struct SoundFile: ~Copyable {
    internal let handle: OpaquePointer
    internal let info: SF_INFO
    internal let path: String

    /// Opens `path` for reading.
    internal init(reading path: String) throws(AudioError) {
        let descriptor = SystemPath.with(path) { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw readingError(errno, path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = systemReason(errno)
            close(descriptor)
            throw .cannotRead(path: path, reason: reason)
        }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFDIR || (kind == S_IFREG && status.st_size == 0) {
            close(descriptor)
            throw kind == S_IFDIR ? .isDirectory(path: path) : .emptyFile(path: path)
        }
        // By descriptor and not by name: from a name libsndfile also guesses headerless formats by the ending.
        var info = SF_INFO()
        guard let handle = quietly({ sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) }) else {
            // libsndfile reports what libmpg123 refuses as a missing file, and names its own fields for a header without
            // a rate or channels.
            let reason = soundFileReason(nil)
            throw .notAudio(
                path: path,
                detail: reason.contains("does not exist")
                    ? "no sound was found in it" : reason.contains("sf_info") ? "its header makes no sense" : reason)
        }
        let major = info.format & Int32(SF_FORMAT_TYPEMASK)
        let complaint: String? =
            !containers.contains(major)
            ? "an unusual container" : info.channels < 1 || info.channels > 256 ? "\(info.channels) channels" : nil
        if let complaint {
            sf_close(handle)
            throw .notAudio(path: path, detail: complaint)
        }
        // libsndfile accepts damaged headers with impossible rates.
        guard (lowestFileRate...highestFrameRate).contains(Int(info.samplerate)) else {
            sf_close(handle)
            throw .impossibleRate(path: path, hertz: Int(info.samplerate))
        }
        (self.handle, self.info, self.path) = (handle, info, path)
    }

    /// Creates or replaces `path`.
    internal init(writing path: String, info wanted: SF_INFO) throws(AudioError) {
        let isNew = SystemPath.with(path) { access($0, F_OK) } != 0
        let descriptor = SystemPath.with(path) { open($0, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: systemReason(errno)) }
        var info = wanted
        guard let handle = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 1) else {
            if isNew { SystemPath.with(path) { _ = unlink($0) } }
            throw .cannotWrite(path: path, reason: soundFileReason(nil))
        }
        (self.handle, self.info, self.path) = (handle, info, path)
    }

    deinit { sf_close(handle) }

    /// Frames by the header; `nil` if it does not tell.
    internal var frameCount: Int64? { info.frames >= 0 && info.frames < Int64.max ? Int64(info.frames) : nil }

    /// Whether the count in the header can be trusted to the frame. An MP3's includes the encoder's padding or not.
    internal var frameCountIsExact: Bool { info.format & Int32(SF_FORMAT_TYPEMASK) != Int32(SF_FORMAT_MPEG) }

    /// Whether libsndfile found damage.
    internal var hasError: Bool { sf_error(handle) != 0 }

    /// Reads up to `count` frames; 0 at the end or at damage.
    internal func read(_ count: Int, into elements: UnsafeMutablePointer<Float>) -> Int {
        if !frameCountIsExact { return quietly { Int(sf_readf_float(handle, elements, sf_count_t(count))) } }
        return Int(sf_readf_float(handle, elements, sf_count_t(count)))
    }

    /// Closes the file and tells whether all of it reached the system.
    internal consuming func finish() throws(AudioError) {
        sf_write_sync(handle)
        guard sf_error(handle) == 0 else { throw .cannotWrite(path: path, reason: soundFileReason(handle)) }
    }

    /// The frames by the header, if the file is too short for them; `nil` if nothing is missing, or libsndfile's log does
    /// not tell. libsndfile itself reports the length of the file.
    internal var promisedFrames: Int64? {
        let log = parsingLog
        for line in log.split(separator: "\n") {
            guard line.hasPrefix("data") || line.hasPrefix(" SSND"), line.contains("(should be ") else { continue }
            let numbers = line.split { !$0.isNumber }.compactMap { Int64($0) }
            // A recorder writing to a pipe puts a number near 2^31 or 2^32 for "unknown".
            guard let promised = numbers.first, let actual = numbers.last, promised > actual, promised < 0x7FFF_0000,
                info.frames > 0, actual > 0
            else { continue }
            return Int64((Double(promised) / Double(actual) * Double(info.frames)).rounded())
        }
        return nil
    }

    /// Whether an MP3 that gave `frames` broke off, which libsndfile does not report. Its length is exact except for the
    /// encoder's padding, or estimated from the bit rate to a few percent.
    internal func isMuchLonger(than frames: Int64) -> Bool {
        guard !frameCountIsExact, let frameCount else { return false }
        return Double(frames) < 0.95 * Double(frameCount) - 4 * 1_152
    }

    /// Whether an OGG stream lacks its end.
    internal var lacksEndOfStream: Bool { parsingLog.contains("without an End-Of-Stream") }

    private var parsingLog: String {
        var log = [CChar](repeating: 0, count: 16_384)
        sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
        return String(decoding: log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// What a failed `open` for reading means.
internal func readingError(_ number: Int32, path: String) -> AudioError {
    switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .fileNotFound(path: path)
    case EACCES, EPERM: .fileNotPermitted(path: path)
    default: .cannotRead(path: path, reason: systemReason(number))
    }
}

/// The containers that are read. Headerless and telephone formats would accept almost any bytes as sound.
private let containers: Set<Int32> = Set(
    [
        SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64, SF_FORMAT_AIFF, SF_FORMAT_AU, SF_FORMAT_CAF,
        SF_FORMAT_FLAC, SF_FORMAT_OGG, SF_FORMAT_MPEG,
    ].map { Int32($0) })

/// libsndfile's words for what went wrong last, without the full stop.
internal func soundFileReason(_ handle: OpaquePointer?) -> String {
    guard let text = sf_strerror(handle) else { return "no reason given" }
    var reason = String(cString: text)
    while reason.last == "." || reason.last == "\n" { reason.removeLast() }
    return reason.isEmpty ? "no reason given" : reason.lowercased()
}

/// Runs `body`, and hides what C libraries print meanwhile in this thread.
private func quietly<Result>(_ body: () -> Result) -> Result {
    linux_hide_errors_of_c()
    defer { linux_show_errors_of_c() }
    return body()
}
