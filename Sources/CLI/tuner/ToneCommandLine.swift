import ALSABackend
import ArgumentParser
import AudioIO
import Configuration
import DeviceCalibration
import Intonation
public import Synthesis
import TerminalUI

/// `tuner tone`: plays reference tones or drones.
struct Tone: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "tone", abstract: "Play a reference tone, or up to four as a drone, in the chosen temperament.",
        usage: """
            tuner tone A4 --color organ --for 10
            tuner tone D3 A3                a fifth to play over
            tuner tone -i violin            the strings, one after the other with s
            """)

    @Argument(
        help: ArgumentHelp(
            "Notes (A4, Bb3, c''; A without an octave) or frequencies (442, 442Hz). [A4, or the first string]",
            valueName: "note"))
    var notes: [String] = []

    @Option(name: .long, help: ArgumentHelp("Use this sound: \(ToneColor.names).", valueName: "color"))
    var color = ToneColor.organ

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Set the level in decibels below full scale, -80 to 0.", valueName: "db"),
        transform: Double.readingDecibels)
    var level = -12.0

    @Option(
        name: [.customLong("for"), .customLong("duration"), .customShort("d")],
        help: ArgumentHelp("Stop after this time: 10, 90s, 10m, 2:30.", valueName: "time"),
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

    static let levels = -80.0...0

    func validate() throws {
        guard level.isFinite, Self.levels.contains(level) else {
            throw ValidationError("--level must be between -80 and 0 dB, not \(level).")
        }
        guard notes.count <= ToneGenerator.mostVoices else {
            throw ValidationError("At most \(ToneGenerator.mostVoices) tones sound at once, not \(notes.count).")
        }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        let finder = try tuningOptions.finder(instruments: try settings.instruments)
        let pitches = try TonePitches(notes, finder: finder)
        if let render { return try write(pitches.frequencies, to: render, rate: rate ?? 48.kilohertz) }
        let signals = try SignalWatch()
        var request = period.request(device: device)
        request.sampleRate = rate
        let stream = try ToneStream(
            pitches.frequencies, color: color, level: level.decibels, on: request, clock: tuningOptions.clock)
        var player = TonePlayer(stream, pitches: pitches, level: level, color: color)
        return try player.play(for: duration, watching: signals)
    }

    /// The frequency of a note in the tuning, or of a number.
    ///
    /// A note without an octave is the string of that name, or the one from C4 to B4.
    static func frequency(of text: String, finder: NoteFinder) throws -> Hertz {
        if let value = number(text, unit: "hz") {
            guard value >= 1, value <= 20_000 else {
                throw CommandError(.usage, "a tone of \(text) Hz is not audible", remedy: "choose 1 to 20000 Hz")
            }
            return value.hertz
        }
        let concert: Note
        do {
            concert = finder.transposition.concert(written: try finder.naming.note(named: text))
        } catch {
            guard let written = try? finder.naming.pitchClass(named: text) else { throw error }
            let middle = finder.transposition.concert(written: Note(midi: 60 + written))
            concert = finder.strings?.strings.first { $0.pitchClass == middle.pitchClass } ?? middle
        }
        guard let target = finder.tuning.target(for: concert) else {
            throw CommandError(.usage, "the scale has no note on the key \(text)", remedy: "choose another note")
        }
        return target.frequency
    }
}

extension ToneColor: ExpressibleByArgument {}
