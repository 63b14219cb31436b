import ALSABackend
import AudioIO
import Foundation
import Music
import TestSignals
import Testing

/// Reads `count` samples, or up to the end; notes where gaps were.
func listen(
    to samples: inout CapturedSamples, count: Int
) throws(AudioError) -> (samples: [Float], gaps: [Int], ended: Bool) {
    var (all, gaps) = ([Float](), [Int]())
    var block = [Float](repeating: 0, count: 777)
    while all.count < count {
        var span = block.mutableSpan
        let result = try samples.read(into: &span)
        if result.isEnd { return (all, gaps, true) }
        if result.followsGap { gaps.append(all.count) }
        all += block[..<result.count]
    }
    return (all, gaps, false)
}

struct NoReadingEnd: Error {}

/// The reading end of a stream. `#require` cannot return noncopyable values.
func taken(from stream: inout CaptureStream) throws -> CapturedSamples {
    guard let samples = stream.takeSamples() else { throw NoReadingEnd() }
    return samples
}

@Suite(.timeLimit(.minutes(10))) struct CaptureStreamTests {
    private let card: TestCard
    init() throws { card = try TestCard.shared() }

    /// Stereo frames whose channels differ: 3 s, or what is left after it is silence.
    private static func stereo(_ left: [Float], _ right: [Float]) -> [Float] {
        zip(left, right).flatMap { [$0, $1] }
    }

    @Test(arguments: [ChannelChoice.mean, .number(1), .number(2)])
    func `What the microphone hears arrives sample by sample`(channel: ChannelChoice) throws {
        let left = sine(frequency: 440, sampleRate: 48_000, count: 48_000)
        let right = sine(frequency: 660, sampleRate: 48_000, count: 48_000, amplitude: 0.25)
        let infile = try card.file("in-\(channel).raw", Data(floats: Self.stereo(left, right)))
        let expected =
            switch channel {
            case .mean: zip(left, right).map { ($0 + $1) * 0.5 }
            case .number(let number): number == 1 ? left : right
            }
        #expect(expected.map(abs).max() ?? 0 > 0.2, "it is not silence")
        try measure("\(channel)") {
            var request = patient(try card.device("speed 2 infile \"\(infile)\""))
            request.channel = channel
            var stream = try CaptureStream(request)
            let format = stream.format
            var samples = try taken(from: &stream)
            #expect(throws: NoReadingEnd.self) { _ = try taken(from: &stream) }
            let (heard, gaps, _) = try listen(to: &samples, count: 48_000)
            stream.stop()
            let report = stream.report()
            var verdict = Verdict(starvation: report.statistics.starvation)
            verdict.require(
                format.sampleRate == 48.kilohertz && format.channelCount == 2 && format.sampleFormat == .floatLE,
                "\(format)")
            verdict.require(heard.prefix(48_000).elementsEqual(expected), "other samples")
            verdict.require(gaps.isEmpty, "gaps at \(gaps)")
            verdict.require(report.state == .ended && stream.failure == nil, "\(report.state)")
            verdict.require(report.statistics.transferredFrames >= 48_000, "\(report.statistics)")
            return verdict
        }
    }

    /// A request with a buffer longer than the stalls of a busy machine.
    private func patient(_ device: String) -> StreamRequest {
        var request = StreamRequest.capture(device: device)
        (request.periodFrames, request.bufferFrames) = (1_024, 32_768)
        return request
    }

    @Test(arguments: SampleFormat.playable)
    func `Every sample format of a card is understood`(format: SampleFormat) throws {
        // Steps of 1/128 are exact in all of them.
        let values = (0..<20_000).map { Float($0 % 255 - 127) / 128 }
        var bytes = Data(count: values.count * format.bytesPerSample)
        bytes.withUnsafeMutableBytes { raw in
            values.withUnsafeBufferPointer { format.encode(mono: $0, channelCount: 1, into: raw) }
        }
        let infile = try card.file("format-\(format.spelling).raw", bytes)
        let settings = "speed 2 channels 1 format \(format.spelling) infile \"\(infile)\""
        try measure("format \(format)") {
            var stream = try CaptureStream(patient(try card.device(settings)))
            let granted = stream.format.sampleFormat
            var samples = try taken(from: &stream)
            let heard = try listen(to: &samples, count: 20_000).samples
            stream.stop()
            var verdict = Verdict(starvation: stream.report().statistics.starvation)
            verdict.require(granted == format, "\(granted)")
            verdict.require(heard.prefix(20_000).elementsEqual(values), "other samples")
            return verdict
        }
    }

    @Test func `Stopping ends the samples, and waiting for them`() throws {
        var stream = try CaptureStream(.capture(device: try card.device("")))
        let samples = Box(try taken(from: &stream))
        let counted = Box(0)
        let reader = ThreadHandle {
            if let result = try? listen(to: &samples.value, count: .max) {
                counted.value = result.ended ? result.samples.count : -1
            }
        }
        do { let ok = waitUntil { stream.report().statistics.transferredFrames > 4_000 }; #expect(ok) }
        stream.stop()
        reader.join()
        #expect(counted.value > 4_000 && counted.value <= stream.report().statistics.transferredFrames)
        #expect(stream.failure == nil)
    }

    @Test func `Reading without waiting says when there is nothing yet`() throws {
        var stream = try CaptureStream(.capture(device: try card.device("")))
        var samples = try taken(from: &stream)
        var block = [Float](repeating: 9, count: 100_000)
        var total = 0
        var nothing = 0
        while total < 5_000 {
            var span = block.mutableSpan
            if let result = samples.readAvailable(into: &span) { total += result.count } else { nothing += 1 }
            let rang = samples.wait(timeout: .seconds(60))
            #expect(rang)
        }
        #expect(nothing > 0)
        #expect(total.isMultiple(of: stream.format.periodFrames))
    }

    @Test func `An overrun is counted, the stream goes on and the reader sees a gap`() throws {
        let infile = try card.file("over.raw", Data(floats: [Float](repeating: 0.5, count: 400_000)))
        let settings = "fail_errno 32 fail_after 20000 fail_count 1 infile \"\(infile)\""
        try measure("runs over") {
            var stream = try CaptureStream(patient(try card.device(settings)))
            var samples = try taken(from: &stream)
            let (heard, gaps, _) = try listen(to: &samples, count: 40_000)
            let report = stream.report()
            stream.stop()
            // One is set up; more come from a busy machine.
            var verdict = Verdict(starvation: report.statistics.xruns > 1 ? ["\(report.statistics)"] : [])
            verdict.require(heard.count >= 40_000 && heard.allSatisfy { $0 == 0.5 }, "other samples")
            verdict.require(gaps.count == 1 && gaps[0] >= 20_000 && gaps[0] < 20_000 + 1_024, "gaps at \(gaps)")
            verdict.require(report.statistics.xruns == 1, "\(report.statistics)")
            verdict.require(report.state == .running, "\(report.state)")
            return verdict
        }
    }

    @Test(arguments: [(19, "no such device"), (5, "input/output error"), (32, "it fails again after every recovery")])
    func `A lost card ends the samples with the reason`(number: Int, reason: String) throws {
        let name = try card.device("fail_errno \(number) fail_after 10000 fail_count 10")
        var stream = try CaptureStream(.capture(device: name))
        var samples = try taken(from: &stream)
        let error = #expect(throws: AudioError.self) { try listen(to: &samples, count: 100_000) }
        #expect(error == .lost(device: name, reason: reason))
        #expect(stream.failure == error)
        stream.stop()
        #expect(stream.report().state == .ended)
        #expect(stream.report().statistics.transferredFrames >= 10_000)
    }

    @Test func `A card that runs and does not move is lost after a second`() throws {
        let name = try card.device("stall_after 10000")
        var stream = try CaptureStream(patient(name))
        var samples = try taken(from: &stream)
        #expect(throws: AudioError.lost(device: name, reason: "it transfers no frames")) {
            try listen(to: &samples, count: 100_000)
        }
        #expect(stream.report().statistics.xruns == 0)
    }

    @Test func `A reader that sleeps too long loses samples and sees a gap`() throws {
        try measure("a slow reader") {
            var stream = try CaptureStream(patient(try card.device("speed 4")))
            var samples = try taken(from: &stream)
            usleep(1_000_000)  // 4 s of the card's time; the ring holds 131,072 samples, four of its buffers
            let (_, gaps, _) = try listen(to: &samples, count: 150_000)
            stream.stop()
            let statistics = stream.report().statistics
            var verdict = Verdict(starvation: statistics.xruns > 0 ? ["\(statistics)"] : [])
            verdict.require(gaps.first == 131_072, "gaps at \(gaps)")
            verdict.require(statistics.droppedFrames > 40_000, "\(statistics)")
            return verdict
        }
    }
}
