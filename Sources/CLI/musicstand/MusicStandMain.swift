internal import Configuration
internal import Platform
internal import ScorePages

/// The command `musicstand`, and the process in which it decodes pictures of strangers.
@main
enum MusicStandMain {
    static func main() {
        ImageDecodingProcess.runIfAsked()
        // A page that is looked at for its bars is six pictures of two megabytes, for half a second.
        FreedMemory.giveBack(from: 256 << 10)
        MusicStandProgram.main()
    }
}
