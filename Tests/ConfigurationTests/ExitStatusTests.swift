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
            (AudioError.fileNotFound(path: "x"), 66), (AudioError.busy(device: "hw:0"), 75),
            (AudioError.noDevice(device: "hw:0"), 69), (AudioError.cannotWrite(path: "x", reason: "full"), 73),
            (CommandError("x", exitStatus: 73), 73), (CancellationError(), 2),
        ] as [(any Error, Int32)])
    func `Every kind of error has its exit status`(_ error: any Error, _ status: Int32) {
        #expect(ExitStatus.of(error) == status, "\(error)")
    }
}
