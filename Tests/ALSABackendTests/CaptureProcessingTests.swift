import ALSABackend
import Testing

@Suite struct CaptureProcessingTests {
    @Test func `Controls and nodes that change the sound are recognised by their names`() {
        for (name, kind) in [
            ("Auto Gain Control", CaptureProcessing.automaticGain), ("Mic AGC Capture Switch", .automaticGain),
            ("echo-cancel-source", .echoCanceller), ("Acoustic Echo Canceller Switch", .echoCanceller),
            ("AEC Mode", .echoCanceller), ("rnnoise_source", .noiseSuppression),
            ("Noise Suppression Switch", .noiseSuppression),
        ] {
            #expect(CaptureProcessing(named: name) == kind, "\(name)")
        }
        for name in ["Capture Switch", "Mic Boost", "Loopback", "default", "hw:CARD=PCH,DEV=0"] {
            #expect(CaptureProcessing(named: name) == nil, "\(name)")
        }
    }

    @Test func `A device without a mixer has nothing switched on`() {
        #expect(CaptureProcessing.active(on: "null").isEmpty)
        #expect(CaptureProcessing.active(on: "hw:nosuch").isEmpty)
        #expect(CaptureProcessing.active(on: "echo-cancel-source") == [.echoCanceller])
    }
}
