internal import AudioIO
internal import Pitch
internal import SQLite
internal import Spectral
internal import TerminalUI

extension ExitStatus {
    /// The exit status of a command that ends with this error. An error that is not listed is one of the command line.
    package static func of(_ error: any Error) -> Int32 {
        switch error {
        case let error as CommandError: of(error.kind)
        case let error as OutputClosed: error.reason == nil ? ok : cannotWrite
        case let error as AudioError: of(error)
        case let error as SmallFile.Failure: error.isOutput ? cannotWrite : noInput
        case let error as DatabaseError: error.isOutput ? cannotWrite : noInput
        case is ResourceError: noResource
        case TuningError.unsupportedReference: usage
        case is TuningError, is TuningFileError: noInput
        case PitchError.spectral(.planningFailed), SpectralError.planningFailed: noResource
        default: usage
        }
    }

    private static func of(_ kind: CommandError.Kind) -> Int32 {
        switch kind {
        case .usage: usage
        case .input: noInput
        case .device: noDevice
        case .interrupted: deviceLost
        case .output: cannotWrite
        }
    }

    private static func of(_ error: AudioError) -> Int32 {
        switch error {
        case .fileNotFound, .isDirectory, .fileNotPermitted, .emptyFile, .notAudio, .impossibleRate, .noSamples,
            .truncatedFile, .cannotRead:
            noInput
        case .noDevice, .unknownDevice, .noServer, .notPermitted, .unsupported, .deviceFailed: noDevice
        case .outOfResources: noResource
        case .cannotWrite: cannotWrite
        case .busy, .lost: deviceLost
        case .noSuchChannel, .unknownSampleFormat, .impossiblePCM: usage
        }
    }
}
