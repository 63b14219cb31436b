internal import ArgumentParser
internal import AudioIO
internal import MetronomeEngine
internal import Music
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// What the clicks sound like.
struct SoundOptions: ParsableArguments {
    @Option(
        name: [.customShort("S"), .customLong("sound")],
        help: ArgumentHelp(
            "The click: \(ClickVoice.all.map(\.name).joined(separator: ", ")); or sound files: one for all levels, or "
                + "ACCENT,NORMAL or ACCENT,MEDIUM,NORMAL; ten seconds of each. (default: wood)", valueName: "SOUND"))
    var sound: String?

    @Option(
        help: ArgumentHelp(
            "The voices of --poly and --polymeter, as --sound has them. (default: cowbell)", valueName: "SOUND"))
    var crossSound: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Decibels below full: -6, or for each level: accent=0,medium=-3,normal=-9,part=-12.", valueName: "DB"))
    var volume: String?

    @Flag(help: "Let all clicks of a level have the same samples, up to half a frame beside their instants.")
    var wholeSamples = false

    /// What was once asked for and is now so anyway.
    @Flag(help: .hidden)
    var subSample = false

    /// Whether clicks lie at their instants, between two frames where they have to.
    var placement: ClickPlacement { wholeSamples ? .nearestFrame : .exact }

    /// Tells what cannot be played, where nothing is played.
    func check(sampleRate: Int) throws {
        _ = try readSounds(sampleRate: sampleRate)
        _ = try readGains()
    }

    /// The sounds of the beat and of further voices, at the rate of the stream.
    func readSounds(sampleRate: Int) throws -> [ClickSound] {
        [
            try read(sound ?? ClickVoice.woodBlock.name, option: "--sound", sampleRate: sampleRate),
            try read(crossSound ?? ClickVoice.cowbell.name, option: "--cross-sound", sampleRate: sampleRate),
        ]
    }

    /// How loud each level is.
    func readGains() throws(CommandError) -> LevelGains {
        var gains = LevelGains()
        guard let volume else { return gains }
        for item in volume.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count <= 2, let value = parts.last.flatMap({ Double($0) }), value <= 0, value >= -120 else {
                throw CommandError(
                    "--volume '\(volume)': expected decibels from -120 to 0, as in -6 or accent=0,normal=-9",
                    exitStatus: ExitStatus.usage)
            }
            switch parts.count == 2 ? String(parts[0]) : "" {
            case "": gains = LevelGains(normal: value.decibels, medium: value.decibels, accent: value.decibels)
            case "accent": gains.accent = value.decibels
            case "medium": gains.medium = value.decibels
            case "normal": gains.normal = value.decibels
            case "part": gains.part = value.decibels
            default:
                throw CommandError(
                    "--volume '\(volume)': there is no level '\(parts[0])': use accent, medium, normal or part",
                    exitStatus: ExitStatus.usage)
            }
        }
        return gains
    }

    private func read(_ text: String, option: String, sampleRate: Int) throws -> ClickSound {
        if let voice = ClickVoice.named(text) { return .voice(voice) }
        let paths = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard paths.count <= 3, paths.allSatisfy({ $0.contains(".") || $0.contains("/") }) else {
            let names = ClickVoice.all.map(\.name).joined(separator: ", ")
            throw CommandError(
                "\(option) '\(text)': expected \(names), or one to three sound files", exitStatus: ExitStatus.usage)
        }
        let recordings = try paths.map { try readRecording($0, sampleRate: sampleRate) }
        if recordings.count == 1 { return .recorded(RecordedClick(name: text, samples: recordings[0])) }
        let medium = recordings.count == 3 ? recordings[1] : recordings[0]
        return .recorded(
            RecordedClick(name: text, normal: recordings[recordings.count - 1], medium: medium, accent: recordings[0]))
    }

    /// A sound file as mono at the rate of the stream; at most 10 seconds of it.
    private func readRecording(_ path: String, sampleRate: Int) throws(AudioError) -> [Float] {
        var reader = try AudioFileReader(path: path)
        let longest = 10 * reader.framesPerSecond
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 16_384)
        while samples.count < longest {
            var span = block.mutableSpan
            let read = try reader.read(into: &span)
            if read.isEnd { break }
            samples += block.prefix(read.count)
        }
        return SampleRateConverter(from: reader.framesPerSecond, to: sampleRate).convert(Array(samples.prefix(longest)))
    }
}
