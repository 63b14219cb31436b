import ALSABackend
import ArgumentParser
import AudioIO
import Configuration
import DeviceCalibration
import Intonation
public import Synthesis
import TerminalUI

/// `tuner tone`: plays a reference tone or a drone.
struct Tone: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "tone", abstract: "Play a reference tone or a drone in the chosen temperament.",
        usage: "tuner tone A4 --color organ --for 10")

    @Argument(help: ArgumentHelp("Note (A4, Bb3, c'') or frequency in Hz.", valueName: "note"))
    var note = "A4"

    @Option(name: .long, help: ArgumentHelp("Use this sound: \(ToneColor.names).", valueName: "color"))
    var color = ToneColor.organ

    @Option(name: .long, help: ArgumentHelp("Set the level in decibels below full scale, -80 to 0.", valueName: "db"))
    var level = -12.0

    @Option(
        name: .customLong("for"), help: ArgumentHelp("Stop after this time: 10, 90s, 10m, 2:30.", valueName: "time"),
        transform: Duration.reading)
    var duration: Duration?

    @Option(name: .long, help: ArgumentHelp("Write a sound file instead of playing.", valueName: "file"))
    var render: String?

    @Option(name: [.customShort("D"), .long], help: "Play on this ALSA device.")
    var device = "default"

    @Option(name: [.short, .long], help: "\(rateHelp)", transform: Hertz.rate)
    var rate: Hertz?

    @OptionGroup var period: PeriodOption

    @OptionGroup(title: "Tuning") var tuningOptions: TuningOptions

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        guard level.isFinite, (-80...0).contains(level) else {
            throw ValidationError("--level must be between -80 and 0 dB, not \(level).")
        }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        let finder = try tuningOptions.finder(instruments: try settings.instruments)
        let frequency = try Self.frequency(of: note, finder: finder)
        if let render { return try write(frequency, to: render, rate: rate ?? 48.kilohertz) }
        let signals = try SignalWatch()
        var request = period.request(device: device)
        request.sampleRate = rate
        var tone = try ToneStream(
            frequency, color: color, level: level.decibels, on: request, clock: tuningOptions.clock)
        try tell(frequency, finder, device: tone.stream.format.device)
        let end = duration.map { MonotonicTime.now() + $0 }
        var loop = EventLoop()
        _ = loop.watch(signals.descriptor)
        let stateChange = loop.watch(tone.stream.stateChangeDescriptor)
        var news = DeviceNews(of: tone.stream.format.device)
        while true {
            if let end, end <= .now() { break }
            loop.wait(until: end)
            if let status = signals.status(pausing: SignalWatch.pause) {
                tone.fadeOut()
                return status
            }
            if loop.isReady(stateChange) { tone.stream.acknowledgeStateChange() }
            while let sentence = news.next(tone.stream.report(), because: tone.stream.loss) {
                complain("tuner", sentence)
            }
            if let failure = tone.stream.failure { throw failure }
        }
        // The rest of the tone was not heard.
        if news.isLost, let loss = tone.stream.loss { throw loss }
        tone.fadeOut()
        return ExitStatus.ok
    }

    /// Tells what sounds on a terminal. In a pipe, standard output is for data.
    private func tell(_ frequency: Hertz, _ finder: NoteFinder, device: String) throws(OutputClosed) {
        var output = StandardOutput()
        guard output.isTerminal else { return }
        var plain = finder
        plain.strings = nil
        var parts = ["\(fixedPoint(frequency.value, decimals: 2)) Hz", color.rawValue]
        if let pitch = plain.pitch(of: frequency) {
            let cents = fixedPoint(pitch.deviation.value, decimals: 1, signed: true)
            parts.insert(pitch.label + (cents == "+0.0" || cents == "-0.0" ? "" : " \(cents) c"), at: 0)
        }
        parts.append("\(fixedPoint(level, decimals: 0)) dB on \"\(withoutControls(device))\"")
        try output.print(parts.joined(separator: "  ") + "   Ctrl-C stops it\n")
        try output.flush()
    }

    /// The frequency of a note in the tuning, or of a number.
    static func frequency(of text: String, finder: NoteFinder) throws -> Hertz {
        if let value = Double(text) {
            guard value >= 1, value <= 20_000 else {
                throw CommandError(.usage, "a tone of \(text) Hz is not audible", remedy: "choose 1 to 20000 Hz")
            }
            return value.hertz
        }
        let written = try finder.naming.note(named: text)
        guard let target = finder.tuning.target(for: finder.transposition.concert(written: written)) else {
            throw CommandError(.usage, "the scale has no note on the key \(text)", remedy: "choose another note")
        }
        return target.frequency
    }
}

extension ToneColor: ExpressibleByArgument {}
