/// What can go wrong between a program and its sound, sorted by what the user can do about it.
///
/// An xrun is not here: it is counted in `StreamStatistics`, and the stream goes on.
public enum AudioError: Error, Equatable, Sendable {
    /// There is no sound card at all, and so no device of that name.
    case noDevice(device: String)
    /// There is sound here, but nothing of that name.
    case unknownDevice(device: String)
    /// The device belongs to a sound server that does not answer.
    case noServer(device: String)
    /// Another program holds the device.
    case busy(device: String)
    /// The user may not open the device.
    case notPermitted(device: String)
    /// The device cannot do what was asked for.
    case unsupported(StreamParameter, device: String)
    /// The device went away while it was running.
    case lost(device: String, reason: String)
    /// The device refused for a reason that has no remedy of its own.
    case deviceFailed(device: String, reason: String)
    /// The system gave no memory, thread or descriptor.
    case outOfResources(String)

    /// The stream or file has fewer channels than the one asked for.
    case noSuchChannel(Int, of: Int)
    /// A sample format nobody spells like that.
    case unknownSampleFormat(String)
    /// A rate or channel count that no PCM stream has.
    case badPCMParameter(String)

    /// Nothing is there.
    case fileNotFound(path: String)
    /// A directory, where a sound file was expected.
    case isDirectory(path: String)
    /// The file may not be read.
    case fileNotPermitted(path: String)
    /// The file has no bytes.
    case emptyFile(path: String)
    /// The file holds something other than sound.
    case notAudio(path: String, detail: String)
    /// A sound file without any sound in it.
    case noSamples(path: String)
    /// The file ends, or breaks, before the sound does; all frames before that were delivered.
    case truncatedFile(path: String, readFrames: Int64, expectedFrames: Int64?)
    /// The system could not read.
    case cannotRead(path: String, reason: String)
    /// The file cannot be made or written.
    case cannotWrite(path: String, reason: String)
}

/// What a device can refuse, with the value asked for and the nearest it has.
public enum StreamParameter: Equatable, Sendable {
    /// Frames per second.
    case sampleRate(Int, nearest: Int?)
    /// Channels.
    case channelCount(Int, nearest: Int?)
    /// None of the sample formats known here.
    case sampleFormat
    /// Period and buffer.
    case bufferSize(period: Int, buffer: Int)
    /// Reading and writing interleaved frames.
    case access
}

extension AudioError {
    /// The system had no thread or descriptor for a stream.
    package init(_ error: ResourceError) { self = .outOfResources(error.resource) }

    /// The status a command ends with: the usual numbers of `sysexits.h`.
    public var exitStatus: Int32 {
        switch self {
        case .noSuchChannel, .unknownSampleFormat, .badPCMParameter: 2
        case .fileNotFound, .isDirectory, .fileNotPermitted, .emptyFile, .notAudio, .noSamples, .truncatedFile,
            .cannotRead:
            66
        case .noDevice, .unknownDevice, .noServer, .notPermitted, .unsupported, .deviceFailed: 69
        case .outOfResources: 71
        case .cannotWrite: 73
        case .busy, .lost: 75
        }
    }

    /// One sentence: what is wrong, and what to do next.
    public var message: String {
        switch self {
        case .noDevice(let device):
            "no sound card found for \"\(device)\": plug one in, start the sound server, or work on a file instead"
        case .unknownDevice(let device):
            "no sound device is called \"\(device)\": choose one that `-L` lists"
        case .noServer(let device):
            "the sound server behind \"\(device)\" is not running in this session: start PipeWire or PulseAudio, or "
                + "choose a card that `-l` lists"
        case .busy(let device):
            "\"\(device)\" is in use by another program, often the sound server: "
                + "\(device == "default" ? "" : "choose \"default\", or ")see who holds it with `fuser -v /dev/snd/*`"
        case .notPermitted(let device):
            "no permission to open \"\(device)\": add yourself to the group audio (`sudo usermod -aG audio $USER`) and "
                + "log in again"
        case .unsupported(let parameter, let device):
            "\"\(device)\" \(parameter.refusal)" + parameter.wayOut(from: device)
        case .lost(let device, let reason):
            "the sound device \"\(device)\" was lost (\(reason)): reconnect it or restart its server, then start again"
        case .deviceFailed(let device, let reason):
            "the sound device \"\(device)\" failed (\(reason)): try another device, such as "
                + (device == "default" ? "a card that `-l` lists" : "\"default\"")
        case .outOfResources(let what): "the system has no \(what) left: close other programs and try again"
        case .noSuchChannel(let number, let count):
            count == 1
                ? "there is no channel \(number): the sound has one channel, so ask for 1"
                : "there is no channel \(number): the sound has \(count) channels, so ask for 1 to \(count)"
        case .unknownSampleFormat(let spelling):
            "no sample format is called \"\(spelling)\": use S16_LE, S24_3LE, S32_LE, FLOAT_LE, cd or dat, as with "
                + "`arecord -f`"
        case .badPCMParameter(let what): what
        default: fileMessage
        }
    }

    private var fileMessage: String {
        switch self {
        case .fileNotFound(let path): "there is no file \"\(path)\": check the name"
        case .isDirectory(let path): "\"\(path)\" is a directory: name a sound file in it"
        case .fileNotPermitted(let path): "no permission to read \"\(path)\": ask its owner, or copy it"
        case .emptyFile(let path): "\"\(path)\" is empty: record or copy it again"
        case .notAudio(let path, let detail):
            "\"\(path)\" is not a sound file that can be read (\(detail)): use WAV, FLAC, OGG, MP3 or AIFF"
        case .noSamples(let path): "\"\(path)\" holds no sound: record or copy it again"
        case .truncatedFile(let path, let read, let expected):
            "\"\(path)\" breaks off after \(read) \(expected.map { "of \($0) " } ?? "")frames: copy it again if the "
                + "rest is needed"
        case .cannotRead(let path, let reason): "cannot read \"\(path)\" (\(reason)): check the file and the disk"
        case .cannotWrite(let path, let reason):
            "cannot write \"\(path)\" (\(reason)): choose another place, or make room"
        default: "unknown error: please report it"
        }
    }
}

extension StreamParameter {
    fileprivate var refusal: String {
        switch self {
        case .sampleRate(let rate, let nearest):
            "cannot run at \(rate) Hz: " + (nearest.map { "ask for \($0) Hz" } ?? "leave the rate to it")
        case .channelCount(let count, let nearest):
            "has no setting for \(count) channel\(count == 1 ? "" : "s"): "
                + (nearest.map { "ask for \($0)" } ?? "leave the count to it")
        case .sampleFormat: "has no sample format known here"
        case .bufferSize(let period, let buffer):
            "takes no period of \(period) and buffer of \(buffer) frames: ask for larger ones"
        case .access: "does not take interleaved frames"
        }
    }

    /// What else can be done: no advice to use what is in use.
    fileprivate func wayOut(from device: String) -> String {
        let converts = device == "default" || device.hasPrefix("plug")
        return switch self {
        case .sampleRate, .channelCount, .bufferSize: converts ? "" : ", or use \"default\" or plughw:"
        case .sampleFormat, .access: converts ? ": choose another card that `-l` lists" : ": use \"default\" or plughw:"
        }
    }
}
