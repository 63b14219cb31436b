public import Music

/// What can go wrong between a program and its sound, sorted by what the user can do about it.
///
/// An xrun is no error: it is counted in `StreamStatistics`, and the stream goes on.
public enum AudioError: ExplainedError, Equatable {
    /// The machine has no sound card at all, and so no device of that name.
    case noDevice(device: String)
    /// No sound device has that name.
    case unknownDevice(device: String)
    /// The device belongs to a sound server that does not answer.
    case noServer(device: String)
    /// Another program holds the device.
    case busy(device: String)
    /// The user may not open the device.
    case notPermitted(device: String)
    /// The device does not support a parameter that was asked for.
    case unsupported(StreamParameter, device: String)
    /// The device went away while it was running.
    case lost(device: String, reason: String)
    /// The device failed for a reason without a remedy of its own.
    case deviceFailed(device: String, reason: String)
    /// The system gave no memory, thread or descriptor.
    case outOfResources(String)

    /// The stream or file has no channel with this number.
    case noSuchChannel(Int, of: Int)
    /// No sample format has this name.
    case unknownSampleFormat(String)
    /// No PCM stream has this rate or channel count.
    case impossiblePCM(problem: String, remedy: String)

    /// The file does not exist.
    case fileNotFound(path: String)
    /// The path names a directory.
    case isDirectory(path: String)
    /// The user may not read the file.
    case fileNotPermitted(path: String)
    /// The file has no bytes.
    case emptyFile(path: String)
    /// The file does not contain sound.
    case notAudio(path: String, detail: String)
    /// The sound file has a sample rate that no sound has, as a damaged one may.
    case impossibleRate(path: String, hertz: Int)
    /// The sound file has no samples.
    case noSamples(path: String)
    /// The file ends or is damaged before the end of the sound; all frames before that were delivered.
    case truncatedFile(path: String, readFrames: Int64, expectedFrames: Int64?)
    /// The system could not read the file.
    case cannotRead(path: String, reason: String)
    /// The file cannot be created or written.
    case cannotWrite(path: String, reason: String)
}

extension AudioError {
    /// The system had no thread or descriptor for a stream.
    package init(_ error: ResourceError) { self = .outOfResources(error.resource) }

    /// What is wrong.
    public var problem: String { explanation.problem }
    /// What to do next.
    public var remedy: String { explanation.remedy }
}
