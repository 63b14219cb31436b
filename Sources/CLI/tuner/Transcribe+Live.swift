import ALSABackend
import AudioIO
import Configuration
import DeviceCalibration
import Intonation
import Realtime
import TerminalUI
import Transcription
internal import TunerUI

extension Transcribe {
    /// Listens to the device until a signal, the end of --for, or the end of the output.
    func listen(_ finder: NoteFinder, _ output: inout StandardOutput) throws -> Int32 {
        let signals = try SignalWatch()
        var request = StreamRequest.capture(device: device)
        request.sampleRate = input.rate
        request.channelCount = input.channels
        request.channel = input.channelChoice
        request.whenLost = .reopen
        var stream = try CaptureStream(request)
        defer { stream.stop() }
        if verbose { complain("tuner", "listening on \(stream.format.description)") }
        defer { if verbose { complain("tuner", stream.report().statistics.summary) } }
        let measured = clockError(
            given: tuningOptions.clock, of: stream.format, .capture, program: "tuner", isVerbose: verbose)
        let clock = SampleClock(nominalRate: stream.format.sampleRate, error: measured.error)
        guard var samples = stream.takeSamples() else { throw AudioError.noDevice(device: device) }
        var segmenter = try TranscriptWriter.segmenter(
            self, name: device, clock: clock, .device, remedy: "ask with -r for a rate")
        var writer = try TranscriptWriter(
            self, name: device, finder: finder, clock: clock, reference: try tuningOptions.referencePitch(),
            isWhole: false)
        var block = SampleBuffer<Float>(count: 1_024)
        var loop = EventLoop()
        _ = (loop.watch(signals.descriptor), loop.watch(samples.fileDescriptor))
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        var news = DeviceNews(of: stream.format.device)
        var frames: Int64 = 0
        let start = MonotonicTime.now()
        if noteFormat == .plain { try output.print(NoteRow.tableHead + "\n") }
        try output.flush()
        var status: Int32?
        var failure: AudioError?
        while status == nil, failure == nil {
            loop.wait(until: news.isLost ? .now() + .milliseconds(250) : nil)
            status = try signals.status { () throws(OutputClosed) in SignalWatch.pause() }
            while true {
                var free = block.mutableSpan
                guard let read = samples.readAvailable(into: &free) else { break }
                if read.followsGap { try writer.begin(at: frames, after: &segmenter, to: &output) }
                segmenter.process(block.span.extracting(first: read.count))
                writer.hear(block.span.extracting(first: read.count))
                frames += Int64(read.count)
            }
            try writer.take(from: &segmenter, to: &output)
            try output.flush()
            if loop.isReady(stateChange) { stream.acknowledgeStateChange() }
            while let sentence = news.next(stream.report(), because: stream.loss) { complain("tuner", sentence) }
            failure = stream.failure
            // The device did not come back within the time that was asked for.
            if news.isLost, let loss = stream.loss, input.isOver(at: .now() - start) { failure = loss }
            if input.isOver(at: clock.time(ofFrame: frames)) { status = status ?? ExitStatus.ok }
        }
        segmenter.finish()
        try writer.take(from: &segmenter, to: &output)
        try finish(&output, &writer, name: "")
        if let failure { throw failure }
        return status ?? ExitStatus.ok
    }
}
