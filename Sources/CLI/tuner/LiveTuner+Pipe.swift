import ALSABackend
import AudioIO
import Configuration
import DeviceCalibration
import Intonation
import TerminalUI

extension LiveTuner {
    /// Listens with one line for each reading.
    func listen(_ finder: NoteFinder, _ signals: SignalWatch, _ output: consuming TunerOutput) throws -> Int32 {
        var stream = try open()
        defer { tell(stream.report().statistics) }
        let clock = clock(of: stream.format)
        var finder = finder
        var reference = try LearntReference(command.tuningOptions)
        var analysis = try analyse(&stream)
        var strums = LiveStrums(clock: clock, tolerance: command.tolerance)
        let others = try command.tuningOptions.otherTunings(instruments: try settings.instruments)
        if command.strum { try strums.start(command, finder, others: others, on: analysis) }
        var printer = StrumPrinter(file: nil)
        var tone: ToneStream?
        if let note = command.tone { tone = try openTone(try Tone.frequency(of: note, finder: finder)) }
        var loop = EventLoop()
        _ = (loop.watch(signals.descriptor), loop.watch(analysis.descriptor))
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        defer { tone?.stream.stop() }
        var news = DeviceNews(of: stream.format.device)
        var watch = SoundWatch()
        var toldHum: Set<Double> = []
        let start = MonotonicTime.now()
        do {
            while true {
                loop.wait(until: news.isLost ? .now() + .milliseconds(250) : nil)
                if let status = signals.status(pausing: SignalWatch.pause) {
                    try printer.finish(on: &output)
                    try output.end()
                    return status
                }
                while let sound = strums.next(from: &analysis, finder, isExpected: true) {
                    try printer.hear(sound, on: &output)
                }
                while let reading = analysis.nextReading() {
                    if let clip = analysis.takeClip() { watch.clip(at: clock.time(ofFrame: clip)) }
                    let note = watch.judge(TunedNote(reading, clock: clock, finder: finder))
                    if !command.strum { try output.show(note, file: nil) }
                    if let sentence = command.sentence(about: note.condition, told: &toldHum) {
                        try output.update()
                        complain("tuner", sentence)
                    }
                    if reference.hear(note) {
                        finder.tuning = try command.tuningOptions.makeTuning(reference: reference.pitch)
                    }
                    if command.input.isOver(at: note.time) {
                        try printer.finish(on: &output)
                        try output.end()
                        return ExitStatus.ok
                    }
                }
                try output.update()
                if loop.isReady(stateChange) { stream.acknowledgeStateChange() }
                while let sentence = news.next(stream.report(), because: stream.loss) {
                    try output.update()
                    complain("tuner", sentence)
                }
                if let failure = stream.failure { throw failure }
                // The device did not come back within the time that was asked for.
                if news.isLost, let loss = stream.loss, command.input.isOver(at: .now() - start) { throw loss }
            }
        } catch let closed as OutputClosed {
            stream.stop()
            throw closed
        }
    }
}
