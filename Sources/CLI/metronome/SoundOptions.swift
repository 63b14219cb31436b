internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import MetronomeEngine
internal import Synthesis
internal import Timebase

/// What the clicks sound like.
struct SoundOptions: ParsableArguments {
    @Option(
        name: [.customShort("S"), .customLong("sound")],
        help: ArgumentHelp(
            "Use this sound: \(ClickVoice.all.map(\.name).joined(separator: ", ")); \(RecordedClick.countName), which counts "
                + "aloud; or sound files of up to ten seconds: \(SoundOptions.fileForms). "
                + "(default: \(ClickVoice.woodBlock.name))", valueName: "SOUND"))
    var sound: String?

    @Option(
        help: ArgumentHelp(
            "Use this sound for the voices of --poly and --polymeter. (default: \(ClickVoice.cowbell.name))",
            valueName: "SOUND"))
    var crossSound: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the volume in decibels below full scale: -6, or per level: accent=0,medium=-3,normal=-9,part=-12.",
            valueName: "DB"))
    var volume: String?

    @Flag(help: "Place clicks on whole frames. All then have the same samples, and lie up to half a frame off.")
    var wholeSamples = false

    /// The loudest first.
    private static var levels: [AccentLevel] { AccentLevel.audible.reversed() }

    /// The levels that sound files can be for.
    static var fileForms: String {
        "one for all levels, ACCENT,NORMAL or \(levels.map { $0.name.uppercased() }.joined(separator: ","))"
    }

    /// Whether clicks lie at their exact instants or on whole frames.
    private var placement: ClickPlacement { wholeSamples ? .nearestFrame : .exact }

    /// Checks the options and reads the sound files, before a device is opened.
    func read() throws -> ChosenSounds {
        guard crossSound != RecordedClick.countName else {
            throw CommandError(
                .usage, "--cross-sound '\(RecordedClick.countName)': only the beats are counted aloud",
                remedy:
                    "use --sound \(RecordedClick.countName), and \(ClickVoice.cowbell.name) or another sound for the others"
            )
        }
        let beat = try read(sound ?? ClickVoice.woodBlock.name, option: "--sound")
        let cross = try read(crossSound ?? ClickVoice.cowbell.name, option: "--cross-sound")
        return ChosenSounds(gains: try readGains(), placement: placement) { [beat($0), cross($0)] }
    }

    /// How loud each level is.
    private func readGains() throws(CommandError) -> LevelGains {
        var gains = LevelGains()
        guard let volume else { return gains }
        for item in volume.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count <= 2, let value = parts.last.flatMap({ number(String($0), unit: "db") }), value <= 0,
                value >= -120
            else {
                throw CommandError(
                    .usage, "--volume '\(volume)' is not a volume",
                    remedy: "use decibels from -120 to 0, as in -6 or accent=0,normal=-9")
            }
            switch parts.count == 2 ? String(parts[0]) : "" {
            case "": gains = LevelGains(value.decibels)
            case "part": gains.part = value.decibels
            case let name:
                guard let level = Self.levels.first(where: { $0.name == name }) else {
                    throw CommandError(
                        .usage, "--volume '\(volume)': there is no level '\(name)'",
                        remedy: "use \(Self.levels.map(\.name).joined(separator: ", ")) or part")
                }
                gains[level] = value.decibels
            }
        }
        return gains
    }

    private func read(_ text: String, option: String) throws -> (_ sampleRate: Int) -> ClickSound {
        if let voice = ClickVoice.named(text) { return { _ in .voice(voice) } }
        if text == RecordedClick.countName { return { .recorded(.englishCount(sampleRate: $0.hertz)) } }
        let paths = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard paths.count <= Self.levels.count, paths.allSatisfy({ $0.contains(".") || $0.contains("/") }) else {
            let names = ClickSound.names.joined(separator: ", ")
            throw CommandError(
                .usage, "\(option) '\(text)' is not a sound", remedy: "use \(names), or sound files: \(Self.fileForms)")
        }
        let files = try paths.map(readRecording)
        return { sampleRate in
            let recordings = files.map { SampleRateConverter(from: $0.rate, to: sampleRate).convert($0.samples) }
            if recordings.count == 1 { return .recorded(RecordedClick(name: text, samples: recordings[0])) }
            // The last file is the normal level; the others are the loudest ones in turn.
            var byLevel = Dictionary(uniqueKeysWithValues: zip(Self.levels, recordings.dropLast()))
            byLevel[.normal] = recordings.last
            return .recorded(RecordedClick(name: text, recordings: byLevel))
        }
    }

    /// A sound file as mono; at most 10 seconds of it.
    private func readRecording(_ path: String) throws(AudioError) -> (samples: [Float], rate: Int) {
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
        return (Array(samples.prefix(longest)), reader.framesPerSecond)
    }
}

/// How the clicks sound.
struct ChosenSounds {
    let gains: LevelGains
    let placement: ClickPlacement
    /// The sounds of the beat and of the other voices, at the rate of a stream.
    let clicks: (_ sampleRate: Int) -> [ClickSound]
}
