internal import Configuration
internal import Synthesis

/// Which click a recording is searched for.
enum ReviewSound {
    case none
    /// One of these.
    case any([ClickVoice])

    /// Reads `--click`.
    static func read(_ word: String) throws(CommandError) -> ReviewSound {
        switch word {
        case "none": return .none
        case "auto": return .any(ClickVoice.all)
        default:
            guard let voice = ClickVoice.named(word) else {
                throw CommandError(
                    .usage, "--click '\(word)' is not a sound that can be taken out",
                    remedy: "use auto, none, or one of \(ClickVoice.all.map(\.name).joined(separator: ", "))")
            }
            return .any([voice])
        }
    }
}
