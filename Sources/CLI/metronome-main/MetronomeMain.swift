internal import MetronomeCLI

/// The command `metronome`. Its code is a library, since the music stand plays by it too.
@main
enum MetronomeMain {
    static func main() { runMetronome() }
}
