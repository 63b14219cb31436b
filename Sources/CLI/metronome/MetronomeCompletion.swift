internal import AudioIO
internal import Configuration
internal import DeviceCalibration
internal import PracticeLog
internal import Synthesis

extension MetronomeProgram {
    static func completion(of argument: String, in subcommand: String, given: [String]) -> Completion? {
        switch argument {
        case "device": deviceCompletion(subcommand == "calibrate" || subcommand == "play" ? .playback : .capture)
        case "input": deviceCompletion(.capture)
        case "sound": .files(Self.soundFiles, or: ClickSound.names)
        case "cross-sound": .files(Self.soundFiles, or: ClickVoice.all.map(\.name))
        case "map": .files(["map", "txt"])
        case "render": .files(["wav", "flac", "ogg", "mp3", "mid"])
        case "csv": .files(["csv"])
        case "plot": .files(["svg"])
        case "click": .words(["auto", "none"] + ClickVoice.all.map(\.name))
        case "setlist": .files(["txt", "list", "setlist"])
        case "preset", "save": .words((try? SetList.presets()?.entries.map(\.name)) ?? [])
        case "piece": .words(pieces)
        // The first argument of play is a tempo or a map, that of verify a recording.
        case "tempo" where subcommand == "play" && given.isEmpty: .files(["map"], or: tempi)
        case "file": .recordings
        default: words[argument].map { .words($0) }
        }
    }

    /// The pieces of the practice log, the newest first.
    private static var pieces: [String] {
        guard PracticeLog.exists(), let sessions = try? PracticeLog().sessions() else { return [] }
        return PracticeTotal.of(sessions.reversed()) { $0.session.piece }.map(\.name)
    }

    private static let soundFiles = ["wav", "flac", "ogg", "mp3"]
    private static let tempi = ["60", "80", "100", "120", "140"]

    /// The usual values of options that take any of a kind.
    private static let words: [String: [String]] = [
        "tempo": tempi, "around": tempi, "accent": ["2", "3", "4", "3+2+2", "2+2+3", "X.x.", "none", "only"],
        "meter": ["2/4", "3/4", "4/4", "5/4", "6/8", "7/8", "9/8", "12/8"],
        "sub": ["quarter", "8th", "triplet", "16th", "quintuplet", "sextuplet", "septuplet", "32nd"],
        "swing": ["55", "60", "2:1", "3:2"], "poly": ["3:2", "2:3", "3:4", "4:3", "5:4"],
        "polymeter": ["3:4", "4:3", "5:4", "7:4"], "step": ["+5/4b..160", "+2/8b..120"],
        "speed": ["0.5", "0.75", "0.8", "0.9", "1.1"], "count-in": ["1", "2", "4beats"],
        "gap": ["1:1", "2:2", "3:1", "3:1..1:3"], "mute": ["10", "20", "30", "0..50/32b"],
        "until": ["5ms", "10ms", "20ms"], "bars": ["4", "8", "16", "32"], "for": ["30s", "1m", "5m", "10m"],
        "volume": ["-3", "-6", "-12", "accent=0,normal=-9"],
        "bits": ["16", "24", "32"], "rate": ["44100", "48000", "96000"], "channels": ["1", "2"], "channel": ["1", "2"],
        "period": ["64", "128", "256", "512", "1024"], "precision": ["0.5", "1", "2"], "clicks": ["16", "32"],
        "what": ["rate", "latency"],
    ]
}
