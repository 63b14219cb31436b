import AudioIO
import Music
import Testing

/// One error of each case.
private let allErrors: [AudioError] = [
    .noDevice(device: "default"), .unknownDevice(device: "x"), .noServer(device: "default"), .busy(device: "hw:0"),
    .notPermitted(device: "hw:0"), .unsupported(.sampleRate(96.kilohertz, nearest: 48.kilohertz), device: "hw:0"),
    .unsupported(.sampleRate(96.kilohertz, nearest: nil), device: "hw:0"),
    .unsupported(.channelCount(1, nearest: 2), device: "hw:0"),
    .unsupported(.channelCount(4, nearest: nil), device: "hw:0"), .unsupported(.sampleFormat, device: "hw:0"),
    .unsupported(.bufferSize(period: 64, buffer: 128), device: "hw:0"), .unsupported(.access, device: "hw:0"),
    .lost(device: "hw:0", reason: "no such device"), .deviceFailed(device: "hw:0", reason: "input/output error"),
    .outOfResources("memory"), .noSuchChannel(3, of: 2), .noSuchChannel(2, of: 1), .unknownSampleFormat("S17"),
    .impossiblePCM(problem: "a rate of 1 is not possible", remedy: "use 2000 to 768000 Hz"),
    .fileNotFound(path: "a.wav"),
    .isDirectory(path: "a"), .fileNotPermitted(path: "a.wav"), .emptyFile(path: "a.wav"),
    .notAudio(path: "a.wav", detail: "format not recognised"), .impossibleRate(path: "a.wav", hertz: 100),
    .noSamples(path: "a.wav"),
    .truncatedFile(path: "a.wav", readFrames: 5, expectedFrames: 10),
    .truncatedFile(path: "a.wav", readFrames: 5, expectedFrames: nil),
    .cannotRead(path: "a.wav", reason: "input/output error"), .cannotWrite(path: "a.wav", reason: "no space left"),
]

@Suite struct AudioErrorTests {
    @Test func `Every error is one sentence with what is wrong and what to do next`() {
        #expect(Set(allErrors.map(\.message)).count == allErrors.count)
        for error in allErrors {
            let message = error.message
            #expect(!message.contains("\n") && !message.hasSuffix("."), "\(message)")
            #expect(message.contains(": "), "no next step in \(message)")
            #expect(message.count > 20 && message.count < 250, "\(message)")
            #expect(message.first?.isUppercase != true, "\(message)")
            #expect(!message.contains("please report"), "\(message)")
        }
    }
}
