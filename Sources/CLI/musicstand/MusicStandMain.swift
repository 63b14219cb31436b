internal import Configuration
internal import ScorePages

/// The command `musicstand`, and the process in which it decodes pictures of strangers.
@main
enum MusicStandMain {
    static func main() {
        ImageDecodingProcess.runIfAsked()
        MusicStandProgram.main()
    }
}
