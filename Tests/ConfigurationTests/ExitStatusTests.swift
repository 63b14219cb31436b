import AudioIO
import Configuration
import Music
import Pitch
import Spectral
import TerminalUI
import Testing

@Suite struct ExitStatusTests {
    @Test(
        arguments: [
            (NameError.unknown(kind: "note", name: "x", known: []), 2),
            (TuningError.unsupportedReference(0.hertz), 2), (TuningError.noNotes, 66),
            (TuningFileError.ended(in: .scale, line: 1, expected: "a number"), 66),
            (PitchError.unsupportedHop(1), 2), (PitchError.spectral(.unsupportedSize(7)), 2),
            (PitchError.spectral(.planningFailed(size: 8)), 71), (SpectralError.planningFailed(size: 8), 71),
            (AudioError.noDevice(device: "x"), 69), (AudioError.unknownDevice(device: "x"), 69),
            (AudioError.noServer(device: "x"), 69), (AudioError.busy(device: "x"), 75),
            (AudioError.notPermitted(device: "x"), 69), (AudioError.unsupported(.access, device: "x"), 69),
            (AudioError.lost(device: "x", reason: "gone"), 75), (AudioError.deviceFailed(device: "x", reason: "x"), 69),
            (AudioError.outOfResources("memory"), 71), (AudioError.noSuchChannel(3, of: 2), 2),
            (AudioError.unknownSampleFormat("x"), 2),
            (AudioError.impossiblePCM(problem: "x", remedy: "y"), 2), (AudioError.fileNotFound(path: "x"), 66),
            (AudioError.isDirectory(path: "x"), 66), (AudioError.fileNotPermitted(path: "x"), 66),
            (AudioError.emptyFile(path: "x"), 66), (AudioError.notAudio(path: "x", detail: "text"), 66),
            (AudioError.impossibleRate(path: "x", hertz: 100), 66),
            (AudioError.noSamples(path: "x"), 66),
            (AudioError.truncatedFile(path: "x", readFrames: 1, expectedFrames: nil), 66),
            (AudioError.cannotRead(path: "x", reason: "x"), 66),
            (AudioError.cannotWrite(path: "x", reason: "full"), 73),
            (CommandError(.usage, "x", remedy: "y"), 2), (CommandError(.input, "x", remedy: "y"), 66),
            (CommandError(.device, "x", remedy: "y"), 69),
            (CommandError(.output, "x", remedy: "y"), 73), (CommandError(.interrupted, "x", remedy: "y"), 75),
            (OutputClosed(reason: "full"), 73), (OutputClosed(reason: nil), 0),
            (ResourceError("thread"), 71), (CancellationError(), 2),
        ] as [(any Error, Int32)])
    func `Every kind of error has its exit status`(_ error: any Error, _ status: Int32) {
        #expect(ExitStatus.of(error) == status, "\(error)")
    }
}
