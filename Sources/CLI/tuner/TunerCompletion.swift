import AudioIO
import Configuration
import DeviceCalibration

extension TunerCommand {
    static func completion(of argument: String, in subcommand: String, given: [String]) -> Completion? {
        switch argument {
        case "device": deviceCompletion(subcommand == "tone" ? .playback : .capture)
        case "input": deviceCompletion(.capture)
        case "tone-device": deviceCompletion(.playback)
        case "temperament": .words(Temperament.all.map { $0.name.lowercased() } + ["19edo", "31edo", "53edo"])
        case "scale": .files(["scl"])
        case "mapping": .files(["kbm"])
        case "plot": .files(["svg"])
        case "midi": .files(["mid"])
        case "musicxml": .files(["musicxml"])
        case "render": .files(["wav", "flac", "ogg", "mp3"])
        case "instrument": .words(Instrument.all.map(\.name))
        case "transpose": .words(Transposition.all.map(\.name))
        case "tuning": .words(tunings(given))
        case "names": .words(NoteNaming.Style.allCases.map(\.rawValue))
        case "octaves": .words(["scientific", "helmholtz"])
        case "file": .recordings
        default: words[argument].map { .words($0) }
        }
    }

    /// The tunings of the instrument that the words before name, or of all instruments.
    private static func tunings(_ given: [String]) -> [String] {
        var name: String?
        for (index, word) in given.enumerated() {
            if word.hasPrefix("--instrument=") { name = String(word.dropFirst(13)) }
            if ["-i", "--instrument"].contains(word), index + 1 < given.count { name = given[index + 1] }
        }
        let chosen = Instrument.all.filter { name == nil || $0.name.lowercased() == name?.lowercased() }
        var seen: Set<String> = []
        return chosen.flatMap(\.tunings).map(\.name).filter { seen.insert($0).inserted }
    }

    /// The usual values of options that take any of a kind.
    private static let words: [String: [String]] = [
        "a4": ["440", "442", "443", "432", "415", "auto"], "key": ["C", "G", "D", "A", "E", "F", "Bb", "Eb"],
        "capo": ["1", "2", "3", "4", "5", "7"], "string": ["1", "2", "3", "4", "5", "6"],
        "note": ["A4", "C4", "E2", "A2", "D3", "G3", "B3", "E4"], "tone": ["A4", "E2", "G3"],
        "rate": ["44100", "48000"], "channels": ["1", "2"], "channel": ["1", "2"],
        "format": ["S16_LE", "S24_3LE", "S32_LE", "FLOAT_LE", "cd", "dat"], "for": ["10s", "1m", "5m"],
        "duration": ["10s", "1m", "5m"], "level": ["-20", "-12", "-6"], "precision": ["0.5", "1", "2"],
        "tempo": ["60", "90", "120"], "around": ["60", "90", "120"],
        "meter": ["4/4", "3/4", "6/8"], "shortest": ["1/4", "1/8", "1/16", "1/32"],
        "clicks": ["16", "32"], "what": ["rate", "latency"],
    ]
}
