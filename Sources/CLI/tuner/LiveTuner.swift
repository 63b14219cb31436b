import ALSABackend
import AudioIO
import Glibc
import Music
import Pitch
import Realtime
import TerminalUI
import TunerEngine

/// The tuner on a microphone: capture thread → ring → analysis thread → ring → this, the terminal's thread.
struct LiveTuner {
    let command: TunerCommand

    /// Listens until a signal or the end of the output.
    func run() throws -> Int32 {
        let signals = SignalWatch()
        var request = StreamRequest.capture(device: command.device)
        request.sampleRate = command.rate.map { $0 < 300 ? $0 * 1_000 : $0 }
        request.channelCount = command.channels
        request.channel = command.channelChoice
        var stream = try CaptureStream(request)
        if command.verbose { complain("tuner", "listening on \(stream.format.description)") }
        guard let samples = stream.takeSamples() else { return ExitStatus.ok }
        let sampleRate = stream.format.rate
        let engine: TunerEngine
        do {
            engine = try TunerEngine(sampleRate: sampleRate, method: command.method)
        } catch {
            throw CommandError(
                "\"\(command.device)\" runs at \(stream.format.sampleRate) Hz: ask for 8000 to 192000 Hz with -r",
                exitStatus: ExitStatus.noDevice)
        }
        var analysis = AnalysisThread(engine: engine, samples: samples)
        var output = TunerOutput(format: command.readingFormat, unicode: terminalShowsUnicode())
        var keyboard = KeyboardEcho()
        if output.redraws { keyboard.silence() }
        try output.notice("  listening on \(command.device) ...")
        var polled = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: analysis.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stream.stateChangeDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        do {
            while true {
                _ = poll(&polled, nfds_t(polled.count), -1)
                while let signal = signals.next() {
                    if signal == SIGWINCH { continue }
                    try output.end()
                    keyboard.restore()
                    guard signal == SIGTSTP else { return ExitStatus.ended(by: signal) }
                    SignalWatch.pause()
                    keyboard.silence()
                }
                while let reading = analysis.nextReading() {
                    let note = TunedNote(reading, sampleRate: sampleRate, reference: command.reference)
                    try output.show(note, file: nil)
                    if command.isOver(at: note.seconds) {
                        try output.update()
                        try output.end()
                        return ExitStatus.ok
                    }
                }
                try output.update()
                if polled[2].revents != 0 { stream.acknowledgeStateChange() }
                if let failure = stream.failure {
                    try output.end()
                    throw failure
                }
            }
        } catch let closed as OutputClosed {
            stream.stop()
            throw closed
        }
    }
}
